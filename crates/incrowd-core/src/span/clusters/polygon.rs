//! Two private numbers: what half-planes leave of a rectangle, by cutting it corner by corner (Sutherland and Hodgman 1974).

/// A point of the plane.
pub(super) type At = [f64; 2];

/// A convex polygon.
pub(super) struct Polygon(Vec<At>);

impl Polygon {
    /// A rectangle; `None` if it has no end somewhere.
    pub(super) fn rectangle(low: At, high: At) -> Option<Self> {
        let finite = low.iter().chain(&high).all(|end| end.is_finite());
        finite.then(|| Self(vec![low, [high[0], low[1]], high, [low[0], high[1]]]))
    }

    /// The part where `coefficients · b ≤ right`.
    pub(super) fn cut(&mut self, coefficients: &[f64], right: f64) {
        let over = |at: At| coefficients[0] * at[0] + coefficients[1] * at[1] - right;
        let corners = std::mem::take(&mut self.0);
        for (i, &from) in corners.iter().enumerate() {
            let to = corners[(i + 1) % corners.len()];
            let (here, there) = (over(from), over(to));
            if here <= 0.0 {
                self.0.push(from);
            }
            if (here < 0.0 && there > 0.0) || (here > 0.0 && there < 0.0) {
                let share = here / (here - there);
                let between = |axis: usize| from[axis] + share * (to[axis] - from[axis]);
                self.0.push([between(0), between(1)]);
            }
        }
    }

    /// The mean of the corners, which lies inside; `None` if nothing is left.
    pub(super) fn middle(&self) -> Option<At> {
        let mean = |axis: usize| self.0.iter().map(|at| at[axis]).sum::<f64>() / self.0.len() as f64;
        (!self.0.is_empty()).then(|| [mean(0), mean(1)])
    }
}
