//! What the papers print.

/// Table 1 of kACTUS-2: the area under accuracy over k, by set and inducer: TDS, TDR, kADET, kACTUS, kACTUS-2.
pub(crate) const AREAS: [(&str, &str, [Option<f64>; 5]); 20] = [
    ("adult", "c45", [Some(76414.025), Some(75472.2), Some(80843.275), Some(81830.7), Some(82663.22)]),
    ("adult", "part", [Some(76401.425), Some(75472.225), None, Some(81849.25), Some(82338.2)]),
    ("adult", "naive-bayes", [Some(75295.975), Some(73071.75), None, Some(82383.8), Some(82755.32)]),
    ("adult", "logistic", [Some(76377.775), Some(76477.2), None, Some(80761.575), Some(81623.65)]),
    ("german", "c45", [Some(6583.175), Some(6621.625), Some(6596.7), Some(6645.725), Some(6646.4)]),
    ("german", "part", [Some(6456.275), Some(6292.65), None, Some(6438.1), Some(6505.225)]),
    ("german", "naive-bayes", [Some(6585.775), Some(6173.25), None, Some(6640.52), Some(6625.95)]),
    ("german", "logistic", [Some(6635.25), Some(6525.025), None, Some(6635.35), Some(6626.425)]),
    ("tic-tac-toe", "c45", [Some(1731.175), Some(1658.75), Some(1771.3), Some(1789.725), Some(1802.35)]),
    ("tic-tac-toe", "part", [Some(1727.925), Some(1628.5), None, Some(1795.325), Some(1791.15)]),
    ("tic-tac-toe", "naive-bayes", [Some(1751.525), Some(1716.075), None, Some(1623.675), Some(1566.675)]),
    ("tic-tac-toe", "logistic", [Some(1738.275), Some(1693.15), None, Some(1481.8), Some(1389.725)]),
    ("glass", "c45", [Some(1292.3), Some(964.475), Some(1350.35), Some(1383.2), Some(1372.225)]),
    ("glass", "part", [Some(1292.3), Some(964.475), None, Some(1400.675), Some(1390.225)]),
    ("glass", "naive-bayes", [Some(1202.8), Some(1289.625), None, Some(1387.525), Some(1463.15)]),
    ("glass", "logistic", [Some(1284.65), Some(965.9), None, Some(1188.9), Some(1242.9)]),
    ("waveform", "c45", [Some(2860.2), Some(1837.65), Some(3113.85), Some(3185.825), Some(3252.475)]),
    ("waveform", "part", [Some(2857.85), Some(2175.825), None, Some(3208.5), Some(3231.75)]),
    ("waveform", "naive-bayes", [Some(2827.9), Some(2064.7), None, Some(2961.075), Some(3054.7)]),
    ("waveform", "logistic", [Some(2859.825), Some(1035.925), None, Some(2038.0), Some(2208.4)]),
];

/// The methods of its columns, as incrowd calls them.
pub(crate) const METHODS: [&str; 5] = ["tds", "tdr", "kadet-c45", "kactus", "kactus2"];

/// A k and four shares.
type OfK = (u64, [f64; 4]);

/// Table 2 of kACTUS-2: the suppressed share by set and k: TDS, TDR, kACTUS, kACTUS-2.
pub(crate) const SUPPRESSED: [(&str, &[OfK]); 5] = [
    (
        "adult",
        &[
            (5, [0.73, 0.71, 0.72, 0.71]),
            (20, [0.63, 0.67, 0.72, 0.72]),
            (50, [0.69, 0.67, 0.73, 0.72]),
            (100, [0.75, 0.73, 0.75, 0.73]),
            (500, [0.83, 0.73, 0.78, 0.75]),
            (1000, [0.76, 0.75, 0.83, 0.76]),
        ],
    ),
    (
        "tic-tac-toe",
        &[
            (5, [0.67, 0.69, 0.62, 0.58]),
            (10, [0.7, 0.72, 0.67, 0.61]),
            (15, [0.7, 0.75, 0.73, 0.64]),
            (20, [0.71, 0.76, 0.74, 0.65]),
            (30, [0.8, 0.78, 0.77, 0.68]),
        ],
    ),
    (
        "glass",
        &[
            (5, [0.66, 0.67, 0.57, 0.51]),
            (10, [0.67, 0.70, 0.61, 0.55]),
            (15, [0.72, 0.71, 0.64, 0.58]),
            (20, [0.75, 0.77, 0.69, 0.62]),
            (30, [0.78, 0.78, 0.75, 0.67]),
        ],
    ),
    (
        "waveform",
        &[
            (5, [0.82, 0.86, 0.82, 0.81]),
            (10, [0.85, 0.88, 0.83, 0.81]),
            (15, [0.85, 0.88, 0.83, 0.82]),
            (20, [0.85, 0.89, 0.84, 0.83]),
            (30, [0.85, 0.89, 0.85, 0.83]),
            (40, [0.85, 0.9, 0.85, 0.84]),
            (50, [0.87, 0.91, 0.86, 0.84]),
        ],
    ),
    (
        "german",
        &[
            (5, [0.31, 0.31, 0.34, 0.34]),
            (10, [0.32, 0.32, 0.36, 0.35]),
            (15, [0.35, 0.33, 0.36, 0.35]),
            (20, [0.36, 0.34, 0.37, 0.35]),
            (30, [0.36, 0.34, 0.37, 0.37]),
            (40, [0.36, 0.34, 0.38, 0.38]),
            (50, [0.36, 0.35, 0.39, 0.39]),
            (80, [0.36, 0.37, 0.42, 0.41]),
            (100, [0.36, 0.38, 0.42, 0.42]),
        ],
    ),
];

/// The accuracy of C4.5 without anonymity, in percent.
pub(crate) const UNPROTECTED: [(&str, f64); 5] =
    [("adult", 85.96), ("german", 71.67), ("tic-tac-toe", 81.20), ("glass", 67.63), ("waveform", 74.78)];

/// Table 6 of the VLDB paper: k, k-Optimal's classification metric, the anonymous tree's.
pub(crate) const CLASSIFICATION_METRIC: [(u64, &str, u64); 4] =
    [(10, "5230–5280", 5198), (25, "5280–5330", 5273), (50, "5350–5410", 5379), (100, "5460", 5439)];

/// The tables of the noise paper by set: accuracy in percent and information loss at k = 2, 4, 6, 8, 10.
pub(crate) const NOISE: [(&str, [f64; 5], [f64; 5]); 3] = [
    ("bank", [90.12, 88.01, 86.87, 84.52, 80.39], [0.249, 0.266, 0.276, 0.296, 0.33]),
    ("adult", [83.20, 83.05, 81.31, 80.66, 77.55], [0.279, 0.280, 0.295, 0.300, 0.327]),
    ("pima", [90.55, 89.23, 90.92, 84.88, 80.33], [0.296, 0.306, 0.293, 0.339, 0.37]),
];
