//! Numbers and lists in messages.

/// Formats a number with separated thousands: 30,162.
pub fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Formats a number with a noun: "1 span", "2 spans".
pub fn counted(number: u64, thing: &str) -> String {
    format!("{} {thing}{}", count(number), if number == 1 { "" } else { "s" })
}

/// Formats a number of things between two bounds: "3 spans", "at most 3 spans", "between 2 and 3 spans".
pub fn between(least: u64, most: u64, thing: &str) -> String {
    match least {
        0 if most > 0 => format!("at most {}", counted(most, thing)),
        _ if least < most => format!("between {} and {}", count(least), counted(most, thing)),
        _ => counted(most, thing),
    }
}

/// Formats a number between two bounds for a table: "3", "≤ 3", "2–3".
pub fn bounds(least: u64, most: u64) -> String {
    match least {
        0 if most > 0 => format!("≤ {}", count(most)),
        _ if least < most => format!("{}–{}", count(least), count(most)),
        _ => count(most),
    }
}

/// Lists all names: "a, b, c and d".
pub fn all<S: AsRef<str>>(names: &[S]) -> String {
    let names: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
    match names.as_slice() {
        [others @ .., last] if !others.is_empty() => format!("{} and {last}", others.join(", ")),
        _ => names.concat(),
    }
}

/// Lists alternatives: "a, b or c".
pub fn any<S: AsRef<str>>(names: &[S]) -> String {
    let names: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
    match names.as_slice() {
        [others @ .., last] if !others.is_empty() => format!("{} or {last}", others.join(", ")),
        _ => names.concat(),
    }
}

/// Lists names, of many only the first two: "a, b and 3 more".
pub fn some(names: &[&str]) -> String {
    match names {
        [one] => (*one).to_owned(),
        [rest @ .., last] if names.len() <= 3 => format!("{} and {last}", rest.join(", ")),
        [one, other, rest @ ..] => format!("{one}, {other} and {} more", rest.len()),
        [] => String::new(),
    }
}
