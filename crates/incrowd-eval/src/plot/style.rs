//! What tells lines apart: colour, dash and marker.

/// Okabe and Ito's colours, the ones that stand out most first, darkened until text in them is read easily on white; their sky blue became violet, their yellow
/// brown and their black grey. The page's style has the same, and others for a dark page.
pub(super) const COLOURS: [&str; 8] =
    ["#0072b2", "#c65300", "#00805d", "#b0508a", "#9a6a00", "#6a51a3", "#7f6000", "#4d4d4d"];

/// The dashes that go with them; the first is a whole line.
const DASHES: [&str; COLOURS.len()] = ["", "7 3", "2 3", "9 3 2 3", "5 2", "1 3", "12 3", "4 4"];

/// The colour of a style: a variable of the page, or a colour for white paper.
pub(super) fn colour(style: usize) -> String {
    let style = style % COLOURS.len();
    format!("var(--c{style},{})", COLOURS[style])
}

/// Which dash and marker go with a style: after the last colour the first comes again with others.
fn shape(style: usize) -> usize {
    (style + style / COLOURS.len()) % COLOURS.len()
}

/// The attribute that dashes a line, if its style has dashes.
pub(super) fn dashed(style: usize) -> String {
    match DASHES[shape(style)] {
        "" => String::new(),
        dash => format!(" stroke-dasharray=\"{dash}\""),
    }
}

/// A marker around a point.
pub(super) fn marker(style: usize, x: f64, y: f64) -> String {
    const R: f64 = 3.6;
    let colour = colour(style);
    let filled = |points: &[(f64, f64)]| {
        let points: Vec<String> =
            points.iter().map(|(dx, dy)| format!("{:.1},{:.1}", x + dx * R, y + dy * R)).collect();
        format!("<polygon points=\"{}\" fill=\"{colour}\"/>", points.join(" "))
    };
    let crossed = |lines: [[f64; 4]; 2]| {
        let path: String = lines
            .iter()
            .map(|[x1, y1, x2, y2]| {
                format!("M{:.1} {:.1}L{:.1} {:.1}", x + x1 * R, y + y1 * R, x + x2 * R, y + y2 * R)
            })
            .collect();
        format!("<path d=\"{path}\" stroke=\"{colour}\" stroke-width=\"2.2\" fill=\"none\"/>")
    };
    match shape(style) {
        0 => format!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{R}\" fill=\"{colour}\"/>"),
        1 => filled(&[(-0.95, -0.95), (0.95, -0.95), (0.95, 0.95), (-0.95, 0.95)]),
        2 => filled(&[(0.0, -1.25), (1.15, 0.9), (-1.15, 0.9)]),
        3 => filled(&[(0.0, -1.35), (1.35, 0.0), (0.0, 1.35), (-1.35, 0.0)]),
        4 => filled(&[(0.0, 1.25), (1.15, -0.9), (-1.15, -0.9)]),
        5 => crossed([[-1.0, -1.0, 1.0, 1.0], [-1.0, 1.0, 1.0, -1.0]]),
        6 => crossed([[-1.25, 0.0, 1.25, 0.0], [0.0, -1.25, 0.0, 1.25]]),
        _ => format!(
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{R}\" fill=\"var(--paper,#fff)\" stroke=\"{colour}\" stroke-width=\"1.8\"/>"
        ),
    }
}

/// A piece of a line with its marker, to stand beside a name in a text.
pub(crate) fn swatch(style: usize) -> String {
    format!(
        "<svg class=\"swatch\" width=\"26\" height=\"12\" viewBox=\"0 0 26 12\" aria-hidden=\"true\"><path d=\"M0 6H26\" stroke=\"{}\" \
         stroke-width=\"2\"{}/>{}</svg>",
        colour(style),
        dashed(style),
        marker(style, 13.0, 6.0)
    )
}
