//! What the guarantee does not protect against. `docs/guarantees.md` has examples.

/// The limits, each with a short beginning; `rows_apart` if individuals have several rows that the guarantee considers
/// one at a time, `sets` if it is about attackers who know different attributes.
pub(super) fn limits(rows_apart: bool, sets: bool) -> impl Iterator<Item = (&'static str, &'static str)> {
    sets.then_some(SETS).into_iter().chain(rows_apart.then_some(ROWS_APART)).chain(LIMITS)
}

const SETS: (&str, &str) = (
    "Attackers who know several sets.",
    "The guarantee is about someone who knows the attributes of one of the listed sets. Someone who knows attributes of \
     several sets can tell more individuals apart, and may single someone out.",
);

const ROWS_APART: (&str, &str) = (
    "Rows that belong together.",
    "Individuals have several rows, and the guarantee counts the individuals of each group one row at a time. Someone who \
     knows several rows of an individual may find fewer individuals who fit all of these rows, or only this one.",
);

const LIMITS: [(&str, &str); 9] = [
    (
        "Values that a group shares.",
        "If all individuals of a group have the same private value, the release reveals it, however large the group is. \
         Only requirements on private values limit this.",
    ),
    (
        "Attackers who know more.",
        "The guarantee is about an attacker who knows the public attributes and no private one. Someone who knows a \
         private attribute, or what others told them about themselves, may distinguish more.",
    ),
    (
        "Several releases.",
        "Two releases about the same individuals can single someone out together, although each alone does not. They \
         must be audited together.",
    ),
    (
        "Membership.",
        "The guarantee does not hide whether someone is in the data. It assumes that attackers know who is.",
    ),
    (
        "Probable guesses.",
        "To learn that something is probable for a whole group is the purpose of a release. The guarantee \
         prevents this neither for people in the data nor for others.",
    ),
    (
        "How the release was chosen.",
        "An attacker who knows the method may infer something from the fact that this release was made and not another.",
    ),
    (
        "Wrong roles.",
        "The guarantee is only as good as the policy. An attribute that is called private but is known to others is not \
         protected by it.",
    ),
    (
        "The rest of a file.",
        "Names of columns, comments and file names are not checked. Read the files before they are given away.",
    ),
    ("Law.", "This report states what was measured. It does not decide whether the release is lawful."),
];
