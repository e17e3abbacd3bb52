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
use super::svg::on_white;
use super::words::{count, counted, plain, shortened};
use crate::Result;
use crate::model::Clusters;
use crate::predict::nearest_centroids;
use crate::span::Linking;
use crate::table::Table;
use frame::Frame;
use incrowd_core::svg::{Element, Svg};
use plane::Plane;
use strip::Strip;

/// The maximum number of displayed individuals.
const POINTS: usize = 3000;
/// The maximum number of listed spans.
const SPANS: usize = 12;

const HEAD: f64 = 62.0;
const LEGEND: f64 = 250.0;
const LINE: f64 = 20.0;
/// The colour of secondary text.
const SOFT: &str = "#444444";
/// The attributes of numbers in circles and names of spans.
const NUMBERED: [(&str, &str); 3] = [("text-anchor", "middle"), ("font-weight", "600"), ("font-size", "11")];
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
    let mut svg = Svg::new();
    on_white(&mut svg, (wide, high), 12.0);
    head(&mut svg, picture);
    cells::draw(&mut svg, clusters, &plane, &frame);
    frame.draw(&mut svg, &plane.names);
    for &(row, at) in &people {
        let cluster = nearest.as_ref().map_or(0, |nearest| nearest.cluster_of_row[row]);
        let (x, y) = frame.place(at);
        let point = svg.element("circle").at("cx", x).at("cy", y).set("r", 2);
        paint(point, cluster as usize, 0.55).empty();
    }
    centroids(&mut svg, &centers, &frame);
    if let Some(strip) = strip {
        strip.draw(&mut svg, &frame);
    }
    legend(&mut svg, picture, Frame::right() + 28.0);
    Ok(svg.done())
}

/// Adds the style of a cluster's points: filled, or hollow if the colour is a repetition.
fn paint(element: Element<'_>, cluster: usize, opacity: f64) -> Element<'_> {
    let colour = cycled(cluster);
    if is_hollow(cluster) {
        element.set("fill", "none").set("stroke", colour).set("stroke-opacity", opacity)
    } else {
        element.set("fill", colour).set("fill-opacity", opacity)
    }
}

/// The displayed rows, chosen at equal intervals, and their positions.
fn people(picture: &ClusterPicture<'_>, plane: &Plane) -> Vec<(usize, (f64, f64))> {
    let Some(table) = picture.table else { return Vec::new() };
    let step = table.rows().div_ceil(POINTS).max(1);
    let coordinates = plane::Coordinates::new(picture.clusters, table);
    (0..table.rows()).step_by(step).map(|row| (row, plane.of_scaled(&coordinates.of_row(row)))).collect()
}

fn head(svg: &mut Svg, picture: &ClusterPicture<'_>) {
    let people = picture.individuals.map(|people| format!(", {}", counted(people, "individual")));
    let clusters = counted(picture.clusters.centroids().len() as u64, "cluster");
    let title = format!("{clusters}{}", people.unwrap_or_default());
    let names: Vec<String> = picture.clusters.axes().iter().map(|axis| plain(&axis.name)).collect();
    let heading = svg.element("text").set("x", 24).set("y", 28);
    heading.set("font-size", 15).set("font-weight", 600).text(&title);
    let by = format!("clustered by {}", shortened(&names.join(", "), 54.0));
    svg.element("text").set("x", 24).set("y", 48).set("fill", SOFT).text(&by);
}

/// Centroids, each with its number.
fn centroids(svg: &mut Svg, centers: &[(f64, f64)], frame: &Frame) {
    for (i, &at) in centers.iter().enumerate() {
        let (x, y) = frame.place(at);
        let dashes: &[(&str, &str)] = if is_hollow(i) { &[("stroke-dasharray", "4 2")] } else { &[] };
        let circle = svg.element("circle").at("cx", x).at("cy", y).set("r", 10).set("fill", "#ffffff");
        circle.set("stroke", cycled(i)).set("stroke-width", 3).all(dashes).empty();
        svg.element("text").at("x", x).at("y", y + 4.0).all(&NUMBERED).text(&(i + 1).to_string());
    }
}

/// Clusters with their populations, and the spans with theirs.
fn legend(svg: &mut Svg, picture: &ClusterPicture<'_>, x: f64) {
    let mut y = HEAD - 6.0;
    let heading = svg.element("text").at("x", x).at("y", y).set("font-size", 10.5);
    heading.set("fill", SOFT).text(NEAREST);
    y += LINE;
    for (i, centroid) in picture.clusters.centroids().iter().enumerate() {
        let rect = svg.element("rect").at("x", x).at("y", y - 9.5);
        paint(rect.set("width", 10).set("height", 10).set("rx", 2), i, 1.0).empty();
        svg.element("text").at("x", x + 17.0).at("y", y).text(&format!("cluster {}", i + 1));
        figure(svg, (x, y), &centroid.population.map(count).unwrap_or_default());
        y += LINE;
    }
    if let (Some(table), Some(linking)) = (picture.table, picture.linking) {
        spans(svg, table, linking, (x, y + LINE / 2.0));
    }
}

fn spans(svg: &mut Svg, table: &Table, linking: &Linking<'_>, (x, mut y): (f64, f64)) {
    svg.element("text").at("x", x).at("y", y).set("font-weight", 600).text("spans");
    for (span, people) in strip::populations(table, linking).into_iter().enumerate().take(SPANS) {
        y += LINE;
        svg.element("text").at("x", x).at("y", y).open();
        svg.element("tspan").set("font-weight", 600).text(&strip::name(span));
        svg.words(&format!(" in {}", shortened(&strip::cells(linking, span), 11.0)));
        svg.close();
        figure(svg, (x, y), &count(people));
    }
    if linking.spans > SPANS {
        let more = format!("and {} more", linking.spans - SPANS);
        svg.element("text").at("x", x).at("y", y + LINE).text(&more);
    }
}

/// A number of individuals at the end of a line of the legend.
fn figure(svg: &mut Svg, (x, y): (f64, f64), people: &str) {
    let figure = svg.element("text").at("x", x + 190.0).at("y", y).set("text-anchor", "end");
    figure.set("fill", SOFT).text(people);
}
