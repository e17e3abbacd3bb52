use super::*;
use crate::write::write_new;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};

struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("incrowd-ledger-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn file(&self, name: &str, text: &str) -> PathBuf {
        let path = self.0.join(name);
        std::fs::write(&path, text).unwrap();
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[expect(clippy::unnecessary_wraps, reason = "waiting can be cancelled")]
fn go_on() -> Result<()> {
    Ok(())
}

fn record(ledger: &Path, folder: &Folder, name: &str) -> LedgerRecord {
    let data = folder.file("data.csv", "a\n1\n");
    let recorded = |path: &Path| RecordedFile::of(ledger, path).unwrap();
    LedgerRecord {
        format: FORMAT.to_owned(),
        version: VERSION,
        number: 0,
        previous: None,
        date: "2026-01-31".to_owned(),
        program: "incrowd 0".to_owned(),
        family: Family::Tree,
        release: RecordedFile { file: name.to_owned(), sha256: digest_of_line(name) },
        table: None,
        policy: recorded(&data),
        data: recorded(&data),
        rows: None,
        reading: None,
        public: None,
        dependencies: None,
        assumptions: None,
        presets: Vec::new(),
        k: Some(5),
        guarantee: vec!["k = 5".to_owned()],
        of: None,
        weakened: Vec::new(),
    }
}

/// Adds a release whose text is its name.
fn add(ledger: &Path, folder: &Folder, name: &str) -> Ledger {
    let release = folder.0.join(name);
    let open = LedgerFile::open(ledger, go_on).unwrap();
    let publish = || write_new(&release, false, |out| out.write_all(name.as_bytes()));
    open.add(record(ledger, folder, name), publish).unwrap()
}

#[test]
fn lines_are_chained() {
    let folder = Folder::new();
    let ledger = folder.0.join("l.jsonl");
    assert_eq!(LedgerFile::read(&ledger, go_on).unwrap(), Ledger::default());
    assert!(!ledger.exists(), "reading begins no ledger");
    let written: Vec<Ledger> = ["a", "b", "c"].iter().map(|name| add(&ledger, &folder, name)).collect();
    let read = LedgerFile::read(&ledger, go_on).unwrap();
    assert_eq!(read, written[2]);
    assert_eq!(read.records[2].previous, written[1].head);
    let text = std::fs::read_to_string(&ledger).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let changed = |lines: &[&str]| Ledger::parse(&(lines.join("\n") + "\n"));
    assert!(changed(&lines).is_ok());
    for (what, lines) in [
        ("the first is removed", vec![lines[1], lines[2]]),
        ("one is removed", vec![lines[0], lines[2]]),
        ("one is moved", vec![lines[1], lines[0], lines[2]]),
        ("one is there twice", vec![lines[0], lines[0], lines[1], lines[2]]),
        ("one is changed", vec![lines[0], &lines[1].replace("k = 5", "k = 9"), lines[2]]),
    ] {
        let error = changed(&lines).expect_err(what);
        assert!(error.what.contains("was changed, removed or added"), "{what}: {error}");
        assert!(error.place.line.is_some() && error.help.is_some());
    }
    // Only someone who has kept the digest of the last line notices that it is gone.
    assert_ne!(changed(&lines[..2]).unwrap().head, read.head);
}

#[test]
fn hostile_ledgers_are_refused() {
    let folder = Folder::new();
    let ledger = folder.0.join("l.jsonl");
    add(&ledger, &folder, "a");
    let line = std::fs::read_to_string(&ledger).unwrap();
    let deep = format!("{{\"format\":{}1{}}}\n", "[".repeat(100_000), "]".repeat(100_000));
    let long = line.replace("k = 5", &"k".repeat(5000));
    for text in [
        "x",
        "\n",
        "{}\n",
        "[]\n",
        "\u{0}\n",
        &deep,
        &long,
        line.trim_end(),
        &format!("{line}\n"),
        &line.replace("\"version\":1", "\"version\":2"),
        &line.replace("incrowd-ledger", "incrowd-dossier"),
        &line.replace("\"number\":1", "\"number\":2"),
        &line.replace("\"tree\"", "\"forest\""),
        &line.replace("\"k\":5", "\"k\":-5"),
        &line.replace("\"k\":5", "\"k\":5,\"l\":5"),
        &line.replace("\"sha256\":\"", "\"sha256\":\"g"),
        &line.replace("\"a\"", "\"\""),
        &line.replace("\"a\"", "\"\\u001b[2J\""),
    ] {
        let error = Ledger::parse(text).expect_err(text.get(..40).unwrap_or(text));
        assert!(error.place.line.is_some() && error.help.is_some(), "{error}");
        assert!(!error.to_string().contains('\u{1b}'), "{error}");
    }
    let large = folder.file("large.jsonl", &"x".repeat(MAX_LEDGER_BYTES as usize + 1));
    assert_eq!(LedgerFile::read(&large, go_on).unwrap_err().kind, incrowd_core::ErrorKind::Limit);
    std::fs::write(&ledger, [0xff, 0xfe]).unwrap();
    assert!(LedgerFile::read(&ledger, go_on).unwrap_err().what.contains("UTF-8"));
    assert!(LedgerFile::read(&folder.0, go_on).is_err());
}

/// A program that ends at any step leaves both a release and its line, or neither, for the next program.
#[test]
fn interrupted_programs_leave_both_or_neither() {
    let pending = |ledger: &Path| PathBuf::from(format!("{}.pending", ledger.display()));
    for (step, released) in [(1, false), (2, true), (3, true), (4, true)] {
        let folder = Folder::new();
        let ledger = folder.0.join("l.jsonl");
        let first = add(&ledger, &folder, "a");
        let mut next = record(&ledger, &folder, "b");
        (next.number, next.previous) = (2, first.head.clone());
        let line = next.line().unwrap();
        std::fs::write(pending(&ledger), &line).unwrap();
        folder.file(if step >= 2 { "b" } else { ".incrowd-1-0.tmp" }, "b");
        let before = std::fs::read_to_string(&ledger).unwrap();
        match step {
            3 => std::fs::write(&ledger, before + &line[..40]).unwrap(),
            4 => std::fs::write(&ledger, before + &line + "\n").unwrap(),
            _ => {}
        }
        let read = LedgerFile::read(&ledger, go_on).unwrap();
        assert_eq!(read.records.len(), 1 + usize::from(released), "step {step}");
        assert!(!pending(&ledger).exists(), "step {step}");
        assert_eq!(LedgerFile::read(&ledger, go_on).unwrap(), read, "step {step}");
        assert_eq!(add(&ledger, &folder, "c").records.len(), 2 + usize::from(released), "step {step}");
    }
}

#[test]
fn what_an_interruption_leaves_open_is_an_error() {
    let folder = Folder::new();
    let ledger = folder.0.join("l.jsonl");
    let first = add(&ledger, &folder, "a");
    let mut next = record(&ledger, &folder, "b.json");
    (next.number, next.previous) = (2, first.head);
    next.table = Some(RecordedFile { file: "b.csv".to_owned(), sha256: digest_of_line("b.csv") });
    let pending = folder.file("l.jsonl.pending", &next.line().unwrap());
    let release = folder.file("b.json", "b.json");
    let error = LedgerFile::read(&ledger, go_on).unwrap_err();
    assert!(error.what.contains("left `b.json` without `b.csv`"), "{error}");
    // A file that was moved may have been given away.
    std::fs::remove_file(release).unwrap();
    for _ in 0..2 {
        let error = LedgerFile::read(&ledger, go_on).unwrap_err();
        assert!(error.what.contains("record `b.json` as release 2") && pending.exists(), "{error}");
        assert!(error.help.unwrap().contains("l.jsonl.pending"));
    }
    std::fs::remove_file(&pending).unwrap();
    assert_eq!(LedgerFile::read(&ledger, go_on).unwrap().records.len(), 1);
    std::fs::write(&pending, "{").unwrap();
    let error = LedgerFile::read(&ledger, go_on).unwrap_err();
    assert_eq!(error.place.file.as_deref(), Some(pending.as_path()));
    std::fs::remove_file(pending).unwrap();
    // A line that no program was about to add.
    let text = std::fs::read_to_string(&ledger).unwrap();
    std::fs::write(&ledger, text + "{\"format\"").unwrap();
    assert!(LedgerFile::read(&ledger, go_on).unwrap_err().what.contains("not complete"));
}

/// A release that gets no name gets no line.
#[test]
fn a_failed_release_is_not_recorded() {
    let folder = Folder::new();
    let ledger = folder.0.join("l.jsonl");
    let open = LedgerFile::open(&ledger, go_on).unwrap();
    let failed = open.add(record(&ledger, &folder, "a"), || Err(Error::io("full")));
    assert_eq!(failed.unwrap_err().what, "full");
    assert_eq!(LedgerFile::read(&ledger, go_on).unwrap(), Ledger::default());
    assert_eq!(std::fs::read_dir(&folder.0).unwrap().count(), 2, "the ledger and the data");
}

#[test]
fn programs_at_once_lose_no_line() {
    let folder = Folder::new();
    let ledger = folder.0.join("l.jsonl");
    std::thread::scope(|scope| {
        for thread in 0..8 {
            let (ledger, folder) = (&ledger, &folder);
            scope.spawn(move || (0..10).for_each(|n| _ = add(ledger, folder, &format!("r{thread}-{n}"))));
        }
    });
    assert_eq!(LedgerFile::read(&ledger, go_on).unwrap().records.len(), 80);
}

/// Waiting for another program can be stopped.
#[test]
fn waiting_can_be_stopped() {
    let folder = Folder::new();
    let ledger = folder.0.join("l.jsonl");
    let held = LedgerFile::open(&ledger, go_on).unwrap();
    let stopped = LedgerFile::open(&ledger, || Err(Error::cancelled()));
    assert_eq!(stopped.unwrap_err().kind, incrowd_core::ErrorKind::Cancelled);
    drop(held);
    assert!(LedgerFile::open(&ledger, || Err(Error::cancelled())).is_ok());
}

#[test]
fn files_are_recorded_by_their_way_from_the_ledger() {
    let folder = Folder::new();
    std::fs::create_dir_all(folder.0.join("a/b")).unwrap();
    std::fs::create_dir_all(folder.0.join("c")).unwrap();
    let ledger = folder.0.join("a/l.jsonl");
    for (file, expected) in [("a/r", "r"), ("a/b/r", "b/r"), ("c/r", "../c/r"), ("a/../c/r", "../c/r")] {
        let path = folder.file(file, "r");
        let recorded = RecordedFile::of(&ledger, &path).unwrap();
        assert_eq!(recorded.file, expected);
        assert!(recorded.is_at(&recorded.path(&ledger)).unwrap());
    }
    assert!(RecordedFile::new(&ledger, &folder.0.join("none/r"), String::new()).is_err());
}
