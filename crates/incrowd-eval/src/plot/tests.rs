use super::axis::Axis;
use super::lines::spread;
use super::style::COLOURS;
use super::*;
use crate::comparison::Sizes;
use proptest::prelude::*;

const HOSTILE: &str = "</title></svg><script>\"&'\u{1}";

fn lines() -> Lines {
    let line = |name: &str, style, numbers: [f64; 3]| Line {
        name: name.to_owned(),
        style,
        points: [5, 50, 500]
            .into_iter()
            .zip(numbers)
            .map(|(k, number)| PlotPoint { k, number, error: Some(0.01) })
            .collect(),
    };
    Lines {
        title: "Accuracy over k: c45".to_owned(),
        measure: "Accuracy".to_owned(),
        unit: AxisUnit::Share,
        from_zero: false,
        reach: Vec::new(),
        ks: vec![5, 50, 500],
        lines: vec![line("kactus2", 0, [0.85, 0.84, 0.80]), line(HOSTILE, 1, [0.83, f64::NAN, 0.799])],
        levels: vec![Baseline { name: "no protection".to_owned(), number: 0.86 }],
    }
}

fn all() -> [String; 4] {
    let sizes = |from, to, individuals| Sizes { from, to, spans: 2, individuals };
    let crowds =
        MethodCrowds { name: HOSTILE.to_owned(), style: 9, sizes: vec![sizes(5, 9, 14), sizes(10, 10, 20)] };
    let nobody = MethodCrowds { name: "nobody".to_owned(), style: 1, sizes: Vec::new() };
    let bar = |name: &str, number| Bar { name: name.to_owned(), style: 0, number };
    let bars = Bars {
        title: HOSTILE.to_owned(),
        unit: AxisUnit::Number,
        suffix: " s".to_owned(),
        bars: vec![bar(HOSTILE, 0.5), bar("none", 0.0)],
    };
    let methods = vec![(HOSTILE.to_owned(), 0, 1.2), ("b".to_owned(), 1, 1.8), ("c".to_owned(), 2, 3.0)];
    [
        lines().svg("a"),
        bars.svg("b"),
        Spread { title: "Crowds".to_owned(), k: 5, rows: vec![crowds, nobody] }.svg("c"),
        Differences { title: "Ranks".to_owned(), methods, difference: 1.0 }.svg("d"),
    ]
}

/// The description of a plot for screen readers.
fn story(svg: &str) -> String {
    let document = roxmltree::Document::parse(svg).expect("the plot is XML");
    let found =
        document.descendants().find(|node| node.has_tag_name("desc") || node.tag_name().name() == "desc");
    found.and_then(|node| node.text()).unwrap_or_default().to_owned()
}

#[test]
fn plots_are_whole_whatever_things_are_called() {
    for svg in all() {
        let document = roxmltree::Document::parse(&svg).expect("the plot is XML");
        assert!(document.descendants().all(|node| node.tag_name().name() != "script"));
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
        let root = document.root_element();
        let ids = root.attribute("aria-labelledby").expect("it is named").split(' ');
        for id in ids {
            assert!(document.descendants().any(|node| node.attribute("id") == Some(id)), "{id}");
        }
    }
    assert_eq!(all(), all());
}

#[test]
fn plots_tell_their_numbers() {
    let [lines, bars, crowds, ranks] = all();
    let told = story(&lines);
    for words in ["no protection: 86.0 %.", "kactus2: 85.0 % at k = 5, 84.0 % at k = 50, 80.0 % at k = 500."]
    {
        assert!(told.contains(words), "{told}");
    }
    assert!(story(&bars).ends_with(": 0.50 s; none: 0 s."), "{}", story(&bars));
    assert!(
        story(&crowds).contains("most individuals, 58.8 %, are in crowds of 10. nobody: no individuals.")
    );
    let told = story(&ranks);
    assert!(
        told.contains("b 1.80, c 3.00")
            && told.contains("No significant difference: ")
            && told.contains(", b.")
    );
    assert!(lines.contains("<title>kactus2, k = 50: 84.0 % ± 1.0 %</title>"));
    assert!(lines.contains(">k (logarithmic)<"));
}

#[test]
fn nothing_to_show_is_no_reason_to_fail() {
    let empty = Lines { lines: Vec::new(), levels: Vec::new(), ks: Vec::new(), ..lines() };
    let one = Lines { ks: vec![5], ..lines() };
    let bars = Bars { title: String::new(), unit: AxisUnit::Share, suffix: String::new(), bars: Vec::new() };
    let crowds = Spread { title: String::new(), k: 0, rows: Vec::new() };
    let ranks = Differences { title: String::new(), methods: Vec::new(), difference: f64::NAN };
    for svg in [empty.svg("a"), one.svg("b"), bars.svg("c"), crowds.svg("d"), ranks.svg("e")] {
        roxmltree::Document::parse(&svg).expect("the plot is XML");
    }
}

#[test]
fn k_is_logarithmic_over_more_than_a_decade() {
    let axis = Axis::of_counts(&[10, 100, 1000]);
    assert!(axis.is_log() && (axis.at(100.0) - 0.5).abs() < 1e-12);
    let axis = Axis::of_counts(&[10, 55, 100]);
    assert!(!axis.is_log() && (axis.at(55.0) - 0.5).abs() < 1e-12);
}

#[test]
fn shares_end_at_a_hundred_percent() {
    let axis = Axis::around([0.2, 1.0].into_iter(), AxisUnit::Share, true);
    let labels: Vec<&str> = axis.ticks.iter().map(|(_, label)| label.as_str()).collect();
    assert_eq!(labels, ["0 %", "25 %", "50 %", "75 %", "100 %"]);
    let axis = Axis::around([0.831, 0.849].into_iter(), AxisUnit::Share, false);
    let labels: Vec<&str> = axis.ticks.iter().map(|(_, label)| label.as_str()).collect();
    assert_eq!(labels, ["83.0 %", "83.5 %", "84.0 %", "84.5 %", "85.0 %"]);
}

#[test]
fn the_page_has_the_colours_of_plots() {
    let style = include_str!("../report/style.css");
    for (i, colour) in COLOURS.iter().enumerate() {
        assert!(style.contains(&format!("--c{i}: {colour};")), "{colour}");
    }
}

proptest! {
    #[test]
    fn axes_hold_their_numbers(numbers in prop::collection::vec(-3.0..900.0_f64, 1..6), zero: bool) {
        let axis = Axis::around(numbers.iter().copied(), AxisUnit::Number, zero);
        prop_assert!((2..=12).contains(&axis.ticks.len()), "{axis:?}");
        prop_assert!(axis.ticks.is_sorted_by(|one, other| one.0 < other.0));
        prop_assert!(axis.ticks.windows(2).all(|pair| pair[0].1 != pair[1].1), "{axis:?}");
        // Nothing is cut off: numbers keep their distances.
        let mut sorted = numbers;
        sorted.sort_by(f64::total_cmp);
        let places: Vec<f64> = sorted.iter().map(|&number| axis.at(number)).collect();
        prop_assert!(places.windows(2).zip(sorted.windows(2)).all(|(at, of)| at[0] < at[1] || of[0] >= of[1]));
    }

    #[test]
    fn labels_do_not_touch(ends in prop::collection::vec(20.0..240.0_f64, 0..12)) {
        let mut places = spread(&ends, 248.0);
        places.sort_by(f64::total_cmp);
        prop_assert!(places.windows(2).all(|pair| pair[1] - pair[0] > 13.9));
        prop_assert!(places.iter().all(|place| *place <= 248.0));
    }
}
