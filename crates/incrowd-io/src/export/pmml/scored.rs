//! Ensembles as PMML 4.4: a `MiningModel` that is a chain of models.
//!
//! 1. If the trees test attributes that cells define, a tree gives the number of the cell.
//! 2. For each score, a model adds up the trees: the base score is a first tree of one node. What a cell has of each
//!    attribute is a `DerivedField`, which looks it up by the number (`MapValues`); names are written as their places,
//!    so that no reader changes them.
//! 3. A `RegressionModel` turns scores into shares (`logit`, `softmax`, or none).
//!
//! A mean is a sum that the last model multiplies. A row for which a test has no branch gets no prediction.

use super::{check, head, nodes, schema};
use crate::predictions::tested_by;
use incrowd_core::model::{
    CellTree, CellValue, Combination, Domain, Ensemble, Link, ModelAttribute, Node, ScoredTree, TieRule, Tree,
};
use incrowd_core::xml::escape;
use incrowd_core::{Error, Result};

pub(in crate::export) fn write(ensemble: &Ensemble) -> Result<String> {
    if ensemble.class().values.len() < 2 {
        return Err(Error::input("a chain of PMML models needs two class values, and the model has one")
            .help("export to another format"));
    }
    let writer = Writer::new(ensemble);
    let sources: Vec<&str> = writer.sources.iter().map(|attribute| attribute.name.as_str()).collect();
    check(&writer.sources, ensemble.class())?;
    check(&ensemble.attributes().iter().collect::<Vec<_>>(), ensemble.class())?;
    let mut text = head(&writer.sources, ensemble.class());
    text += " <MiningModel functionName=\"classification\">\n";
    text += &schema(Some(&ensemble.class().name), sources.iter().copied());
    text += "  <Segmentation multipleModelMethod=\"modelChain\">\n";
    if let Some(cells) = ensemble.cells() {
        text += &writer.cells(cells)?;
    }
    for score in 0..ensemble.outputs() {
        text += &writer.score(score, &sources)?;
    }
    text += &writer.link();
    Ok(text + "  </Segmentation>\n </MiningModel>\n</PMML>\n")
}

struct Writer<'a> {
    ensemble: &'a Ensemble,
    /// The columns that are tested.
    sources: Vec<&'a ModelAttribute>,
    /// All attributes, with places as the names of those that cells define.
    attributes: Vec<ModelAttribute>,
    /// The field of the cell.
    cell: String,
    /// The field of each score.
    scores: Vec<String>,
}

impl<'a> Writer<'a> {
    fn new(ensemble: &'a Ensemble) -> Self {
        let trees: Vec<&Tree> = ensemble.trees().iter().map(ScoredTree::tree).collect();
        let mut tested = tested_by(&trees);
        if let Some(cells) = ensemble.cells() {
            tested.iter_mut().zip(tested_by(&[cells.tree()])).for_each(|(all, own)| *all |= own);
        }
        let sources = ensemble.sources().iter().zip(tested).filter(|(_, tested)| *tested).map(|(own, _)| own);
        let free = |name: String| {
            let is_taken = |name: &str| {
                name == ensemble.class().name || ensemble.attributes().iter().any(|own| own.name == name)
            };
            let mut name = name;
            while is_taken(&name) {
                name.push('_');
            }
            name
        };
        Self {
            ensemble,
            sources: sources.collect(),
            attributes: by_places(ensemble),
            cell: free("number of the cell".to_owned()),
            scores: (0..ensemble.outputs()).map(|score| free(format!("score {}", score + 1))).collect(),
        }
    }

    /// The model that gives the cell.
    fn cells(&self, cells: &CellTree) -> Result<String> {
        let open = |node: u32, predicate: &str, indent: &str| match &cells.tree().nodes()[node as usize] {
            Node::Leaf(leaf) => {
                format!("{indent}<Node id=\"{node}\" score=\"{}\">{predicate}\n", leaf.label)
            }
            Node::Test(_) => format!("{indent}<Node id=\"{node}\">{predicate}\n"),
        };
        let nodes = nodes(cells.tree(), cells.tree().attributes(), 2, open)?;
        Ok(format!(
            "  <Segment id=\"cells\"><True/>\n{}{}{}{nodes}  </TreeModel></Segment>\n",
            tree_model("classification"),
            schema(None, cells.tested()),
            output(&self.cell, "categorical", "string"),
        ))
    }

    /// The model that gives a score.
    fn score(&self, score: usize, sources: &[&str]) -> Result<String> {
        // Without a cell there is no score.
        let (condition, derived) = match self.ensemble.cells() {
            Some(cells) => {
                let cell = escape(&self.cell);
                let derived: Vec<String> =
                    (0..cells.attributes().len()).map(|place| self.derived(cells, place)).collect();
                (
                    format!("<SimplePredicate field=\"{cell}\" operator=\"isNotMissing\"/>"),
                    format!("  <LocalTransformations>\n{}  </LocalTransformations>\n", derived.concat()),
                )
            }
            None => ("<True/>".to_owned(), String::new()),
        };
        let cell = self.ensemble.cells().map(|_| self.cell.as_str());
        let mut text = format!(
            "  <Segment id=\"{}\">{condition}\n  <MiningModel functionName=\"regression\">\n{}{}{derived}  \
             <Segmentation multipleModelMethod=\"sum\" missingPredictionTreatment=\"returnMissing\">\n",
            escape(&self.scores[score]),
            schema(None, sources.iter().copied().chain(cell)),
            output(&self.scores[score], "continuous", "double"),
        );
        let scoring = self.ensemble.scoring();
        if scoring.combination == Combination::Sum {
            text += &format!(
                "  <Segment id=\"base\"><True/>\n{}{}   <Node score=\"{}\"><True/></Node>\n  </TreeModel></Segment>\n",
                tree_model("regression"),
                schema(None, []),
                scoring.base[score],
            );
        }
        for place in 0..self.ensemble.trees().len() {
            text += &self.tree(place, score)?;
        }
        Ok(text + "  </Segmentation>\n  </MiningModel></Segment>\n")
    }

    /// A tree, if it adds to a score.
    fn tree(&self, place: usize, score: usize) -> Result<String> {
        let scored = &self.ensemble.trees()[place];
        let tree = scored.tree();
        let number = match scored.output() {
            Some(output) if output as usize == score => 0,
            Some(_) => return Ok(String::new()),
            None => score,
        };
        let open = |node: u32, predicate: &str, indent: &str| match &tree.nodes()[node as usize] {
            Node::Leaf(_) => {
                format!("{indent}<Node id=\"{node}\" score=\"{}\">{predicate}\n", scored.scores(node)[number])
            }
            Node::Test(_) => format!("{indent}<Node id=\"{node}\">{predicate}\n"),
        };
        let nodes = nodes(tree, &self.attributes, 3, open)?;
        let tested = tree.attributes().iter().zip(tested_by(&[tree])).filter(|(_, tested)| *tested);
        Ok(format!(
            "  <Segment id=\"{}\"><True/>\n{}{}{nodes}  </TreeModel></Segment>\n",
            place + 1,
            tree_model("regression"),
            schema(None, tested.map(|(attribute, _)| attribute.name.as_str())),
        ))
    }

    /// An attribute that cells define.
    fn derived(&self, cells: &CellTree, place: usize) -> String {
        let attribute = &cells.attributes()[place];
        let (optype, kind) = match attribute.domain {
            Domain::Numbers { .. } => ("continuous", "double"),
            Domain::Values(_) => ("categorical", "string"),
        };
        let mut text = format!(
            "   <DerivedField name=\"{}\" optype=\"{optype}\" dataType=\"{kind}\"><MapValues \
             outputColumn=\"value\" dataType=\"{kind}\"><FieldColumnPair field=\"{}\" column=\"cell\"/><InlineTable>\n",
            escape(&attribute.name),
            escape(&self.cell)
        );
        for (cell, values) in cells.values().iter().enumerate() {
            let value = match values[place] {
                CellValue::Name(place) => place.to_string(),
                CellValue::Number(number) => number.to_string(),
            };
            text += &format!("    <row><cell>{cell}</cell><value>{value}</value></row>\n");
        }
        text + "   </InlineTable></MapValues></DerivedField>\n"
    }

    /// The model that turns scores into shares.
    fn link(&self) -> String {
        let scoring = self.ensemble.scoring();
        let normalization = match scoring.link {
            Link::Identity => "none",
            Link::Logistic => "logit",
            Link::Softmax => "softmax",
        };
        let class = self.ensemble.class();
        let mut text = format!(
            "  <Segment id=\"shares\"><True/>\n  <RegressionModel functionName=\"classification\" \
             normalizationMethod=\"{normalization}\">\n{}",
            schema(Some(&class.name), self.scores.iter().map(String::as_str))
        );
        let table = |score: usize, value: &str, sign: f64| {
            let (base, factor) = match scoring.combination {
                Combination::Sum => (0.0, sign),
                Combination::Mean => (sign * scoring.base[score], sign / self.ensemble.trees().len() as f64),
            };
            format!(
                "   <RegressionTable intercept=\"{base}\" targetCategory=\"{}\"><NumericPredictor name=\"{}\" \
                 coefficient=\"{factor}\"/></RegressionTable>\n",
                escape(value),
                escape(&self.scores[score])
            )
        };
        // Of equal shares, readers predict the class value that is listed first.
        let mut tables: Vec<String> = if scoring.link == Link::Logistic {
            let (listed, other, sign) = match scoring.tie {
                TieRule::First => (0, 1, -1.0),
                TieRule::Last => (1, 0, 1.0),
            };
            let other = escape(&class.values[other]);
            vec![
                table(0, &class.values[listed], sign),
                format!("   <RegressionTable intercept=\"0\" targetCategory=\"{other}\"/>\n"),
            ]
        } else {
            let all = class.values.iter().enumerate();
            all.map(|(score, value)| table(score, value, 1.0)).collect()
        };
        if scoring.link != Link::Logistic && scoring.tie == TieRule::Last {
            tables.reverse();
        }
        text += &tables.concat();
        text + "  </RegressionModel></Segment>\n"
    }
}

/// The attributes; those that cells define have the places of their names as values.
fn by_places(ensemble: &Ensemble) -> Vec<ModelAttribute> {
    let mut attributes = ensemble.attributes().to_vec();
    for attribute in attributes.iter_mut().skip(ensemble.sources().len()) {
        if let Domain::Values(names) = &mut attribute.domain {
            *names = (0..names.len()).map(|place| place.to_string()).collect();
        }
    }
    attributes
}

fn tree_model(function: &str) -> String {
    format!(
        "  <TreeModel functionName=\"{function}\" missingValueStrategy=\"none\" \
         noTrueChildStrategy=\"returnNullPrediction\" splitCharacteristic=\"multiSplit\">\n"
    )
}

fn output(name: &str, optype: &str, kind: &str) -> String {
    format!(
        "  <Output><OutputField name=\"{}\" optype=\"{optype}\" dataType=\"{kind}\" \
         feature=\"predictedValue\"/></Output>\n",
        escape(name)
    )
}
