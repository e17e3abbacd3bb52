//! Changes to valid files that keep most of their form, so that the code after a reader's first check is reached.

use incrowd::random::Random;

/// Numbers that readers stumble over.
const NUMBERS: [&str; 20] = [
    "0",
    "-0",
    "1",
    "-1",
    "2",
    "255",
    "65536",
    "4294967295",
    "4294967296",
    "18446744073709551615",
    "9007199254740993",
    "1e308",
    "-1e308",
    "1e999",
    "5e-324",
    "0.30000000000000004",
    "NaN",
    "Infinity",
    "1e-400",
    "99999999999999999999",
];

/// Pieces of text that mean something to some reader.
const PIECES: [&str; 30] = [
    "\"",
    "'",
    "\\",
    ",",
    ";",
    "\n",
    "\r\n",
    "\t",
    "{",
    "}",
    "[",
    "]",
    "[[",
    "<",
    ">",
    "/>",
    "=",
    "?",
    "null",
    "true",
    "\u{feff}",
    "\u{0}",
    "é",
    "%",
    "*",
    "frozenset({'a'})",
    "=> ",
    "\"missing\": \"stop\"",
    "\"otherwise\": 0",
    "2024-02-30",
];

/// A changed copy of one of the seeds.
///
/// # Panics
/// When there are no seeds.
pub fn mutated(seeds: &[Vec<u8>], random: &mut Random) -> Vec<u8> {
    let mut bytes = pick(seeds, random).clone();
    // Few changes mostly: many at once fail at the first check.
    let changes = 1 + random.below(4) * random.below(4);
    for _ in 0..changes {
        change(&mut bytes, seeds, random);
        bytes.truncate(1 << 16);
    }
    bytes
}

fn pick<'a, T>(all: &'a [T], random: &mut Random) -> &'a T {
    &all[random.below(all.len() as u32) as usize]
}

/// A place in some bytes, and a length from there.
fn range(bytes: &[u8], most: u32, random: &mut Random) -> std::ops::Range<usize> {
    let start = random.below(bytes.len() as u32 + 1) as usize;
    start..(start + random.below(most) as usize).min(bytes.len())
}

fn change(bytes: &mut Vec<u8>, seeds: &[Vec<u8>], random: &mut Random) {
    match random.below(10) {
        0 => {
            let place = range(bytes, 1, random).start;
            if let Some(byte) = bytes.get_mut(place) {
                *byte ^= 1 << random.below(8);
            }
        }
        1 => replace_token(bytes, random, |byte| byte.is_ascii_digit() || b"+-.eE".contains(&byte), &NUMBERS),
        2 => replace_token(bytes, random, |byte| byte.is_ascii_alphabetic(), &PIECES),
        3 => {
            let place = range(bytes, 1, random).start;
            bytes.splice(place..place, pick(&PIECES, random).bytes());
        }
        4 => {
            let part = range(bytes, 64, random);
            bytes.drain(part);
        }
        5 => {
            let part = bytes[range(bytes, 200, random)].to_vec();
            let place = range(bytes, 1, random).start;
            bytes.splice(place..place, part);
        }
        6 => repeat_group(bytes, random),
        7 => {
            let other = pick(seeds, random);
            let part = other[range(other, 400, random)].to_vec();
            let place = range(bytes, 200, random);
            bytes.splice(place, part);
        }
        8 => bytes.truncate(range(bytes, 1, random).start),
        _ => exchange_tokens(bytes, random),
    }
}

/// The maximal runs of bytes of a sort.
fn tokens(bytes: &[u8], is_part: impl Fn(u8) -> bool) -> Vec<std::ops::Range<usize>> {
    let mut tokens: Vec<std::ops::Range<usize>> = Vec::new();
    for place in (0..bytes.len()).filter(|&place| is_part(bytes[place])) {
        match tokens.last_mut() {
            Some(last) if last.end == place => last.end += 1,
            _ => tokens.push(place..place + 1),
        }
    }
    tokens
}

fn replace_token(bytes: &mut Vec<u8>, random: &mut Random, is_part: impl Fn(u8) -> bool, by: &[&str]) {
    let tokens = tokens(bytes, is_part);
    if !tokens.is_empty() {
        let token = pick(&tokens, random).clone();
        bytes.splice(token, pick(by, random).bytes());
    }
}

/// Exchanges two words or numbers.
fn exchange_tokens(bytes: &mut Vec<u8>, random: &mut Random) {
    let tokens = tokens(bytes, |byte| byte.is_ascii_alphanumeric() || byte == b'.');
    if tokens.len() < 2 {
        return;
    }
    let (a, b) = (pick(&tokens, random).clone(), pick(&tokens, random).clone());
    let (first, second) = if a.start <= b.start { (a, b) } else { (b, a) };
    if first.end <= second.start {
        let (own, other) = (bytes[first.clone()].to_vec(), bytes[second.clone()].to_vec());
        bytes.splice(second, own);
        bytes.splice(first, other);
    }
}

/// Repeats what is in a pair of brackets, many times.
fn repeat_group(bytes: &mut Vec<u8>, random: &mut Random) {
    let opens: Vec<usize> = (0..bytes.len()).filter(|&place| b"{[<".contains(&bytes[place])).collect();
    if opens.is_empty() {
        return;
    }
    let start = *pick(&opens, random);
    let mut depth = 0_i32;
    let close = bytes[start..].iter().position(|byte| {
        depth += i32::from(b"{[<".contains(byte)) - i32::from(b"}]>".contains(byte));
        depth == 0
    });
    let Some(close) = close else { return };
    let mut group = bytes[start..=start + close].to_vec();
    if bytes[start] != b'<' {
        group.insert(0, b',');
    }
    let group = group.repeat(1 + random.below(30) as usize);
    if bytes.len() + group.len() <= 1 << 16 {
        let end = start + close + 1;
        bytes.splice(end..end, group);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_number_makes_the_same_change() {
        let seeds = vec![b"{\"a\": [1, 2], \"b\": \"text\"}".to_vec(), b"x,y\n1,2\n".to_vec()];
        for row in 0..2000 {
            let once = mutated(&seeds, &mut Random::of(7, row));
            assert_eq!(once, mutated(&seeds, &mut Random::of(7, row)));
            assert!(once.len() <= 1 << 16);
        }
    }

    #[test]
    fn nothing_can_be_changed_in_nothing() {
        (0..200).for_each(|row| assert!(mutated(&[Vec::new()], &mut Random::of(1, row)).len() < 10_000));
    }
}
