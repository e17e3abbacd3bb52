//! The miners, one module per family: methods, parameters and results.
//!
//! Usually they are called through [`Dataset`](crate::Dataset). The functions here take tables and policies in memory,
//! and the caller is responsible for the guarantee.

pub use incrowd_mine::Structure;

/// Decision trees.
pub mod tree {
    pub use incrowd_mine::tree::{
        CheckedTreeParams, Condition, ConditionValues, DecisionList, ListRule, MinedTree, TreeMethod,
        TreeParams, TreeSummary, induce_rules, induce_tree, mine_tree,
    };
}

/// Boosted trees.
pub mod boost {
    pub use incrowd_mine::boost::{
        BoostParams, BoostSummary, CheckedBoostParams, MinedEnsemble, ScoreDetail, mine_boost,
    };
}

/// Anonymized tables.
pub mod table {
    pub use incrowd_mine::table::{
        AttributeLoss, Average, CheckedTableParams, Common, Criterion, Measures, MinedTable, Recoding,
        TableMethod, TableParams, TableSummary, fayyad_irani, mine_table,
    };
}

/// Clusters.
pub mod clusters {
    pub use incrowd_mine::clusters::{
        CheckedClusterParams, ClusterMethod, ClusterParams, ClusterSummary, MinedClusters, Scaling,
        mine_clusters,
    };
}

/// Association rules.
pub mod rules {
    pub use incrowd_mine::rules::{
        CheckedRuleParams, Counts, Items, LeftOut, MinedRule, MinedRules, RuleParams, RuleSummary,
        Usefulness, find_rules, mine_rules,
    };
}
