//! The catalogue.
//!
//! A set is included only if its publisher offers the pinned file and incrowd can read it. Left out for that reason:
//! Pima diabetes (UCI has removed it), Waveform (published as a `.Z` whose content is not pinned anywhere;
//! `samples::waveform` generates it) and Default of credit card clients (published as an Excel file).

use super::{DataFile, DataSet, DownloadSource};

#[cfg(test)]
mod tests;

/// All data sets, by name.
pub fn sets() -> &'static [DataSet] {
    &SETS
}

const CC_BY: &str = "CC BY 4.0 (https://creativecommons.org/licenses/by/4.0/)";

/// A file at an address.
const fn at(address: &'static str) -> DownloadSource {
    DownloadSource { address, members: &[] }
}

/// A file in a ZIP archive at an address.
const fn within(address: &'static str, members: &'static [&'static str]) -> DownloadSource {
    DownloadSource { address, members }
}

const ADULT_ZIP: &str = "https://archive.ics.uci.edu/static/public/2/adult.zip";

static SETS: [DataSet; 7] = [
    DataSet {
        name: "adult",
        title: "individuals of the 1994 census; who earns over 50,000 dollars",
        rows: 48_842,
        files: &[
            DataFile {
                name: "adult.data",
                bytes: 3_974_305,
                sha256: "5b00264637dbfec36bdeaab5676b0b309ff9eb788d63554ca0a249491c86603d",
                sources: &[
                    at("https://archive.ics.uci.edu/ml/machine-learning-databases/adult/adult.data"),
                    within(ADULT_ZIP, &["adult.data"]),
                ],
            },
            DataFile {
                name: "adult.test",
                bytes: 2_003_153,
                sha256: "a2a9044bc167a35b2361efbabec64e89d69ce82d9790d2980119aac5fd7e9c05",
                sources: &[
                    at("https://archive.ics.uci.edu/ml/machine-learning-databases/adult/adult.test"),
                    within(ADULT_ZIP, &["adult.test"]),
                ],
            },
        ],
        policy: include_str!("policies/adult.toml"),
        licence: CC_BY,
        citation: "Becker, B. and Kohavi, R. (1996). Adult [Dataset]. UCI Machine Learning Repository. https://doi.org/10.24432/C5XW20",
    },
    DataSet {
        name: "bank",
        title: "a bank's calls; who subscribes to a term deposit",
        rows: 45_211,
        files: &[DataFile {
            name: "bank-full.csv",
            bytes: 4_610_348,
            sha256: "d1513ec63b385506f7cfce9f2c5caa9fe99e7ba4e8c3fa264b3aaf0f849ed32d",
            sources: &[
                within(
                    "https://archive.ics.uci.edu/ml/machine-learning-databases/00222/bank.zip",
                    &["bank-full.csv"],
                ),
                within(
                    "https://archive.ics.uci.edu/static/public/222/bank+marketing.zip",
                    &["bank.zip", "bank-full.csv"],
                ),
            ],
        }],
        policy: include_str!("policies/bank.toml"),
        licence: CC_BY,
        citation: "Moro, S., Rita, P. and Cortez, P. (2014). Bank Marketing [Dataset]. UCI Machine Learning Repository. https://doi.org/10.24432/C5K306",
    },
    DataSet {
        name: "german-credit",
        title: "a bank's customers; good and bad risks",
        rows: 1_000,
        files: &[DataFile {
            name: "german.data",
            bytes: 79_793,
            sha256: "b21f3d81db8071257d5ff1deaeba1fd4303b62712e6fcc9715c7a86202cb5871",
            sources: &[
                at("https://archive.ics.uci.edu/ml/machine-learning-databases/statlog/german/german.data"),
                within(
                    "https://archive.ics.uci.edu/static/public/144/statlog+german+credit+data.zip",
                    &["german.data"],
                ),
            ],
        }],
        policy: include_str!("policies/german-credit.toml"),
        licence: CC_BY,
        citation: "Hofmann, H. (1994). Statlog (German Credit Data) [Dataset]. UCI Machine Learning Repository. https://doi.org/10.24432/C5NC77",
    },
    DataSet {
        name: "glass",
        title: "pieces of glass; what they come from",
        rows: 214,
        files: &[DataFile {
            name: "glass.data",
            bytes: 11_903,
            sha256: "dd67373f4baf2807345df02cbfef2093d342e61ad0d82a4fb79af43ef8ce449d",
            sources: &[
                at("https://archive.ics.uci.edu/ml/machine-learning-databases/glass/glass.data"),
                within(
                    "https://archive.ics.uci.edu/static/public/42/glass+identification.zip",
                    &["glass.data"],
                ),
            ],
        }],
        policy: include_str!("policies/glass.toml"),
        licence: CC_BY,
        citation: "German, B. (1987). Glass Identification [Dataset]. UCI Machine Learning Repository. https://doi.org/10.24432/C5WW2P",
    },
    DataSet {
        name: "groceries",
        title: "a month of a grocer's baskets, for rules",
        rows: 9_835,
        files: &[DataFile {
            name: "groceries.csv",
            bytes: 500_843,
            sha256: "ff1be892fd6b9b57d1a7bc50de067798963dda607619645988b21789bf23ae3b",
            sources: &[at(
                "https://raw.githubusercontent.com/stedy/Machine-Learning-with-R-datasets/9a8371e95098f3048c5540646b9fb96c7571b110/groceries.csv",
            )],
        }],
        policy: include_str!("policies/groceries.toml"),
        licence: "GPL-3 (data set Groceries of the R package arules, here as text)",
        citation: "Hahsler, M., Hornik, K. and Reutterer, T. (2006). Implications of Probabilistic Data Modeling for Mining Association Rules. In: From Data and Information Analysis to Knowledge Engineering, Springer, 598-605",
    },
    DataSet {
        name: "mushroom",
        title: "mushrooms; edible and poisonous",
        rows: 8_124,
        files: &[DataFile {
            name: "agaricus-lepiota.data",
            bytes: 373_704,
            sha256: "e65d082030501a3ebcbcd7c9f7c71aa9d28fdfff463bf4cf4716a3fe13ac360e",
            sources: &[
                at(
                    "https://archive.ics.uci.edu/ml/machine-learning-databases/mushroom/agaricus-lepiota.data",
                ),
                within(
                    "https://archive.ics.uci.edu/static/public/73/mushroom.zip",
                    &["agaricus-lepiota.data"],
                ),
            ],
        }],
        policy: include_str!("policies/mushroom.toml"),
        licence: CC_BY,
        citation: "Mushroom [Dataset] (1981). UCI Machine Learning Repository. https://doi.org/10.24432/C5959T",
    },
    DataSet {
        name: "tic-tac-toe",
        title: "all final boards of the game; whether x has won",
        rows: 958,
        files: &[DataFile {
            name: "tic-tac-toe.data",
            bytes: 25_866,
            sha256: "a996a756484d0cf8cbad1680d823aadbfcff8ae2d78c450e6999362d580301c5",
            sources: &[
                at("https://archive.ics.uci.edu/ml/machine-learning-databases/tic-tac-toe/tic-tac-toe.data"),
                within(
                    "https://archive.ics.uci.edu/static/public/101/tic+tac+toe+endgame.zip",
                    &["tic-tac-toe.data"],
                ),
            ],
        }],
        policy: include_str!("policies/tic-tac-toe.toml"),
        licence: CC_BY,
        citation: "Aha, D. (1991). Tic-Tac-Toe Endgame [Dataset]. UCI Machine Learning Repository. https://doi.org/10.24432/C5688J",
    },
];
