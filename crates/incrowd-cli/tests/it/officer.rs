//! What a privacy officer sees who uses the program for the first time.

use crate::{Folder, incrowd};
use std::fmt::Write;

/// A class that nearly all have in common does not raise the cap of the other private columns.
#[test]
fn a_skewed_class_is_left_out_of_the_first_cap() {
    let mut pupils = "age,sex,diagnosis,promoted\n".to_owned();
    for row in 0..600_u32 {
        let diagnosis = ["none", "asthma", "migraine", "allergy", "none"][(row * 7 % 5) as usize];
        let promoted = if row % 43 == 0 { "no" } else { "yes" };
        let _ = writeln!(pupils, "{},{},{diagnosis},{promoted}", 6 + row % 11, ["f", "m"][(row % 2) as usize]);
    }
    let folder = Folder::new();
    let (data, policy) = (folder.file("pupils.csv", &pupils), folder.path("policy.toml"));
    assert_eq!(incrowd(&["profile", &data, "--out", &policy]).status, 0);
    let text = std::fs::read_to_string(&policy).unwrap();
    assert!(text.contains("class = \"promoted\"\n"), "{text}");
    assert!(text.contains("\nconfidence = 0.7\nof = \"all\"\nexcept = [\"promoted\"]\n"), "{text}");
    assert!(text.contains("in the whole table: diagnosis 40.0 %.\n"), "{text}");
    assert!(text.contains("nearly all individuals have the same value: promoted 97.7 %."), "{text}");
    assert!(text.contains("# `beta` limits how much more frequent a rare value may be"), "{text}");
    let out = folder.path("released.csv");
    let made = incrowd(&["table", "--data", &data, "--policy", &policy, "--method", "mondrian", "--out", &out]);
    assert!(made.out.contains("confidence <= 0.7 of diagnosis hold for all 600"), "{}{}", made.out, made.err);
    // Without another private column, there is nothing whose cap it raises.
    let alone = pupils.replace("diagnosis", "room").replace("asthma", "none");
    let data = folder.file("alone.csv", alone);
    assert_eq!(incrowd(&["profile", &data, "--out", &policy, "--force"]).status, 0);
    let text = std::fs::read_to_string(&policy).unwrap();
    assert!(text.contains("\nconfidence = 0.99\nof = \"all\"\n") && !text.contains("except"), "{text}");
}
