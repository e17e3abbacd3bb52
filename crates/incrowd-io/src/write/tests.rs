use super::*;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// A directory of its own for a test, removed at the end.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("incrowd-write-{}-{name}", std::process::id()));
        let _old = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(&self.0)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _gone = fs::remove_dir_all(&self.0);
    }
}

fn write(path: &Path, force: bool, text: &str) -> Result<()> {
    write_new(path, force, |w| w.write_all(text.as_bytes()))
}

#[test]
fn writes_a_file_and_leaves_nothing_else() {
    let scratch = Scratch::new("plain");
    write(&scratch.file("a.json"), false, "whole").unwrap();
    assert_eq!(fs::read_to_string(scratch.file("a.json")).unwrap(), "whole");
    assert_eq!(scratch.names(), ["a.json"]);
}

#[test]
fn replaces_only_with_force() {
    let scratch = Scratch::new("force");
    let path = scratch.file("a.json");
    write(&path, false, "old").unwrap();
    let error = write(&path, false, "new").unwrap_err();
    assert!(error.to_string().contains("`force`"), "{error}");
    assert_eq!(error.place.file.as_deref(), Some(path.as_path()));
    assert_eq!(fs::read_to_string(&path).unwrap(), "old");
    write(&path, true, "new").unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), "new");
    assert_eq!(scratch.names(), ["a.json"]);
}

#[test]
fn a_file_that_appears_meanwhile_is_not_replaced() {
    let scratch = Scratch::new("race");
    let path = scratch.file("a.json");
    let error = write_new(&path, false, |w| {
        fs::write(&path, "somebody else's")?;
        w.write_all(b"mine")
    })
    .unwrap_err();
    assert!(error.to_string().contains("`force`"), "{error}");
    assert_eq!(fs::read_to_string(&path).unwrap(), "somebody else's");
    assert_eq!(scratch.names(), ["a.json"]);
}

#[test]
fn an_interrupted_writer_leaves_the_old_file() {
    let scratch = Scratch::new("interrupted");
    let path = scratch.file("a.json");
    write(&path, false, "old").unwrap();
    let stop = |w: &mut (dyn Write + Send)| {
        w.write_all(&vec![b'x'; 100_000])?;
        Err(io::Error::other("stopped"))
    };
    let error = write_new(&path, true, stop).unwrap_err();
    assert!(error.to_string().contains("stopped"), "{error}");
    let panicked = catch_unwind(AssertUnwindSafe(|| {
        write_new(&path, true, |w| {
            w.write_all(b"half")?;
            panic!("on purpose")
        })
    }));
    assert!(panicked.is_err());
    assert_eq!(fs::read_to_string(&path).unwrap(), "old");
    assert_eq!(scratch.names(), ["a.json"]);
}

#[test]
fn abandoned_files_are_gone_and_the_old_one_stays() {
    let scratch = Scratch::new("abandoned");
    let path = scratch.file("a.json");
    write(&path, false, "old").unwrap();
    let error = write_new(&path, true, |w| {
        w.write_all(&vec![b'x'; 100_000])?;
        assert_eq!(scratch.names().len(), 2);
        // As from another thread that ends the program: nothing half-written is left at that time.
        abandon(|| assert_eq!(scratch.names(), ["a.json"]));
        Ok(())
    });
    assert!(error.is_err());
    assert_eq!(fs::read_to_string(&path).unwrap(), "old");
    write(&path, true, "new").unwrap();
    assert_eq!(
        (fs::read_to_string(&path).unwrap(), scratch.names()),
        ("new".to_owned(), vec!["a.json".to_owned()])
    );
}

#[test]
fn directories_and_nameless_paths_are_refused() {
    let scratch = Scratch::new("directory");
    fs::create_dir(scratch.file("d")).unwrap();
    for force in [false, true] {
        let error = write(&scratch.file("d"), force, "x").unwrap_err();
        assert!(error.to_string().contains("folder"), "{error}");
        let error = write(&scratch.0.join(".."), force, "x").unwrap_err();
        assert!(error.to_string().contains("not the name of a file"), "{error}");
    }
    assert_eq!(scratch.names(), ["d"]);
}

#[test]
fn a_missing_directory_and_a_file_as_one_are_named() {
    let scratch = Scratch::new("parents");
    let error = write(&scratch.file("none/a.json"), false, "x").unwrap_err();
    assert!(error.to_string().contains("folder to write to does not exist"), "{error}");
    fs::write(scratch.file("f"), "").unwrap();
    let error = write(&scratch.file("f/a.json"), true, "x").unwrap_err();
    assert!(error.to_string().contains("not a folder"), "{error}");
    assert_eq!(scratch.names(), ["f"]);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_named_and_changes_nothing() {
    let scratch = Scratch::new("full");
    let path = scratch.file("a.json");
    write(&path, false, "old").unwrap();
    let Ok(mut full) = OpenOptions::new().write(true).open("/dev/full") else {
        eprintln!("no /dev/full here, not tested");
        return;
    };
    let error = write_new(&path, true, |_| full.write_all(b"x")).unwrap_err();
    assert!(error.to_string().contains("no space left"), "{error}");
    assert_eq!(fs::read_to_string(&path).unwrap(), "old");
    assert_eq!(scratch.names(), ["a.json"]);
}

#[cfg(unix)]
#[test]
fn links_are_replaced_and_not_followed() {
    let scratch = Scratch::new("links");
    let (target, link) = (scratch.file("target"), scratch.file("link"));
    fs::write(&target, "precious").unwrap();
    std::os::unix::fs::symlink(&target, &link).unwrap();
    assert!(write(&link, false, "x").is_err());
    write(&link, true, "new").unwrap();
    assert_eq!(fs::read_to_string(&target).unwrap(), "precious");
    assert!(fs::symlink_metadata(&link).unwrap().is_file());
    assert_eq!(fs::read_to_string(&link).unwrap(), "new");
}

#[cfg(unix)]
#[test]
fn a_dangling_link_counts_as_existing() {
    let scratch = Scratch::new("dangling");
    std::os::unix::fs::symlink(scratch.file("nowhere"), scratch.file("link")).unwrap();
    let error = write(&scratch.file("link"), false, "x").unwrap_err();
    assert!(error.to_string().contains("`force`"), "{error}");
    assert_eq!(scratch.names(), ["link"]);
}

#[cfg(unix)]
#[test]
fn permissions_are_the_usual_ones_or_the_old_file_s() {
    use std::os::unix::fs::PermissionsExt;
    let scratch = Scratch::new("modes");
    let mode = |name: &str| fs::metadata(scratch.file(name)).unwrap().permissions().mode() & 0o777;
    fs::write(scratch.file("usual"), "").unwrap();
    let path = scratch.file("a.json");
    write_new(&path, false, |w| {
        let temporary = scratch.names().into_iter().find(|name| name.starts_with(".incrowd-")).unwrap();
        assert_eq!(mode(&temporary), 0o600);
        w.write_all(b"x")
    })
    .unwrap();
    assert_eq!(mode("a.json"), mode("usual"));
    fs::set_permissions(&path, Permissions::from_mode(0o640)).unwrap();
    write(&path, true, "y").unwrap();
    assert_eq!(mode("a.json"), 0o640);
}

#[cfg(unix)]
#[test]
fn sockets_and_devices_are_never_replaced() {
    let scratch = Scratch::new("socket");
    let path = scratch.file("socket");
    let _socket = std::os::unix::net::UnixListener::bind(&path).unwrap();
    let error = write(&path, true, "x").unwrap_err();
    assert!(error.to_string().contains("not a file"), "{error}");
}

#[test]
fn a_folder_is_made_unless_a_file_is_in_the_way() {
    let scratch = Scratch::new("folder");
    let deep = scratch.file("a").join("b");
    for _ in 0..2 {
        make_folder(&deep).unwrap();
        assert!(deep.is_dir());
    }
    write(&scratch.file("file"), false, "mine").unwrap();
    for path in [scratch.file("file"), scratch.file("file").join("c")] {
        let error = make_folder(&path).unwrap_err();
        assert!(error.help.is_some() && error.place.file == Some(path), "{error}");
    }
    assert_eq!(fs::read_to_string(scratch.file("file")).unwrap(), "mine");
}

/// Two files that belong together: where the second cannot get its name, the first one's place is as it was.
#[test]
fn both_files_get_their_names_or_neither() {
    let scratch = Scratch::new("both");
    let (a, b) = (scratch.file("a"), scratch.file("b"));
    let ready = |path: &Path, text: &str| prepare(path, true, |w| w.write_all(text.as_bytes())).unwrap();
    let lost = |prepared: &Prepared| fs::remove_file(prepared.written()).unwrap();
    let (first, second) = (ready(&a, "new"), ready(&b, "new"));
    lost(&second);
    assert!(publish_both(first, second).is_err());
    assert!(scratch.names().is_empty());
    publish_both(ready(&a, "old"), ready(&b, "old")).unwrap();
    let (first, second) = (ready(&a, "new"), ready(&b, "new"));
    lost(&second);
    assert!(publish_both(first, second).is_err());
    assert_eq!([fs::read(&a).unwrap(), fs::read(&b).unwrap()], [b"old", b"old"]);
    assert_eq!(scratch.names(), ["a", "b"]);
    publish_both(ready(&a, "new"), ready(&b, "new")).unwrap();
    assert_eq!([fs::read(&a).unwrap(), fs::read(&b).unwrap()], [b"new", b"new"]);
}

#[test]
fn digests_are_those_of_others() {
    let scratch = Scratch::new("digest");
    write(&scratch.file("abc"), false, "abc").unwrap();
    let digest = digest_of_file(&scratch.file("abc")).unwrap();
    assert_eq!(digest, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}
