//! Styles of lines: colour, dash and marker.

/// Okabe and Ito's colours, the most distinct first, darkened so that text in them is readable on white: sky blue
/// became violet, yellow brown, and black grey. The page's style sheet has the same colours, and others for a dark
/// page.
pub(super) const COLOURS: [&str; 8] =
    ["#0072b2", "#c65300", "#00805d", "#b0508a", "#9a6a00", "#6a51a3", "#7f6000", "#4d4d4d"];

/// The dashes; the first is a solid line.
const DASHES: [&str; COLOURS.len()] = ["", "7 3", "2 3", "9 3 2 3", "5 2", "1 3", "12 3", "4 4"];

/// The colour of a style: a CSS variable of the page, with a default for white paper.
pub(super) fn colour(style: usize) -> String {
    let style = style % COLOURS.len();
    format!("var(--c{style},{})", COLOURS[style])
}

/// The dash and marker of a style. After the last colour, the colours repeat with others.
fn shape(style: usize) -> usize {
    (style + style / COLOURS.len()) % COLOURS.len()
}

/// The SVG attribute for the dashes of a style, if it has any.
pub(super) fn dashed(style: usize) -> String {
    match DASHES[shape(style)] {
        "" => String::new(),
        dash => format!(" stroke-dasharray=\"{dash}\""),
    }
}

/// A marker centred on a point.
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

/// A short line with its marker, to be placed next to a name in a text.
pub(crate) fn swatch(style: usize) -> String {
    format!(
        "<svg class=\"swatch\" width=\"26\" height=\"12\" viewBox=\"0 0 26 12\" aria-hidden=\"true\"><path d=\"M0 6H26\" stroke=\"{}\" \
         stroke-width=\"2\"{}/>{}</svg>",
        colour(style),
        dashed(style),
        marker(style, 13.0, 6.0)
    )
}
