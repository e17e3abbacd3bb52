//! The audit of several releases together.

use super::{Grid, audit, clean, count, counted};
use crate::console::{BAD, GOOD, paint};
use incrowd::audit::{JointFinding, JointReport};

pub(crate) fn render(report: &JointReport) -> String {
    let mut grid = Grid::new(&["releases", ">k", ">groups", ""]);
    let all = report.releases.iter().chain(&report.pairs);
    all.for_each(|finding| grid.line(line(finding)));
    let broken = report.together.asked.iter().filter(|asked| asked.is_broken_by_spans());
    let together = JointFindingText {
        releases: "all together".to_owned(),
        k: report.together.k,
        spans: report.together.spans,
        broken: broken
            .map(|asked| asked.requirement.clone())
            .chain(report.together.broken_presets())
            .collect(),
        in_breach: report.together.in_breach,
    };
    grid.line(together.line());
    let alone = if report.together.holds && !report.holds {
        paint(BAD, "at least one of the releases breaks the guarantee, though all of them together do not:")
            + "\n"
    } else {
        String::new()
    };
    format!("{}\n{alone}{}", grid.render(), audit::render(&report.together))
}

fn line(finding: &JointFinding) -> [String; 4] {
    JointFindingText {
        releases: clean(&finding.releases.join(" + ")),
        k: finding.k,
        spans: finding.spans,
        broken: finding.broken.clone(),
        in_breach: finding.in_breach,
    }
    .line()
}

struct JointFindingText {
    releases: String,
    k: u64,
    spans: u64,
    broken: Vec<String>,
    in_breach: Option<u64>,
}

impl JointFindingText {
    fn line(self) -> [String; 4] {
        let verdict = if self.broken.is_empty() {
            paint(GOOD, "holds")
        } else {
            // A preset can be broken where no group breaks a requirement.
            let people = match self.in_breach {
                Some(0) => String::new(),
                Some(people) => format!(" for {}", counted(people, "individual")),
                None => " for some individuals".to_owned(),
            };
            paint(BAD, format!("fails: {}{people}", self.broken.join(", ")))
        };
        [self.releases, count(self.k), count(self.spans), verdict]
    }
}
