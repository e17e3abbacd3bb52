//! No bytes make the readers panic, and the number of threads does not change the result.

use super::{Scratch, gzip, small};
use crate::plan::{Format, MissingRows, ReadPlan};
use crate::read::read_sized;
use incrowd_core::progress::Silent;
use proptest::prelude::*;

/// Reads with several numbers of threads; the outcome must be the same.
fn survives(name: &str, bytes: &[u8], format: Option<Format>, block: usize) {
    let file = Scratch::new(name, bytes);
    for missing_rows in [MissingRows::Refuse, MissingRows::Keep] {
        let plan = ReadPlan { format, missing_rows, missing: vec!["?".into()], ..ReadPlan::default() };
        let one = read_sized(file.path(), &plan, 1, small(block), &Silent);
        let more = read_sized(file.path(), &plan, 3, small(block), &Silent);
        assert_eq!(one, more);
        if let (Some(Format::Csv | Format::Uci | Format::Arff), Ok(one)) = (format, one) {
            let whole = read_sized(file.path(), &plan, 1, small(1 << 16), &Silent).unwrap();
            assert_eq!(one, whole);
        }
    }
}

/// Text made of what matters to a reader.
fn noise() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop::sample::select(vec![
        &b","[..],
        b";",
        b"\t",
        b" ",
        b"\n",
        b"\r\n",
        b"\"",
        b"'",
        b"\\",
        b"|",
        b"%",
        b"{",
        b"}",
        b"?",
        b"1",
        b"2.5",
        b"a",
        b"bc",
        b"\xFF",
        b"\xC3\xA9",
        b"\0",
        b"\xEF\xBB\xBF",
        b"@data",
        b"@attribute a numeric\n",
        b".",
    ]);
    prop::collection::vec(piece, 0..60).prop_map(|pieces| pieces.concat())
}

fn damaged(mut bytes: Vec<u8>, changes: &[(prop::sample::Index, u8)], cut: prop::sample::Index) -> Vec<u8> {
    for (at, byte) in changes {
        let at = at.index(bytes.len());
        bytes[at] = *byte;
    }
    if cut.index(4) == 0 {
        bytes.truncate(cut.index(bytes.len()));
    }
    bytes
}

fn changes() -> impl Strategy<Value = Vec<(prop::sample::Index, u8)>> {
    prop::collection::vec(any::<(prop::sample::Index, u8)>(), 0..6)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]
    #[test]
    fn noisy_text(bytes in noise(), block in 1_usize..40) {
        survives("t.csv", &bytes, Some(Format::Csv), block);
        survives("t.data", &bytes, Some(Format::Uci), block);
        survives("t.arff", &bytes, Some(Format::Arff), block);
        survives("t", &bytes, None, block);
    }

    #[test]
    fn noisy_arff(bytes in noise(), block in 1_usize..40) {
        let head = b"@relation r\n@attribute a numeric\n@attribute b {x,'y z'}\n@data\n1,x\n";
        survives("t.arff", &[&head[..], &bytes].concat(), Some(Format::Arff), block);
    }

    #[test]
    fn random_bytes(bytes in prop::collection::vec(any::<u8>(), 0..200), block in 1_usize..40) {
        survives("t.csv", &bytes, Some(Format::Csv), block);
        survives("t.parquet", &bytes, Some(Format::Parquet), block);
        survives("t.gz", &[&[0x1F, 0x8B][..], &bytes].concat(), None, block);
    }

    #[test]
    fn damaged_gzip(bytes in noise(), changes in changes(), cut: prop::sample::Index) {
        survives("t.csv.gz", &damaged(gzip(&bytes), &changes, cut), None, 16);
    }

    #[test]
    fn damaged_parquet(changes in changes(), cut: prop::sample::Index) {
        survives("t.parquet", &damaged(super::parquet::sample(), &changes, cut), None, 16);
    }
}
