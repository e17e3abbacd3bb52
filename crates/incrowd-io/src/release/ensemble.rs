//! Ensembles of trees in release files.

use super::attributes::{self, at};
use super::object::Object;
use super::raw::{RawClass, RawEnsemble};
use super::scoring::{RawScoredNode, RawScoredTree};
use super::tree::{TestReader, write_test};
use super::{ModelRelease, Release, cells};
use incrowd_core::Result;
use incrowd_core::model::{
    Class, Ensemble, Leaf, LeafContents, Member, Model, ModelAttribute, Node, ScoredTree,
};

pub(super) fn read(mut raw: RawEnsemble) -> Result<Release> {
    let (individuals, origin) = (raw.individuals, raw.take_origin());
    let attributes = attributes::read(raw.attributes)?;
    let Object(RawClass { name, values }) = raw.class;
    let Object(scoring) = raw.scoring;
    let (trees, nodes) = (raw.trees.len(), raw.trees.iter().map(|tree| tree.0.nodes.len()).sum());
    Ensemble::check_size(trees, nodes, scoring.base.len())?;
    let cells = raw.cells.map(|Object(raw)| cells::read(raw, &attributes)).transpose()?;
    let derived = cells.iter().flat_map(|cells| cells.attributes.iter().cloned());
    let tested: Vec<ModelAttribute> = attributes.iter().cloned().chain(derived).collect();
    let mut tests = TestReader::new(&tested);
    let member = |(number, Object(tree)): (usize, Object<RawScoredTree>)| {
        read_tree(&mut tests, tree).map_err(|error| at(format_args!("tree {number}"), error))
    };
    let members = raw.trees.into_iter().enumerate().map(member).collect::<Result<Vec<_>>>()?;
    let class = Class { name, values };
    let model = Model::Ensemble(Ensemble::with_cells(attributes, class, cells, members, scoring.into())?);
    Ok(Release::Model(ModelRelease { model, individuals, origin }))
}

fn read_tree(tests: &mut TestReader<'_>, tree: RawScoredTree) -> Result<Member> {
    let (mut nodes, mut scores) = (Vec::with_capacity(tree.nodes.len()), Vec::new());
    for (number, node) in tree.nodes.into_iter().enumerate() {
        let (node, own) = match node {
            RawScoredNode::Test(Object(test)) => {
                let test = tests.test(test).map_err(|error| at(format_args!("node {number}"), error))?;
                (Node::Test(test), Vec::new())
            }
            RawScoredNode::Scores(scores) => {
                (Node::Leaf(Leaf { label: 0, told: LeafContents::Nothing }), scores)
            }
        };
        nodes.push(node);
        scores.push(own);
    }
    Ok(Member { nodes, output: tree.output, scores })
}

pub(super) fn write(ensemble: &Ensemble, release: &ModelRelease) -> RawEnsemble {
    let Class { name, values } = ensemble.class().clone();
    RawEnsemble::new(
        release.individuals,
        &release.origin,
        Object(RawClass { name, values }),
        attributes::write(ensemble.sources()),
        ensemble.cells().map(|own| Object(cells::write(own))),
        Object(ensemble.scoring().into()),
        ensemble.trees().iter().map(|tree| Object(write_tree(tree))).collect(),
    )
}

fn write_tree(scored: &ScoredTree) -> RawScoredTree {
    let node = |(number, node): (u32, &Node)| match node {
        Node::Leaf(_) => RawScoredNode::Scores(scored.scores(number).to_vec()),
        Node::Test(test) => RawScoredNode::Test(Object(write_test(scored.tree().attributes(), test))),
    };
    RawScoredTree { output: scored.output(), nodes: (0..).zip(scored.tree().nodes()).map(node).collect() }
}
