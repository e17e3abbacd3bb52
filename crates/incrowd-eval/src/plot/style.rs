//! Styles of lines: colour, dash and marker.

use incrowd_core::svg::Svg;

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

/// The attribute for the dashes of a style, if it has any.
pub(super) fn dashed(style: usize) -> Option<(&'static str, &'static str)> {
    Some(DASHES[shape(style)]).filter(|dash| !dash.is_empty()).map(|dash| ("stroke-dasharray", dash))
}

/// Draws a marker centred on a point.
pub(super) fn marker(svg: &mut Svg, style: usize, (x, y): (f64, f64)) {
    const R: f64 = 3.6;
    let colour = colour(style);
    let filled = |svg: &mut Svg, points: &[(f64, f64)]| {
        let points: Vec<String> =
            points.iter().map(|(dx, dy)| format!("{:.1},{:.1}", x + dx * R, y + dy * R)).collect();
        svg.element("polygon").set("points", points.join(" ")).set("fill", &colour).empty();
    };
    let crossed = |svg: &mut Svg, lines: [[f64; 4]; 2]| {
        let path: String = lines
            .iter()
            .map(|[x1, y1, x2, y2]| {
                format!("M{:.1} {:.1}L{:.1} {:.1}", x + x1 * R, y + y1 * R, x + x2 * R, y + y2 * R)
            })
            .collect();
        let path = svg.element("path").set("d", path).set("stroke", &colour);
        path.set("stroke-width", 2.2).set("fill", "none").empty();
    };
    let circle = |svg: &mut Svg, more: &[(&str, &str)]| {
        svg.element("circle").at("cx", x).at("cy", y).set("r", R).all(more).empty();
    };
    match shape(style) {
        0 => circle(svg, &[("fill", &colour)]),
        1 => filled(svg, &[(-0.95, -0.95), (0.95, -0.95), (0.95, 0.95), (-0.95, 0.95)]),
        2 => filled(svg, &[(0.0, -1.25), (1.15, 0.9), (-1.15, 0.9)]),
        3 => filled(svg, &[(0.0, -1.35), (1.35, 0.0), (0.0, 1.35), (-1.35, 0.0)]),
        4 => filled(svg, &[(0.0, 1.25), (1.15, -0.9), (-1.15, -0.9)]),
        5 => crossed(svg, [[-1.0, -1.0, 1.0, 1.0], [-1.0, 1.0, 1.0, -1.0]]),
        6 => crossed(svg, [[-1.25, 0.0, 1.25, 0.0], [0.0, -1.25, 0.0, 1.25]]),
        _ => {
            circle(svg, &[("fill", "var(--paper,#fff)"), ("stroke", &colour), ("stroke-width", "1.8")]);
        }
    }
}

/// A short line with its marker, to be placed next to a name in a text.
pub(crate) fn swatch(style: usize) -> String {
    let mut svg = Svg::new();
    let root = svg.element("svg").set("class", "swatch").set("width", 26).set("height", 12);
    root.set("viewBox", "0 0 26 12").set("aria-hidden", "true").open();
    let line = svg.element("path").set("d", "M0 6H26").set("stroke", colour(style));
    line.set("stroke-width", 2).all(dashed(style).as_slice()).empty();
    marker(&mut svg, style, (13.0, 6.0));
    svg.done()
}
