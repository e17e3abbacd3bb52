use super::*;
use flate2::Compression;
use flate2::write::DeflateEncoder;
use proptest::prelude::*;
use std::io::Write;

/// An archive with these members, every second one deflated.
pub(crate) fn archive(members: &[(&str, &[u8])]) -> Vec<u8> {
    let (mut bytes, mut directory) = (Vec::new(), Vec::new());
    for (number, (name, content)) in members.iter().enumerate() {
        let method = if number % 2 == 1 { 8_u16 } else { 0 };
        let packed = if method == 8 { deflated(content) } else { content.to_vec() };
        let header = bytes.len() as u32;
        let mut common = method.to_le_bytes().to_vec();
        common.extend([0; 4]);
        let mut crc = flate2::Crc::new();
        crc.update(content);
        common.extend(crc.sum().to_le_bytes());
        common.extend((packed.len() as u32).to_le_bytes());
        common.extend((content.len() as u32).to_le_bytes());
        common.extend((name.len() as u16).to_le_bytes());
        common.extend([4, 0]);
        bytes.extend(b"PK\x03\x04\x14\0\0\0");
        bytes.extend(&common);
        bytes.extend([name.as_bytes(), b"xy\0\0", &packed].concat());
        directory.extend(b"PK\x01\x02\x14\0\x14\0\0\0");
        directory.extend(&common);
        directory.extend([2, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
        directory.extend(header.to_le_bytes());
        directory.extend([name.as_bytes(), b"ab\0\0", b"no"].concat());
    }
    let begin = bytes.len() as u32;
    bytes.extend(&directory);
    bytes.extend(b"PK\x05\x06\0\0\0\0");
    let count = (members.len() as u16).to_le_bytes();
    bytes.extend([count, count].concat());
    bytes.extend((directory.len() as u32).to_le_bytes());
    bytes.extend(begin.to_le_bytes());
    bytes.extend(b"\x05\0hello");
    bytes
}

fn deflated(content: &[u8]) -> Vec<u8> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(content).unwrap();
    encoder.finish().unwrap()
}

#[test]
fn members_are_found_stored_or_deflated() {
    let long = b"again and again ".repeat(100);
    let archive = archive(&[("a", b"stored"), ("folder/b", &long), ("empty", b"")]);
    assert_eq!(member(&archive, "a", 6).unwrap(), b"stored");
    assert_eq!(member(&archive, "folder/b", 1600).unwrap(), long);
    assert_eq!(member(&archive, "empty", 0).unwrap(), b"");
    assert!(member(&archive, "b", 10).unwrap_err().contains("no b"));
}

/// A bomb is given up at the limit.
#[test]
fn no_member_is_larger_than_allowed() {
    let archive = archive(&[("a", b"x"), ("zeros", &vec![0; 1 << 20])]);
    assert!(archive.len() < 1 << 14);
    assert!(member(&archive, "zeros", (1 << 20) - 1).unwrap_err().contains("larger"));
    assert_eq!(member(&archive, "zeros", 1 << 20).unwrap().len(), 1 << 20);
}

proptest! {
    #[test]
    fn damage_is_an_error_or_harmless(at in 0_usize..400, byte: u8, cut in 0_usize..400) {
        let mut archive = archive(&[("a", b"stored"), ("b", b"deflated deflated deflated")]);
        let at = at % archive.len();
        archive[at] = byte;
        archive.truncate(archive.len().max(cut) - cut);
        for name in ["a", "b"] {
            let _either = member(&archive, name, 100);
        }
    }

    #[test]
    fn any_bytes_do(bytes: Vec<u8>) {
        let mut bytes = bytes;
        prop_assert!(member(&bytes, "a", 10).is_err());
        bytes.extend(b"PK\x05\x06\0\0\0\0\x01\0\x01\0\0\0\0\0\0\0\0\0\0\0");
        prop_assert!(member(&bytes, "a", 10).is_err());
    }
}
