//! What the measures mean and what k does not protect against, in plain words.

/// The measures.
pub(super) const MEASURES: &str = "\
<dl class=\"words\">
<div><dt>k</dt><dd>Everybody in the table is in a crowd of at least k people that nobody can tell apart by what an attacker may know. The larger k, the better hidden each one is, \
and the less the release can tell.</dd></div>
<div><dt>Accuracy</dt><dd>Of rows nobody learned from, the share whose class was predicted. A release that is worth something comes near the level without protection.</dd></div>
<div><dt>Balanced accuracy, F1</dt><dd>Means over the classes, so that a rare class counts as much as a frequent one. Someone who always says the frequent class may be accurate, \
but not by these. Classes no test row has are left out.</dd></div>
<div><dt>AUC</dt><dd>How often a row of a class is held more likely to be of it than a row of another. One half is guessing, one is perfect.</dd></div>
<div><dt>Information loss</dt><dd>How much of what a cell said is gone, from 0 (as it was) to 1 (it says nothing any more), over all public cells of a table.</dd></div>
<div><dt>Suppressed</dt><dd>The share of public cells that say nothing at all.</dd></div>
<div><dt>Exposed</dt><dd>People about whom something private follows for certain from the release and what an attacker may know, however large their crowd is.</dd></div>
<div><dt>Highest confidence</dt><dd>How sure an attacker can be of a private value of the person he knows most about. At 100 % somebody is exposed.</dd></div>
<div><dt>Area</dt><dd>The area under accuracy over k: one number for a whole curve. Large k, which are far apart, weigh most in it.</dd></div>
<div><dt>CM</dt><dd>Rows that are not of the most frequent class of their group: what a table cannot tell about the class, whatever learns from it.</dd></div>
</dl>
";

/// The limits.
pub(super) const LIMITS: &str = "\
<ul>
<li><strong>What a crowd has in common.</strong> If all k people of a crowd have the same private value, it is told of each of them. That is what <em>exposed</em> counts; \
ask for diversity or a cap on confidence besides k where it matters.</li>
<li><strong>What an attacker knows besides.</strong> k holds for the attributes that the policy calls public. Someone who knows more may tell people apart.</li>
<li><strong>Several releases.</strong> Two releases that each keep k can, taken together, single people out. Releases of the same people have to be judged together.</li>
<li><strong>Likely, not certain.</strong> Learning that something is probable of a whole group is what data mining is for. k does not prevent it.</li>
<li><strong>Being there.</strong> k does not hide that somebody is in the table. Noise with a privacy budget (differential privacy) is another promise, which is not made here.</li>
</ul>
";
