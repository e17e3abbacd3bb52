//! Clusters as self-contained SVG: individuals as points in a plane, the cells of the centroids, and the spans.
//!
//! Clusters of two numbers are drawn directly, with their cells. With more attributes, two are chosen, or the first two
//! principal components of the scaled rows. The cells are then those of the plane through the middle, and individuals
//! off the plane may be in other cells. If the span of every individual follows from the horizontal attribute, a strip
//! below shows the spans.

mod cells;
mod frame;
mod plane;
mod strip;

use super::palette::{cycled, is_hollow};
use super::words::{count, plain, shortened};
use crate::Result;
use crate::model::Clusters;
use crate::predict::nearest_centroids;
use crate::span::Linking;
use crate::table::Table;
use frame::Frame;
use incrowd_core::xml::escape;
use plane::Plane;
use strip::Strip;

/// The maximum number of displayed individuals.
const POINTS: usize = 3000;
/// The maximum number of listed spans.
const SPANS: usize = 12;

const HEAD: f64 = 62.0;
const LEGEND: f64 = 250.0;
const LINE: f64 = 20.0;
/// The heading of the populations.
const NEAREST: &str = "individuals nearest to each centroid";

/// The content of a picture of clusters.
pub struct ClusterPicture<'a> {
    /// The clusters.
    pub clusters: &'a Clusters,
    /// The number of individuals that the release states.
    pub individuals: Option<u64>,
    /// The table whose rows are drawn as points.
    pub table: Option<&'a Table>,
    /// The rows by span.
    pub linking: Option<&'a Linking<'a>>,
    /// The two attributes to draw.
    pub plane: Option<&'a [String]>,
}

/// Returns the clusters as a self-contained picture. With a table it shows individuals, so it is for the table's owner
/// only and not part of a release.
///
/// # Errors
/// When the table does not fit the clusters, or there are no attributes for a plane.
pub fn cluster_svg(picture: &ClusterPicture<'_>) -> Result<String> {
    let clusters = picture.clusters;
    let nearest = picture.table.map(|table| nearest_centroids(table, clusters)).transpose()?;
    let mut plane = Plane::new(picture)?;
    let mut strip = Strip::new(picture, &plane);
    if strip.is_none() && plane.is_flat(clusters) && picture.plane.is_none() {
        plane = plane.turned();
        strip = Strip::new(picture, &plane);
    }
    let people = people(picture, &plane);
    let centers: Vec<(f64, f64)> =
        clusters.centroids().iter().map(|c| plane.of_center(clusters, &c.center)).collect();
    let frame =
        Frame::around(people.iter().map(|&(_, at)| at).chain(centers.iter().copied()), people.is_empty());
    let (wide, high) = (Frame::right() + LEGEND, Frame::bottom() + if strip.is_some() { 96.0 } else { 56.0 });
    let high = high.max(HEAD + LINE * (clusters.centroids().len() + SPANS + 4) as f64 * 0.8);
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{wide:.0}\" height=\"{high:.0}\" viewBox=\"0 0 {wide:.0} {high:.0}\" \
         font-family=\"system-ui, 'Segoe UI', 'DejaVu Sans', Arial, sans-serif\" font-size=\"12\" fill=\"#1a1a1a\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n"
    );
    text += &head(picture);
    text += &cells::svg(clusters, &plane, &frame);
    text += &frame.svg(&plane.names);
    for &(row, at) in &people {
        let cluster = nearest.as_ref().map_or(0, |nearest| nearest.cluster_of_row[row]);
        let (x, y) = frame.place(at);
        text += &format!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"2\" {}/>\n", paint(cluster as usize, 0.55));
    }
    text += &centroids(&centers, &frame);
    text += &strip.as_ref().map_or_else(String::new, |strip| strip.svg(&frame));
    text += &legend(picture, Frame::right() + 28.0);
    Ok(text + "</svg>\n")
}

/// The style of the points of a cluster: filled, or hollow if the colour is a repetition.
fn paint(cluster: usize, opacity: f64) -> String {
    let colour = cycled(cluster);
    if is_hollow(cluster) {
        format!("fill=\"none\" stroke=\"{colour}\" stroke-opacity=\"{opacity}\"")
    } else {
        format!("fill=\"{colour}\" fill-opacity=\"{opacity}\"")
    }
}

/// The displayed rows, chosen at equal intervals, and their positions.
fn people(picture: &ClusterPicture<'_>, plane: &Plane) -> Vec<(usize, (f64, f64))> {
    let Some(table) = picture.table else { return Vec::new() };
    let step = table.rows().div_ceil(POINTS).max(1);
    let coordinates = plane::Coordinates::new(picture.clusters, table);
    (0..table.rows()).step_by(step).map(|row| (row, plane.of_scaled(&coordinates.of_row(row)))).collect()
}

fn head(picture: &ClusterPicture<'_>) -> String {
    let clusters = picture.clusters.centroids();
    let people = picture.individuals.map(|people| format!(", {} individuals", count(people)));
    let people = people.unwrap_or_default();
    let names: Vec<String> = picture.clusters.axes().iter().map(|axis| plain(&axis.name)).collect();
    format!(
        "<text x=\"24\" y=\"28\" font-size=\"15\" font-weight=\"600\">{} clusters{people}</text>\n\
         <text x=\"24\" y=\"48\" fill=\"#444444\">by {}</text>\n",
        clusters.len(),
        escape(&shortened(&names.join(", "), 62.0))
    )
}

/// Centroids, each with its number.
fn centroids(centers: &[(f64, f64)], frame: &Frame) -> String {
    let mut text = String::new();
    for (i, &at) in centers.iter().enumerate() {
        let (x, y) = frame.place(at);
        let dashes = if is_hollow(i) { " stroke-dasharray=\"4 2\"" } else { "" };
        text += &format!(
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"10\" fill=\"#ffffff\" stroke=\"{}\" stroke-width=\"3\"{dashes}/>\
             <text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\" font-weight=\"600\" font-size=\"11\">{}</text>\n",
            cycled(i),
            y + 4.0,
            i + 1
        );
    }
    text
}

/// Clusters with their populations, and the spans with theirs.
fn legend(picture: &ClusterPicture<'_>, x: f64) -> String {
    let mut text = String::new();
    let mut y = HEAD - 6.0;
    text +=
        &format!("<text x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"10.5\" fill=\"#444444\">{NEAREST}</text>\n");
    y += LINE;
    for (i, centroid) in picture.clusters.centroids().iter().enumerate() {
        let people = centroid.population.map(count).unwrap_or_default();
        text += &format!(
            "<rect x=\"{x:.1}\" y=\"{:.1}\" width=\"10\" height=\"10\" rx=\"2\" {}/><text x=\"{:.1}\" y=\"{y:.1}\">cluster {}</text>\
             <text x=\"{:.1}\" y=\"{y:.1}\" text-anchor=\"end\" fill=\"#444444\">{people}</text>\n",
            y - 9.5,
            paint(i, 1.0),
            x + 17.0,
            i + 1,
            x + 190.0
        );
        y += LINE;
    }
    let (Some(table), Some(linking)) = (picture.table, picture.linking) else { return text };
    y += LINE / 2.0;
    text += &format!("<text x=\"{x:.1}\" y=\"{y:.1}\" font-weight=\"600\">spans</text>\n");
    for (span, people) in strip::populations(table, linking).into_iter().enumerate().take(SPANS) {
        y += LINE;
        text += &format!(
            "<text x=\"{x:.1}\" y=\"{y:.1}\"><tspan font-weight=\"600\">{}</tspan> in {}</text>\
             <text x=\"{:.1}\" y=\"{y:.1}\" text-anchor=\"end\" fill=\"#444444\">{}</text>\n",
            strip::name(span),
            shortened(&strip::cells(linking, span), 11.0),
            x + 190.0,
            count(people)
        );
    }
    if linking.spans > SPANS {
        text +=
            &format!("<text x=\"{x:.1}\" y=\"{:.1}\">and {} more</text>\n", y + LINE, linking.spans - SPANS);
    }
    text
}
