//! The page of a report in a browser.

use crate::{Folder, incrowd};
use incrowd_testkit::Browser;
use serde_json::Value;

const PROBE: &str = include_str!("dossier_probe.js");
const DARK: &str = "--blink-settings=preferredColorScheme=0";
const LIGHT: &str = "--blink-settings=preferredColorScheme=1";

/// The reports of the demo's clinic: of its tree, and of an anonymized table with the source.
fn pages(folder: &Folder) -> Vec<String> {
    let clinic = folder.path("clinic");
    assert_eq!(incrowd(&["demo", "--patients", "2000", "--out", &clinic, "--quiet"]).status, 0);
    let file = |name: &str| format!("{clinic}/{name}");
    let (data, policy, anon) = (file("patients.csv"), file("policy.toml"), file("anon.csv"));
    let made =
        incrowd(&["table", "--data", &data, "--policy", &policy, "--out", &anon, "--method", "mondrian"]);
    assert_eq!(made.status, 0, "{}", made.err);
    let page = |release: &str, flags: &[&str]| {
        let out = file("board.html");
        let files = ["report", release, "--data", &data, "--policy", &policy, "--out", &out, "--force"];
        let ran = incrowd(&[&files[..], flags].concat());
        assert!(ran.status < 2, "{}", ran.err);
        std::fs::read_to_string(out).expect("a page")
    };
    vec![
        page(&file("tree.json"), &[]),
        page(&anon, &["--population-size", "90000"]),
        page(&file("tree.json"), &["--k", "999"]),
        page(&file("tree.json"), &["--public"]),
    ]
}

/// What the probe finds in a copy of a page that lets it run.
fn probed(browser: &Browser, page: &str, flags: &[&str]) -> Value {
    let start = page.find("<meta http-equiv=\"Content-Security-Policy\"").expect("the page has a policy");
    let end = start + page[start..].find('\n').expect("the policy has a line of its own");
    let open = format!("{}{}", &page[..start], &page[end..]);
    let opened = browser.open(&open.replace("</body>", &format!("<script>{PROBE}</script></body>")), flags);
    assert!(opened.console.is_empty(), "{:?}", opened.console);
    let from = opened.dom.find("data-probe=\"").expect("the probe has run") + "data-probe=\"".len();
    let found = opened.dom[from..].split('"').next().unwrap_or_default();
    serde_json::from_str(&found.replace("&quot;", "\"").replace("&amp;", "&")).expect("the probe leaves JSON")
}

#[test]
fn a_report_is_readable_light_and_dark_and_narrow() {
    let Some(browser) = Browser::find() else { return };
    let folder = Folder::new();
    for page in pages(&folder) {
        // With the page's own policy, nothing is refused and nothing is loaded.
        assert!(browser.open(&page, &[]).console.is_empty());
        for (flag, dark) in [(LIGHT, false), (DARK, true)] {
            let found = probed(&browser, &page, &[flag]);
            assert_eq!(found["dark"], dark);
            assert_eq!(found["loaded"], serde_json::json!([]));
            assert_eq!(found["twice"], serde_json::json!([]), "an id is there twice");
            assert_eq!(found["broken"], 0, "a link leads nowhere");
            assert_eq!(found["scripts"], 1, "only the probe");
            assert_eq!(found["plots"], found["named"], "a picture has no name");
            assert_eq!(
                found["narrow"],
                serde_json::json!([375, 375]),
                "the page is wider than a narrow screen"
            );
            for (name, contrast) in found["contrasts"].as_object().expect("contrasts") {
                assert!(
                    contrast.as_f64().is_some_and(|contrast| contrast >= 4.5),
                    "{name}: {contrast}, dark: {dark}"
                );
            }
        }
    }
}

#[test]
fn a_report_prints_to_a4() {
    let Some(browser) = Browser::find() else { return };
    let folder = Folder::new();
    let page = &pages(&folder)[0];
    let pdf = browser.print(page, &[LIGHT]);
    assert!(pdf.starts_with(b"%PDF") && pdf.len() > 20_000, "{} bytes", pdf.len());
    let text = String::from_utf8_lossy(&pdf);
    let boxes: Vec<&str> =
        text.split("/MediaBox [").skip(1).filter_map(|rest| rest.split(']').next()).collect();
    assert!(
        boxes.len() >= 3 && boxes.iter().all(|size| size.starts_with("0 0 59") && size.contains(" 84")),
        "{boxes:?}"
    );
}
