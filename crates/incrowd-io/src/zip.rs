//! The directory of a ZIP archive: which members it has and where their packed bytes are.
//!
//! Only the directory and the headers of members are parsed; members are stored or deflated, not encrypted, and under
//! 4 GiB. Whatever the archive claims, nothing is allocated beyond its own directory, whose length is bounded.

use flate2::Crc;
use flate2::read::DeflateDecoder;
use std::fmt;
use std::io::{self, Read, Seek, SeekFrom};

/// The end of the directory, without its comment.
const END: usize = 22;
/// The longest comment.
const COMMENT: usize = 0xffff;
/// The longest directory that is read.
const DIRECTORY: usize = 16 << 20;
/// What a size of 4 GiB or more is written as; the real one is elsewhere.
const LARGE: u32 = u32::MAX;

/// Why an archive cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ZipFault {
    /// It is not an archive, or a damaged one.
    Damaged,
    /// A member is encrypted.
    Encrypted,
    /// A member is packed otherwise than by deflate.
    Compression,
    /// The archive or a member has 4 GiB or more, or the directory too many members.
    TooLarge,
}

impl fmt::Display for ZipFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Damaged => "the ZIP archive is damaged",
            Self::Encrypted => "the ZIP archive is encrypted",
            Self::Compression => "the ZIP archive uses an unsupported compression",
            Self::TooLarge => "the ZIP archive is too large",
        })
    }
}

impl std::error::Error for ZipFault {}

impl From<ZipFault> for io::Error {
    fn from(fault: ZipFault) -> Self {
        Self::new(io::ErrorKind::InvalidData, fault)
    }
}

/// A member of an archive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Member {
    /// Its name as the archive states it, with folders.
    pub(crate) name: String,
    pub(crate) packing: Packing,
}

impl Member {
    /// Whether it is a file that someone packed, and not a folder or what a system adds by itself.
    pub(crate) fn is_file(&self) -> bool {
        let name = self.name.rsplit('/').next().unwrap_or_default();
        let is_of_system = self.name.starts_with("__MACOSX/") || name == ".DS_Store" || name == "Thumbs.db";
        !self.name.ends_with('/') && !is_of_system
    }
}

/// How a member is packed, and where.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Packing {
    method: u16,
    is_encrypted: bool,
    crc: u32,
    packed: u32,
    pub(crate) size: u32,
    header: u32,
}

/// All members of an archive.
///
/// # Errors
/// When it is not an archive, or its directory is damaged; or when reading fails.
pub(crate) fn members(archive: &mut (impl Read + Seek)) -> io::Result<Vec<Member>> {
    let length = archive.seek(SeekFrom::End(0))?;
    let tail = length.min((END + COMMENT) as u64);
    archive.seek(SeekFrom::Start(length - tail))?;
    let mut bytes = Vec::new();
    archive.take(tail).read_to_end(&mut bytes)?;
    let end = end_of_directory(&bytes).ok_or(ZipFault::Damaged)?;
    let field = |at: usize| u32_at(&bytes, end + at).ok_or(ZipFault::Damaged);
    let (size, begin) = (field(12)?, field(16)?);
    if size == LARGE || begin == LARGE || size as usize > DIRECTORY {
        return Err(ZipFault::TooLarge.into());
    }
    archive.seek(SeekFrom::Start(u64::from(begin)))?;
    let mut directory = Vec::new();
    archive.take(u64::from(size)).read_to_end(&mut directory)?;
    let count = u16_at(&bytes, end + 10).ok_or(ZipFault::Damaged)?;
    entries(&directory, count).ok_or_else(|| ZipFault::Damaged.into())
}

fn entries(directory: &[u8], count: u16) -> Option<Vec<Member>> {
    let mut at = 0;
    let mut members = Vec::new();
    for _ in 0..count {
        signed(directory, at, *b"PK\x01\x02")?;
        let [name, extra, comment] =
            [u16_at(directory, at + 28)?, u16_at(directory, at + 30)?, u16_at(directory, at + 32)?]
                .map(usize::from);
        let packing = Packing {
            method: u16_at(directory, at + 10)?,
            is_encrypted: u16_at(directory, at + 8)? & 1 == 1,
            crc: u32_at(directory, at + 16)?,
            packed: u32_at(directory, at + 20)?,
            size: u32_at(directory, at + 24)?,
            header: u32_at(directory, at + 42)?,
        };
        let name_bytes = directory.get(at + 46..at + 46 + name)?;
        members.push(Member { name: String::from_utf8_lossy(name_bytes).into_owned(), packing });
        at += 46 + name + extra + comment;
    }
    Some(members)
}

/// The bytes of a member, unpacked as they are read. Their checksum and their number are checked at the end.
///
/// # Errors
/// When the member cannot be unpacked by this program, or its header is damaged.
pub(crate) fn unpack<R: Read + Seek>(mut archive: R, packing: Packing) -> io::Result<Unpacked<R>> {
    if packing.is_encrypted {
        return Err(ZipFault::Encrypted.into());
    }
    if [packing.packed, packing.size, packing.header].contains(&LARGE) {
        return Err(ZipFault::TooLarge.into());
    }
    archive.seek(SeekFrom::Start(u64::from(packing.header)))?;
    let mut header = Vec::new();
    (&mut archive).take(30).read_to_end(&mut header)?;
    signed(&header, 0, *b"PK\x03\x04").ok_or(ZipFault::Damaged)?;
    let length = |at: usize| u16_at(&header, at).map(u64::from).ok_or(ZipFault::Damaged);
    let begin = u64::from(packing.header) + 30 + length(26)? + length(28)?;
    archive.seek(SeekFrom::Start(begin))?;
    let packed = archive.take(u64::from(packing.packed));
    let content = match packing.method {
        0 => Content::Stored(packed),
        8 => Content::Deflated(Box::new(DeflateDecoder::new(packed))),
        _ => return Err(ZipFault::Compression.into()),
    };
    Ok(Unpacked { content, packing, crc: Crc::new(), count: 0 })
}

/// A member that is being unpacked.
pub(crate) struct Unpacked<R> {
    content: Content<R>,
    packing: Packing,
    crc: Crc,
    count: u64,
}

enum Content<R> {
    Stored(io::Take<R>),
    Deflated(Box<DeflateDecoder<io::Take<R>>>),
}

impl<R: Read> Read for Unpacked<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if into.is_empty() {
            return Ok(0);
        }
        let read = match &mut self.content {
            Content::Stored(bytes) => bytes.read(into),
            Content::Deflated(bytes) => bytes.read(into),
        };
        let count = read.map_err(|error| match error.kind() {
            io::ErrorKind::InvalidInput | io::ErrorKind::InvalidData | io::ErrorKind::UnexpectedEof => {
                ZipFault::Damaged.into()
            }
            _ => error,
        })?;
        self.crc.update(&into[..count]);
        self.count += count as u64;
        let stated = u64::from(self.packing.size);
        let is_whole = self.count == stated && self.crc.sum() == self.packing.crc;
        if self.count > stated || (count == 0 && !is_whole) {
            return Err(ZipFault::Damaged.into());
        }
        Ok(count)
    }
}

fn end_of_directory(tail: &[u8]) -> Option<usize> {
    let last = tail.len().checked_sub(END)?;
    (0..=last).rev().find(|&at| signed(tail, at, *b"PK\x05\x06").is_some())
}

fn signed(bytes: &[u8], at: usize, signature: [u8; 4]) -> Option<()> {
    bytes.get(at..)?.starts_with(&signature).then_some(())
}

fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    bytes.get(at..)?.first_chunk().map(|&two| u16::from_le_bytes(two))
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..)?.first_chunk().map(|&four| u32::from_le_bytes(four))
}
