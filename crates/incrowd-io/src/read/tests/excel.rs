//! Excel workbooks, written by hand.

use super::{read, texts};
use crate::data::archive;
use crate::plan::{MissingRows, ReadPlan};
use incrowd_core::Result;
use proptest::prelude::*;

const TYPES: &str = r#"<?xml version="1.0" encoding="UTF-8"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/></Types>"#;
const ROOT: &str = r#"<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>"#;
const STYLES: &str = r#"<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>"#;
const STRINGS: &str = r#"<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><si><t>Zürich</t></si><si><r><t>Be</t></r><r><t>rn</t></r></si></sst>"#;

/// A workbook with these sheets: names and rows in XML.
fn workbook(sheets: &[(&str, &str)]) -> Vec<u8> {
    let sheet = |(i, (name, _)): (usize, &(&str, &str))| {
        format!("<sheet name=\"{name}\" sheetId=\"{0}\" r:id=\"r{0}\"/>", i + 1)
    };
    let list: String = sheets.iter().enumerate().map(sheet).collect();
    let book = format!(
        r#"<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets>{list}</sheets></workbook>"#
    );
    let base = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
    let relation = |i: usize| {
        format!("<Relationship Id=\"r{i}\" Type=\"{base}/worksheet\" Target=\"worksheets/sheet{i}.xml\"/>")
    };
    let related: String = (1..=sheets.len()).map(relation).collect();
    let rels = format!(
        r#"<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">{related}<Relationship Id="s" Type="{base}/styles" Target="styles.xml"/><Relationship Id="t" Type="{base}/sharedStrings" Target="sharedStrings.xml"/></Relationships>"#
    );
    let content = |rows: &str| {
        format!(
            r#"<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>{rows}</sheetData></worksheet>"#
        )
    };
    let mut members = vec![
        ("[Content_Types].xml".to_owned(), TYPES.to_owned()),
        ("_rels/.rels".to_owned(), ROOT.to_owned()),
        ("xl/workbook.xml".to_owned(), book),
        ("xl/_rels/workbook.xml.rels".to_owned(), rels),
        ("xl/styles.xml".to_owned(), STYLES.to_owned()),
        ("xl/sharedStrings.xml".to_owned(), STRINGS.to_owned()),
    ];
    let sheets = sheets.iter().enumerate();
    members.extend(sheets.map(|(i, (_, rows))| (format!("xl/worksheets/sheet{}.xml", i + 1), content(rows))));
    let members: Vec<(&str, &[u8])> =
        members.iter().map(|(name, text)| (name.as_str(), text.as_bytes())).collect();
    archive(&members)
}

fn text(place: &str, text: &str) -> String {
    format!("<c r=\"{place}\" t=\"inlineStr\"><is><t>{text}</t></is></c>")
}

fn row(number: u32, cells: &str) -> String {
    format!("<row r=\"{number}\">{cells}</row>")
}

/// A table that begins in B3: a header, three rows with a gap, an empty cell, a date, a flag and an error.
fn visits() -> String {
    let names = ["age", "town", "seen", "ok"].iter().zip(["B3", "C3", "D3", "E3"]);
    let header: String = names.map(|(name, place)| text(place, name)).collect();
    [
        row(3, &header),
        row(
            4,
            r#"<c r="B4"><v>34</v></c><c r="C4" t="s"><v>0</v></c><c r="D4" s="1"><v>45351</v></c><c r="E4" t="b"><v>1</v></c>"#,
        ),
        row(5, r#"<c r="C5" t="s"><v>1</v></c><c r="D5" s="1"><v>45351.5</v></c><c r="E5" t="b"><v>0</v></c>"#),
        row(9, r#"<c r="B9"><v>41.5</v></c><c r="C9" t="s"><v>1</v></c><c r="D9" s="1"><v>45352</v></c><c r="E9" t="e"><v>#N/A</v></c>"#),
    ]
    .concat()
}

fn plan() -> ReadPlan {
    ReadPlan::default().with_missing_rows(MissingRows::Keep)
}

fn what<T>(read: Result<T>) -> String {
    read.map(|_| ()).unwrap_err().to_string()
}

#[test]
fn a_sheet_is_a_table() {
    for (name, plan) in [("t.xlsx", plan()), ("noname", plan())] {
        let read = read(name, workbook(&[("Visits", &visits())]), &plan).unwrap();
        assert_eq!(texts(&read.table, "age"), ["34", "NA", "41.5"]);
        assert_eq!(texts(&read.table, "town"), ["Zürich", "Bern", "Bern"]);
        assert_eq!(texts(&read.table, "seen"), ["2024-02-29", "2024-02-29T12:00:00", "2024-03-01"]);
        assert_eq!(texts(&read.table, "ok"), ["true", "false", "#N/A"]);
        assert_eq!(read.header, Some(true));
    }
}

/// The same rows as CSV, and as a workbook, are the same table.
#[test]
fn a_sheet_agrees_with_csv() {
    let csv = "age,town,seen,ok\n34,Zürich,2024-02-29,true\n,Bern,2024-02-29T12:00:00,false\n41.5,Bern,2024-03-01,#N/A\n";
    let of_csv = read("t.csv", csv, &plan()).unwrap().table;
    assert_eq!(read("t.xlsx", workbook(&[("Visits", &visits())]), &plan()).unwrap().table, of_csv);
}

#[test]
fn sheets_are_chosen_by_name() {
    let other = row(1, &text("A1", "x")) + &row(2, "<c r=\"A2\"><v>7</v></c>");
    let book = workbook(&[("Visits", &visits()), ("Other", &other)]);
    let error = read("t.xlsx", &book, &plan()).unwrap_err();
    assert_eq!(error.what, "the workbook has 2 sheets: `Visits`, `Other`");
    let chosen = read("t.xlsx", &book, &plan().with_sheet("Other".to_owned())).unwrap();
    assert_eq!(texts(&chosen.table, "x"), ["7"]);
    assert!(what(read("t.xlsx", &book, &plan().with_sheet("None".to_owned()))).contains("no such sheet"));
    let named = plan().with_sheet("Other".to_owned()).with_header(false);
    assert_eq!(texts(&read("t.xlsx", &book, &named).unwrap().table, "column1"), ["x", "7"]);
}

#[test]
fn wrong_sheets_are_errors() {
    let beside = row(1, &text("A1", "x")) + &row(2, "<c r=\"A2\"><v>7</v></c><c r=\"C2\"><v>1</v></c>");
    let error = what(read("t.xlsx", workbook(&[("S", &beside)]), &plan()));
    assert!(error.contains("outside of the table's columns in row 2"), "{error}");
    assert!(what(read("t.xlsx", workbook(&[("S", "")]), &plan())).contains("no rows"));
    let numbers = "<c r=\"A2\"><v>7</v></c>";
    let backwards = row(1, &text("A1", "x")) + &row(3, &numbers.replace("A2", "A3")) + &row(2, numbers);
    assert!(what(read("t.xlsx", workbook(&[("S", &backwards)]), &plan())).contains("damaged"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]
    #[test]
    fn damage_is_an_error_or_harmless(at in any::<prop::sample::Index>(), byte: u8, cut in 0_usize..40) {
        let mut bytes = workbook(&[("Visits", &visits())]);
        let place = at.index(bytes.len());
        bytes[place] = byte;
        let _ = read("t.xlsx", &bytes, &plan());
        bytes.truncate(bytes.len() - cut);
        let _ = read("t.xlsx", &bytes, &plan());
    }
}
