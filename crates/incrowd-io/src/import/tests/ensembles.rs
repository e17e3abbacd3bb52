//! Files of `LightGBM`, `XGBoost` and `CatBoost`; ensembles in ONNX and PMML.

use super::super::proto::{Fields, Value};
use super::super::*;
use super::{damage, sound_or_refused};
use crate::export::proto::Message;
use incrowd_core::model::Link;
use incrowd_core::predict::predict_scores;
use incrowd_core::table::{Column, People, Table};
use proptest::prelude::*;

const LIGHTGBM: &str = include_str!("ensemble.txt");
const XGBOOST: &str = include_str!("ensemble.json");
const LIGHTGBM_JSON: &str = include_str!("lightgbm.json");
const CATBOOST: &str = include_str!("catboost.json");
const UBJSON: &[u8] = include_bytes!("ensemble.ubj");
const FOREST: &[u8] = include_bytes!("forest.onnx");
const BOOSTING: &[u8] = include_bytes!("boosting.onnx");

fn parse(bytes: impl AsRef<[u8]>) -> Result<(Ensemble, Elsewhere)> {
    let (release, maker) = parse_any_model(bytes.as_ref().to_vec())?;
    let (Release::Model(release), Maker::Elsewhere(elsewhere)) = (release, maker) else { panic!() };
    let Model::Ensemble(ensemble) = release.model else { panic!() };
    Ok((ensemble, elsewhere))
}

/// Rows on both sides of every test, and with missing cells.
fn rows() -> Table {
    let cities = [Some("east"), Some("south"), Some("north"), None, Some("east")];
    let ages = [Some(40.5), Some(40.6), Some(20.0), Some(20.0), None];
    let columns = vec![
        Column::from_texts("city", &cities),
        Column::from_numbers("age", &ages).unwrap(),
        Column::from_numbers("hours", &[Some(1.0); 5]).unwrap(),
    ];
    Table::new(columns, People::Rows).unwrap()
}

#[test]
fn rows_take_the_branches_of_lightgbm() {
    let (ensemble, elsewhere) = parse(LIGHTGBM).unwrap();
    assert_eq!(
        (&*ensemble.class().name, &ensemble.class().values[..]),
        ("class", &["0".to_owned(), "1".to_owned()][..])
    );
    assert_eq!((elsewhere.unnamed_class, elsewhere.extremes), (true, vec!["age".to_owned()]));
    let scores = predict_scores(&rows(), &ensemble).unwrap().scores;
    // The age had no missing values, so a missing one is 0.
    assert_eq!(scores, [0.5625, -0.1875, 0.1875, 0.1875, 0.5625]);
    let unlisted = LIGHTGBM.replace("decision_type=9 2", "decision_type=9 8");
    assert_eq!(predict_scores(&rows(), &parse(&unlisted).unwrap().0).unwrap().scores[4..], [-0.1875]);
}

#[test]
fn rows_take_the_branches_of_xgboost() {
    let (ensemble, elsewhere) = parse(XGBOOST).unwrap();
    assert!(elsewhere.unnamed_class && elsewhere.single_only && elsewhere.pruned);
    let scores = predict_scores(&rows(), &ensemble).unwrap().scores;
    // The categories that are listed go right, and a number equal to the threshold does.
    assert_eq!(scores, [0.125, 0.125, 0.5, 0.5, 0.125]);
    let at = XGBOOST.replace("4.05E1", "2E1");
    assert_eq!(predict_scores(&rows(), &parse(&at).unwrap().0).unwrap().scores[2..3], [-0.25]);
    let shares = XGBOOST.replace("[5E-1]\"", "2.5E-1\"");
    let base = f64::from(-(1.0_f32 / 0.25 - 1.0).ln());
    assert_eq!(predict_scores(&rows(), &parse(&shares).unwrap().0).unwrap().scores[..1], [base + 0.125]);
}

#[test]
fn other_formats_of_the_same_models_are_the_same() {
    let (text, json) = (parse(LIGHTGBM).unwrap(), parse(LIGHTGBM_JSON).unwrap());
    assert_eq!(predict_scores(&rows(), &text.0).unwrap(), predict_scores(&rows(), &json.0).unwrap());
    assert_eq!(text.1, json.1);
    assert_eq!(parse(XGBOOST).unwrap(), parse(UBJSON).unwrap());
}

#[test]
fn rows_take_the_branches_of_catboost() {
    let (ensemble, elsewhere) = parse(CATBOOST).unwrap();
    assert!(elsewhere.unnamed_class && elsewhere.single_only);
    let scores = predict_scores(&rows(), &ensemble).unwrap().scores;
    // Twice the leaf, and 0.25 + 2 · 0.0625. The first test is the lowest bit; a number equal to the border goes left,
    // and so does a missing one unless it is taken for a large number.
    assert_eq!(scores, [1.375, -0.125, 1.375, 1.375, -0.125]);
    let left = CATBOOST.replace("AsTrue", "AsFalse");
    assert_eq!(predict_scores(&rows(), &parse(&left).unwrap().0).unwrap().scores[4..], [1.375]);
    let second = CATBOOST
        .replace("\"border\": 1,", "\"border\": 0.5,")
        .replace("\"borders\": [1]", "\"borders\": [0.5]");
    assert_eq!(predict_scores(&rows(), &parse(&second).unwrap().0).unwrap().scores[..2], [0.625, 2.375]);
}

#[test]
fn classifiers_of_several_trees_are_read_from_onnx() {
    for (bytes, trees, link) in [(FOREST, 3, Link::Identity), (BOOSTING, 2, Link::Logistic)] {
        let (ensemble, _) = parse(bytes).unwrap();
        assert_eq!((ensemble.trees().len(), ensemble.scoring().link), (trees, link));
        assert_eq!((&*ensemble.class().name, ensemble.class().values.len()), ("risk", 2));
    }
}

/// A message with more bytes at the end of the messages on a path of fields.
fn extended(message: &[u8], path: &[u32], more: &[u8]) -> Vec<u8> {
    let Some((first, path)) = path.split_first() else { return [message, more].concat() };
    let add = |whole: Message, field: Result<(u32, Value<'_>)>| match field.unwrap() {
        (number, Value::Bytes(inner)) if number == *first => whole.bytes(number, extended(inner, path, more)),
        (number, Value::Bytes(bytes)) => whole.bytes(number, bytes),
        (number, Value::Number(value)) => whole.int(number, value),
        (number, Value::Four(bytes)) => whole.float(number, f32::from_le_bytes(bytes)),
        (_, Value::Eight(_)) => panic!("the model has no doubles"),
    };
    Fields::new(message).fold(Message::default(), add).finish()
}

#[test]
fn numbers_stated_twice_are_refused_in_onnx() {
    let tensor = Message::default().int(2, 1).bytes(4, [0; 4]);
    let read = |name: &str| {
        let attribute = Message::default().bytes(1, format!("{name}_as_tensor")).message(5, &tensor);
        parse(extended(FOREST, &[7, 1], &Message::default().message(5, &attribute).finish()))
    };
    for name in ["nodes_values", "nodes_hitrates", "class_weights"] {
        let error = read(name).expect_err(name);
        assert!(error.what.contains("both as a list and as a tensor") && error.help.is_some(), "{error}");
    }
    // The forest has none as a list.
    read("base_values").unwrap();
}

/// A forest in PMML; `segments` are its trees.
fn pmml(method: &str, segments: &str) -> String {
    format!(
        "<PMML xmlns=\"http://www.dmg.org/PMML-4_4\" version=\"4.4\"><Header/><DataDictionary>\
         <DataField name=\"age\" optype=\"continuous\" dataType=\"double\"/>\
         <DataField name=\"ill\" optype=\"categorical\" dataType=\"string\"><Value value=\"no\"/><Value value=\"yes\"/></DataField>\
         </DataDictionary><MiningModel functionName=\"classification\"><MiningSchema>\
         <MiningField name=\"ill\" usageType=\"target\"/><MiningField name=\"age\"/></MiningSchema>\
         <Segmentation multipleModelMethod=\"{method}\">{segments}</Segmentation></MiningModel></PMML>"
    )
}

/// A segment with a tree that divides ages at 30.
fn segment(function: &str, [young, old]: [&str; 2]) -> String {
    format!(
        "<Segment id=\"1\"><True/><TreeModel functionName=\"{function}\" missingValueStrategy=\"none\" \
         noTrueChildStrategy=\"returnLastPrediction\"><MiningSchema><MiningField name=\"age\"/></MiningSchema>\
         <Node id=\"0\" {old}<True/><Node id=\"1\" {young}\
         <SimplePredicate field=\"age\" operator=\"lessOrEqual\" value=\"30\"/></Node></Node></TreeModel></Segment>"
    )
}

const SHARES: &str =
    "<ScoreDistribution value=\"no\" recordCount=\"3\"/><ScoreDistribution value=\"yes\" recordCount=\"1\"/>";

#[test]
fn votes_are_read_from_pmml() {
    let vote = segment("classification", ["score=\"yes\">", "score=\"no\">"]);
    let shared = vote.replace("</Node></Node>", &format!("{SHARES}</Node>{SHARES}</Node>"));
    let (found, _) = parse(pmml("majorityVote", &vote.repeat(2))).unwrap();
    let predicted = predict_scores(&rows(), &found).unwrap();
    assert_eq!(predicted.shares[..4], [1.0, 0.0, 1.0, 0.0]);
    assert_eq!(predicted.shares[4..6], [0.0, 1.0]);
    let (found, _) = parse(pmml("average", &shared.repeat(2))).unwrap();
    assert_eq!(predict_scores(&rows(), &found).unwrap().shares[..2], [0.75, 0.25]);
    for (text, part) in [
        (pmml("average", &vote), "counts no class value"),
        (pmml("weightedAverage", &shared), "multipleModelMethod"),
        (pmml("average", &shared.replacen("<True/>", "<False/>", 1)), "False"),
        (pmml("average", &shared.replace("id=\"1\"><True", "weight=\"2\"><True")), "weight"),
        (pmml("average", ""), "no segments"),
        (pmml("majorityVote", &vote.replace("\"yes\"", "\"perhaps\"")), "no listed score"),
        (
            pmml("majorityVote", &segment("regression", ["score=\"1\">", "score=\"2\">"])),
            "not for classification",
        ),
    ] {
        let error = parse(text).expect_err(part);
        assert!(error.to_string().contains(part) && error.help.is_some(), "{part}: {error}");
    }
}

#[test]
fn chains_are_read_from_pmml() {
    let trees = segment("regression", ["score=\"1\">", "score=\"-2\">"]).repeat(2);
    let chain = format!(
        "<Segment id=\"1\"><True/><MiningModel functionName=\"regression\"><MiningSchema><MiningField name=\"age\"/></MiningSchema>\
         <Output><OutputField name=\"s\" optype=\"continuous\" dataType=\"double\"/></Output>\
         <Targets><Target rescaleConstant=\"0.5\" rescaleFactor=\"0.25\"/></Targets>\
         <Segmentation multipleModelMethod=\"sum\">{trees}</Segmentation></MiningModel></Segment>\
         <Segment id=\"2\"><True/><RegressionModel functionName=\"classification\" normalizationMethod=\"logit\">\
         <RegressionTable intercept=\"0\" targetCategory=\"yes\"><NumericPredictor name=\"s\" coefficient=\"2\"/></RegressionTable>\
         <RegressionTable intercept=\"0\" targetCategory=\"no\"/></RegressionModel></Segment>"
    );
    let scores = |chain: &str| {
        let (found, _) = parse(pmml("modelChain", chain)).unwrap();
        predict_scores(&rows(), &found).unwrap().scores
    };
    assert_eq!(scores(&chain)[..3], [-1.0, -1.0, 2.0]);
    let turned = chain.replace("\"yes\"><Num", "\"no\"><Num").replace("\"no\"/>", "\"yes\"/>");
    assert_eq!(scores(&turned)[..3], [1.0, 1.0, -2.0]);
    for (text, part) in [
        (chain.replace("logit", "probit"), "normalizationMethod"),
        (chain.replace("name=\"s\" coeff", "name=\"t\" coeff"), "not computed"),
        (chain.replace("coefficient=\"2\"", "coefficient=\"2\" exponent=\"2\""), "exponent"),
        (chain.replace("rescaleFactor", "castInteger"), "castInteger"),
        (chain.replace("\"sum\"", "\"max\""), "multipleModelMethod"),
        (chain.replace("score=\"1\"", "score=\"x\""), "not a finite number"),
    ] {
        let error = parse(pmml("modelChain", &text)).expect_err(part);
        assert!(error.to_string().contains(part) && error.help.is_some(), "{part}: {error}");
    }
}

#[test]
fn categories_belong_to_the_columns_with_codes() {
    let with_more = LIGHTGBM.replace("\"south\"]]", "\"south\"], [1.5, true]]");
    let (ensemble, _) = parse(&with_more).unwrap();
    let values = |place: usize| crate::release::attribute_values(&ensemble.attributes()[place]).to_vec();
    assert_eq!((values(1).len(), values(2)), (3, vec!["1.5".to_owned(), "True".to_owned()]));
    let unclear = LIGHTGBM.replace("\"south\"]]", "\"south\"], [1], [2]]");
    assert!(parse(&unclear).is_err_and(|error| error.what.contains("not clear")));
}

#[test]
fn faults_of_lightgbm_files_are_told() {
    let cases = [
        (LIGHTGBM.replace("version=v4", "version=v9"), "version"),
        (LIGHTGBM.replace("objective=binary sigmoid:1", "objective=regression"), "objective other than"),
        (LIGHTGBM.replace("sigmoid:1", "sigmoid:2"), "objective other than"),
        (LIGHTGBM.replace("num_leaves=3", "num_leaves=4"), "does not have 4 entries"),
        (LIGHTGBM.replace("num_leaves=3", "num_leaves=0"), "no leaf"),
        (LIGHTGBM.replace("num_leaves=3", "num_leaves=99999999999"), "more than 1048576 nodes"),
        (LIGHTGBM.replace("num_leaves=3", "num_leaves=3\nnum_leaves=3"), "twice"),
        (LIGHTGBM.replace("left_child=1 -1", "left_child=0 -1"), "not a tree"),
        (LIGHTGBM.replace("left_child=1 -1", "left_child=1 -9"), "not a tree"),
        (LIGHTGBM.replace("left_child=1 -1", "left_child=1 -9223372036854775808"), "not a tree"),
        (LIGHTGBM.replace("left_child=1 -1", "left_child=1 x"), "not a valid number"),
        (LIGHTGBM.replace("split_feature=1 0", "split_feature=1 7"), "not listed"),
        (LIGHTGBM.replace("split_feature=1 0", "split_feature=0 0"), "numbers of this column as categories"),
        (LIGHTGBM.replace("decision_type=9 2", "decision_type=9 6"), "0 for missing"),
        (LIGHTGBM.replace("cat_boundaries=0 1", "cat_boundaries=0 9"), "does not have 9 entries"),
        (LIGHTGBM.replace("cat_boundaries=0 1", "cat_boundaries=0 99999999"), "cover more than"),
        (LIGHTGBM.replace("threshold=0 40.5", "threshold=1 40.5"), "does not exist"),
        (LIGHTGBM.replace("threshold=0 40.5", "threshold=0 inf"), "not a finite number"),
        (LIGHTGBM.replace("leaf_value=0.5", "leaf_value=nan"), "finite scores"),
        (LIGHTGBM.replace("is_linear=0\nshrinkage=1\n\n\nend", "is_linear=1\n\nend"), "linear models"),
        (LIGHTGBM.replace("max_feature_idx=2", "max_feature_idx=3"), "one entry per column"),
        (LIGHTGBM.replace("end of trees", "end"), "ends before its trees do"),
        // LightGBM reads trees where their sizes say, also behind the end.
        (LIGHTGBM.replace("tree_sizes=237", "tree_sizes=238"), "does not match the trees"),
        (LIGHTGBM.replace("tree_sizes=237 100", "tree_sizes=237"), "does not have 2 entries"),
        (LIGHTGBM.replace("split_gain=2 1", "split_gain=2 10"), "does not match the trees"),
        (format!("{LIGHTGBM}\nTree=1\n"), "behind the end of trees"),
        // It ends a tree at an empty line, and reads 22 lines at most; `=` separates keys, wherever a line ends.
        (LIGHTGBM.replace("\ndecision_type", "\n\ndecision_type"), "does not read all lines"),
        (LIGHTGBM.replace("\ndecision_type", "\nnote\ndecision_type"), "does not read all lines"),
        (LIGHTGBM.replace("\ndecision_type", &format!("{}\ndecision_type", "\nx=1".repeat(9))), "all lines"),
        (LIGHTGBM.replace("\nsplit_gain=2", "\nsplit_gain=2\rdecision_type=0"), "does not read all lines"),
        (LIGHTGBM.replace("\nlabel_index", "\n=tree_sizes=1\nlabel_index"), "does not read all lines"),
        (LIGHTGBM.replace("[[\"east\"", "[\"east\""), "pandas_categorical"),
        (LIGHTGBM.replace("\"north\"", "\"east\""), "listed twice"),
    ];
    for (text, part) in cases {
        let error = parse(&text).expect_err(part);
        assert!(error.to_string().contains(part), "{part}: {error}");
        assert!(error.help.is_some(), "no help: {error}");
    }
}

#[test]
fn faults_of_xgboost_files_are_told() {
    let cases = [
        (XGBOOST.replace("gbtree\"}", "dart\"}"), "booster other than"),
        (XGBOOST.replace("binary:logistic", "reg:squarederror"), "objective other than"),
        (XGBOOST.replace("binary:logistic", "multi:softprob"), "does not match the number of class values"),
        (XGBOOST.replace("\"tree_info\": [0]", "\"tree_info\": []"), "one entry per tree"),
        (XGBOOST.replace("\"size_leaf_vector\": \"1\"", "\"size_leaf_vector\": \"3\""), "several scores"),
        (XGBOOST.replace("[1, 3, -1, -1, -1, -1, -1]", "[1, 3, -1, -1, -1, -1]"), "one entry per node"),
        (XGBOOST.replace("[1, 3, -1, -1, -1, -1, -1]", "[1, 0, -1, -1, -1, -1, -1]"), "two parents"),
        (XGBOOST.replace("[1, 3, -1, -1, -1, -1, -1]", "[1, 9, -1, -1, -1, -1, -1]"), "does not exist"),
        (XGBOOST.replace("[1, 3, -1, -1, -1, -1, -1]", "[1, -1, -1, -1, -1, -1, -1]"), "does not exist"),
        (XGBOOST.replace("\"split_indices\": [1, 0,", "\"split_indices\": [1, 5,"), "not listed"),
        (XGBOOST.replace("\"split_indices\": [1, 0,", "\"split_indices\": [0, 0,"), "the column is numeric"),
        (XGBOOST.replace("\"categories_sizes\": [2]", "\"categories_sizes\": [3]"), "do not match"),
        (XGBOOST.replace("\"categories_nodes\": [0]", "\"categories_nodes\": [9]"), "do not match"),
        (XGBOOST.replace("\"categories_sizes\": [2]", "\"categories_sizes\": [0]"), "lists none"),
        // XGBoost goes by the type, and lists without it are of no use.
        (XGBOOST.replace("\"split_type\": [1, 0,", "\"split_type\": [0, 0,"), "`split_type`"),
        (XGBOOST.replace("\"split_type\": [1, 0,", "\"split_type\": [1, 1,"), "`split_type`"),
        (XGBOOST.replace("\"split_type\": [1, 0,", "\"split_type\": [1, 7,"), "`split_type`"),
        (XGBOOST.replace("\"split_type\": [1, 0,", "\"split_type\": [7, 0,"), "`split_type`"),
        (XGBOOST.replace("\"split_type\": [1, 0,", "\"split_type\": [1, -1,"), "`split_type`"),
        (XGBOOST.replace("\"split_type\": [1, 0,", "\"split_type\": [1,"), "one entry per node"),
        (XGBOOST.replace("\"split_type\"", "\"kind\""), "`split_type`"),
        (
            XGBOOST
                .replace("\"categories_nodes\": [0]", "\"categories_nodes\": [1, 0]")
                .replace("\"categories_segments\": [0]", "\"categories_segments\": [0, 1]")
                .replace("\"categories_sizes\": [2]", "\"categories_sizes\": [1, 1]")
                .replace("\"split_type\": [1, 0,", "\"split_type\": [1, 1,"),
            "do not match",
        ),
        (XGBOOST.replace("[0, 4, 9, 14]", "[0, 4, 9, 99]"), "not texts"),
        (XGBOOST.replace("[0, 4, 9, 14]", "[9, 4, 9, 14]"), "not texts"),
        (XGBOOST.replace("\"values\": [101,", "\"values\": [-61,"), "other than ASCII"),
        (XGBOOST.replace("\"cats\"", "\"dogs\""), "does not contain the categories"),
        (XGBOOST.replace("[\"age\", \"city\"]", "[]"), "does not name the columns"),
        (XGBOOST.replace("\"[5E-1]\"", "\"[5E-1,1E0]\""), "base_score"),
        (XGBOOST.replace("\"[5E-1]\"", "\"0\""), "base score is not finite"),
    ];
    for (text, part) in cases {
        let error = parse(&text).expect_err(part);
        assert!(error.to_string().contains(part), "{part}: {error}");
        assert!(error.help.is_some(), "no help: {error}");
    }
}

#[test]
fn types_of_tests_are_checked_in_ubjson() {
    let list = b"split_type[$l#L";
    let start = UBJSON.windows(list.len()).position(|window| window == list).unwrap() + list.len();
    // The number of entries takes eight bytes, and each entry four.
    for (place, kind) in [(11, 0), (11, 2), (15, 1)] {
        let mut bytes = UBJSON.to_vec();
        bytes[start + place] = kind;
        let error = parse(bytes).unwrap_err();
        assert!(error.what.contains("`split_type`") && error.help.is_some(), "{error}");
    }
}

#[test]
fn faults_of_json_files_are_told() {
    let cases = [
        (LIGHTGBM_JSON.replace("\"v4\"", "\"v9\""), "version"),
        (LIGHTGBM_JSON.replace("binary sigmoid:1", "regression"), "objective other than"),
        (LIGHTGBM_JSON.replace("\"max_feature_idx\": 2", "\"max_feature_idx\": 3"), "one entry per column"),
        (LIGHTGBM_JSON.replace("\"leaf_value\": 0.0625", "\"leaf\": 1"), "no score"),
        (LIGHTGBM_JSON.replace("\"leaf_value\": 0.0625", "\"leaf_value\": 1, \"leaf_coeff\": [1]"), "linear"),
        (LIGHTGBM_JSON.replace("\"left_child\": {\"leaf", "\"left\": {\"leaf"), "neither a test nor a leaf"),
        (LIGHTGBM_JSON.replace("0||2", "0||x"), "not a category"),
        (LIGHTGBM_JSON.replace("\"split_feature\": 1", "\"split_feature\": 0"), "numbers of this column"),
        (
            LIGHTGBM_JSON
                .replace("\"default_left\": true, \"missing_type\": \"None\"", "\"missing_type\": \"Zero\""),
            "0 for missing",
        ),
        (CATBOOST.replace("\"oblivious_trees\"", "\"trees\""), "not symmetric"),
        (CATBOOST.replace("Logloss", "RMSE"), "loss function"),
        (CATBOOST.replace("[2, [0.25]]", "[2, [0.25, 1]]"), "bias"),
        (CATBOOST.replace("0.125, 1]", "0.125]"), "one score per leaf"),
        (CATBOOST.replace("\"float_feature_index\": 1", "\"float_feature_index\": 2"), "not listed"),
        (CATBOOST.replacen("\"FloatFeature\"", "\"OnlineCtr\"", 1), "categories"),
        (CATBOOST.replace("\"hours\"", "\"\""), "does not name the columns"),
        (CATBOOST.replace("AsTrue", "AsMuch"), "missing numbers"),
        // CatBoost goes by the index, and by the borders that are listed.
        (CATBOOST.replace("\"split_index\": 1", "\"split_index\": 0"), "index of a test"),
        (CATBOOST.replace("\"split_index\": 2", "\"split_index\": 9"), "index of a test"),
        (CATBOOST.replace("\"split_index\": 2, ", ""), "index of a test"),
        (CATBOOST.replace("\"split_index\": 2", "\"split_index\": -1"), "index of a test"),
        (CATBOOST.replace("[20, 40.5]", "[20, 40]"), "index of a test"),
        (CATBOOST.replace("[20, 40.5]", "[60, 40.5]"), "do not ascend"),
        (CATBOOST.replace("[20, 40.5]", "[40.5, 40.5]"), "do not ascend"),
    ];
    for (text, part) in cases {
        let error = parse(&text).expect_err(part);
        assert!(error.to_string().contains(part), "{part}: {error}");
        assert!(error.help.is_some(), "no help: {error}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(800))]

    #[test]
    fn damaged_ensembles_never_panic(changes in proptest::collection::vec(any::<(usize, u8, u8)>(), 1..6)) {
        sound_or_refused(&damage(LIGHTGBM.as_bytes(), &changes));
        sound_or_refused(&damage(XGBOOST.as_bytes(), &changes));
        for bytes in [LIGHTGBM_JSON.as_bytes(), CATBOOST.as_bytes(), UBJSON, FOREST, BOOSTING] {
            sound_or_refused(&damage(bytes, &changes));
        }
    }
}
