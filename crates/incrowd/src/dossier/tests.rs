use super::markdown::escape;
use super::today::today_of;

#[test]
fn markdown_marks_are_escaped() {
    for (text, escaped) in [
        ("a_b*c*", "a\\_b\\*c\\*"),
        ("<script>&", "&lt;script&gt;&amp;"),
        ("[link](http://x)", "\\[link\\](http\\://x)"),
        ("1. one", "1\\. one"),
        ("- item", "\\- item"),
        ("in-between", "in-between"),
        ("a|b\nc`d`", "a\\|b c\\`d\\`"),
        ("www.x.org", "www\\.x.org"),
        ("# head", "\\# head"),
        ("3.5", "3.5"),
        ("3.", "3\\."),
    ] {
        assert_eq!(super::markdown::escape(text), escaped);
    }
    assert_eq!(escape("\u{202e}x\u{0}"), "x");
}

#[test]
fn the_day_can_be_stated() {
    assert_eq!(today_of(None, 1_700_000_000).expect("a day").to_string(), "2023-11-14");
    assert_eq!(today_of(Some("0"), 1_700_000_000).expect("a day").to_string(), "1970-01-01");
    for wrong in ["", "-1", "tomorrow", "1e9", "99999999999999999999"] {
        assert!(today_of(Some(wrong), 0).is_err(), "{wrong}");
    }
}
