use super::*;

/// A valid dossier with these files.
fn text(files: &str) -> String {
    format!(
        "{{\"format\": \"incrowd-dossier\", \"version\": 1, \"form\": \"owner\", \"holds\": true, \"date\": \"2026-01-02\", \
         \"files\": [{files}], \"program\": \"incrowd\", \"statement\": {{}}, \"release\": {{}}, \"guarantee\": []}}"
    )
}

fn file(role: &str, name: &str) -> String {
    let digest = "0123456789abcdef".repeat(4);
    format!("{{\"role\": {role:?}, \"name\": {name:?}, \"bytes\": 3, \"sha256\": {digest:?}}}")
}

fn refused(text: &str) -> String {
    parse_dossier(text.as_bytes()).expect_err("it is refused").to_string()
}

#[test]
fn a_dossier_is_read() {
    let files = format!("{}, {}", file("release", "tree.json"), file("policy", "policy.toml"));
    let read = parse_dossier(text(&files).as_bytes()).expect("a dossier");
    assert_eq!((read.form, read.holds, read.date.as_str()), (DossierForm::Owner, true, "2026-01-02"));
    assert_eq!(read.files.iter().map(|file| file.role.name()).collect::<Vec<_>>(), ["release", "policy"]);
    let marked = format!("\u{feff}{}", text(&files));
    assert!(parse_dossier(marked.as_bytes()).is_ok());
}

#[test]
fn what_is_not_a_dossier_is_refused() {
    let release = file("release", "tree.json");
    for (wrong, why) in [
        ("[]".to_owned(), "not a report"),
        ("\u{1}".to_owned(), "not a report"),
        (String::new(), "not a report"),
        (text(&release).replace("incrowd-dossier", "incrowd-release"), "not a report"),
        (text(&release).replace("\"version\": 1", "\"version\": 2"), "version of the report format"),
        (text(&release).replace("\"version\": 1", "\"version\": [1]"), "version of the report format"),
        (text(&release).replace("\"holds\"", "\"holdz\""), "unknown key `holdz`"),
        (text(&release).replace("\"holds\": true,", "\"holds\": true, \"holds\": true,"), "duplicate key"),
        (
            text(&release).replace("\"holds\": true", "\"holds\": 1"),
            "found a whole number, expected a boolean",
        ),
        (text(&release).replace("2026-01-02", "<script>"), "\"date\""),
        (text(&release).replace("owner", "secret"), "unknown word"),
        (text("").clone(), "no released file"),
        (text(&file("policy", "policy.toml")), "no released file"),
        (text(&format!("{release}, {release}")), "two files as release"),
        (text(&file("release", "../tree.json")), "plain name"),
        (text(&file("release", "a/b")), "plain name"),
        (text(&file("release", "")), "plain name"),
        (text(&file("poem", "tree.json")), "unknown word"),
        (text(&release).replace("0123", "0g23"), "SHA-256"),
        (text(&release).replace("abcdef\"}", "abcde\"}"), "SHA-256"),
        (text(&release).trim_end_matches('}').to_owned(), "ends too early"),
    ] {
        let said = refused(&wrong);
        assert!(said.contains(why), "{why}: {said}");
    }
}

#[test]
fn hostile_sizes_are_refused() {
    let deep =
        format!("{{\"format\": \"incrowd-dossier\", \"version\": 1, \"policy\": {}", "[".repeat(100_000));
    assert!(parse_dossier(deep.as_bytes()).is_err());
    // What is skipped is bounded as well.
    let nested = |depth: usize| {
        let lists = format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        text(&file("release", "t")).replace("{}", &lists)
    };
    assert!(parse_dossier(nested(MAX_DEPTH - 1).as_bytes()).is_ok());
    assert!(refused(&nested(MAX_DEPTH)).contains("nested more than 127 deep"));
    let quoted = text(&file("release", "t")).replace("{}", &format!("\"\\\"{}\"", "[".repeat(1000)));
    assert!(parse_dossier(quoted.as_bytes()).is_ok());
    let long = text(&file("release", "t")).replace("{}", &format!("{:?}", "x".repeat(17 << 20)));
    assert!(refused(&long).contains("16 MiB"));
    let many = text(&vec![file("taxonomy", "t"); MAX_FILES + 1].join(","));
    assert!(refused(&many).contains("more than 32768 files"));
    assert!(parse_dossier(&[0xff, 0xfe, 0]).is_err());
}
