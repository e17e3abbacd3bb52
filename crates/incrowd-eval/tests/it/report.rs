//! The report in a browser.

use crate::sample::comparison;
use incrowd_eval::comparison::Comparison;
use incrowd_eval::report::html;
use incrowd_testkit::Browser;
use serde_json::Value;

const PROBE: &str = include_str!("probe.js");
const DARK: &str = "--blink-settings=preferredColorScheme=0";
const LIGHT: &str = "--blink-settings=preferredColorScheme=1";

/// What the probe finds in a copy of a page that lets it run. The page's policy is taken away, so names have to be
/// harmless by themselves.
fn probed(browser: &Browser, page: &str, flags: &[&str]) -> Value {
    let start = page.find("<meta http-equiv=\"Content-Security-Policy\"").expect("the page has a policy");
    let end = start + page[start..].find('\n').expect("the policy has a line of its own");
    let open = format!("{}{}", &page[..start], &page[end..]);
    let copy = open.replace("</body>", &format!("<script>{PROBE}</script></body>"));
    let opened = browser.open(&copy, flags);
    assert!(opened.console.is_empty(), "{:?}", opened.console);
    let from = opened.dom.find("data-probe=\"").expect("the probe has run") + "data-probe=\"".len();
    let found = opened.dom[from..].split('"').next().unwrap_or_default();
    let found = found.replace("&quot;", "\"").replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
    serde_json::from_str(&found).expect("the probe leaves JSON")
}

/// A column as numbers, cells without one left out, and how many these are.
fn numbers(column: &Value) -> (Vec<f64>, usize) {
    let texts = column.as_array().expect("a column").iter().filter_map(Value::as_str);
    let number = |text: &str| text.split(' ').next().unwrap_or_default().replace(',', "").parse::<f64>().ok();
    let found: Vec<Option<f64>> = texts.map(number).collect();
    let last = found.iter().rev().take_while(|number| number.is_none()).count();
    assert_eq!(found.iter().filter(|number| number.is_none()).count(), last, "what has no number comes last");
    (found.into_iter().flatten().collect(), last)
}

/// Whether text has the contrast that WCAG 2 requires.
fn assert_legible(found: &Value) {
    for (name, contrast) in found["contrasts"].as_object().expect("contrasts") {
        assert!(contrast.as_f64().is_some_and(|contrast| contrast >= 4.5), "{name}: {contrast}");
    }
}

#[test]
fn a_report_runs_its_own_script_and_loads_nothing() {
    let Some(browser) = Browser::find() else { return };
    let page = html(&comparison());
    assert!(
        !page.contains("https://") && !page.replace("http://www.w3.org/2000/svg", "").contains("http://")
    );
    let opened = browser.open(&page, &[]);
    assert!(opened.console.is_empty(), "{:?}", opened.console);
    // The policy lets the script run only while its hash is right.
    assert!(opened.dom.contains("<html lang=\"en\" class=\"js\">"), "script.sha256 is not that of script.js");
}

#[test]
fn a_report_is_switched_sorted_and_read() {
    let Some(browser) = Browser::find() else { return };
    let found = probed(&browser, &html(&comparison()), &[LIGHT]);
    assert_eq!(found["first"], serde_json::json!(["accuracy"]));
    assert_eq!(found["switched"], serde_json::json!(["auc"]));
    assert_eq!((&found["upSort"], &found["downSort"]), (&"ascending".into(), &"descending".into()));
    assert!(!numbers(&found["before"]).0.is_sorted());
    assert!(numbers(&found["up"]).0.is_sorted());
    assert!(numbers(&found["down"]).0.is_sorted_by(|one, other| one >= other));
    let (ks, without) = numbers(&found["ks"]);
    assert!(ks.is_sorted() && without == 4, "the four unprotected rows have no k");
    let methods: Vec<&str> =
        found["methods"].as_array().expect("names").iter().filter_map(Value::as_str).collect();
    assert!(methods.is_sorted(), "{methods:?}");
    assert_eq!(found["sorted"], 1);
    assert_eq!(found["said"], "Sorted by k, ascending");
    assert_eq!(found["keyboard"], true);
    assert!(found["plots"].as_u64() > Some(20) && found["plots"] == found["named"], "{found}");
    assert_eq!(found["twice"], serde_json::json!([]));
    assert_eq!(found["broken"], 0);
    assert_eq!(found["loaded"], serde_json::json!([]));
    assert_eq!(found["dark"], false);
    assert_eq!(found["narrow"], serde_json::json!([375, 375]), "the page is wider than a narrow screen");
    assert_legible(&found);
}

#[test]
fn a_report_is_dark_where_the_reader_likes_it_and_prints() {
    let Some(browser) = Browser::find() else { return };
    let page = html(&comparison());
    let found = probed(&browser, &page, &[DARK]);
    assert_eq!(found["dark"], true);
    assert_legible(&found);
    let pdf = browser.print(&page, &[DARK]);
    assert!(pdf.starts_with(b"%PDF") && pdf.len() > 50_000, "{} bytes", pdf.len());
}

/// Names from files that would like to be more than names.
fn hostile() -> Comparison {
    const SCRIPT: &str = "<script>document.documentElement.dataset.owned=1</script>";
    const PICTURE: &str =
        "</svg></title></style><img src=x onerror=\"document.documentElement.dataset.owned=1\">";
    const QUOTES: &str = "\" onmouseover=\"alert(1)\" x='<!--";
    let mut comparison = comparison();
    comparison.about.data = format!("{SCRIPT}{PICTURE}");
    comparison.about.class = format!("{QUOTES}{SCRIPT}");
    let names = [SCRIPT, PICTURE, QUOTES, "\u{0}\u{202e}"].map(str::to_owned);
    comparison.about.public = names.to_vec();
    comparison.about.private = names.to_vec();
    comparison.about.guarantee = names.to_vec();
    comparison.about.protocol = format!("{SCRIPT}{QUOTES}");
    comparison.about.version = format!("{PICTURE}{QUOTES}");
    comparison.notes = names.to_vec();
    let hostile = format!("{SCRIPT}{PICTURE}{QUOTES}");
    let rename = |name: &mut String, from: &str| {
        if name == from {
            name.clone_from(&hostile);
        }
    };
    for series in &mut comparison.series {
        rename(&mut series.method, "mondrian");
        if let Some(inducer) = &mut series.inducer {
            rename(inducer, "part");
        }
    }
    comparison.releases.iter_mut().for_each(|released| rename(&mut released.method, "mondrian"));
    if let Some(chosen) = &mut comparison.chosen {
        chosen.method.clone_from(&hostile);
        chosen.why.clone_from(&hostile);
        chosen.svg = Some(format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"9\" height=\"9\" onload=\"parent.document.documentElement.dataset.owned=1\">{SCRIPT}</svg>{SCRIPT}\""
        ));
    }
    comparison
}

#[test]
fn names_do_nothing_whatever_they_say() {
    let page = html(&hostile());
    assert!(
        !page.contains("<script>document")
            && !page.contains("<img src=x")
            && !page.contains("\" onmouseover")
    );
    let Some(browser) = Browser::find() else { return };
    let found = probed(&browser, &page, &[]);
    assert_eq!(found["owned"], Value::Null);
    assert_eq!(found["handlers"], 0);
    // The picture of the release, the report's script and the probe.
    assert_eq!((&found["images"], &found["scripts"]), (&1.into(), &2.into()));
    assert_eq!(found["narrow"], serde_json::json!([375, 375]));
}
