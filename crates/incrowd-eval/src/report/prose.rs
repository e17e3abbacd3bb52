//! Explanations of the measures, and what k does not protect against.

/// The measures.
pub(super) const MEASURES: &str = "\
<dl class=\"words\">
<div><dt>k</dt><dd>Every individual in the table is in a crowd (equivalence class) of at least k individuals that an attacker cannot distinguish by public attributes (quasi-identifiers). \
A larger k means better protection and less information in the release.</dd></div>
<div><dt>Accuracy</dt><dd>The share of test rows whose class is predicted correctly. With a useful release it is close to the level without protection.</dd></div>
<div><dt>Balanced accuracy, F1</dt><dd>Means over the classes, so that a rare class counts as much as a frequent one. Always predicting the most frequent class may give a high accuracy, \
but low values here. Classes without test rows are left out.</dd></div>
<div><dt>AUC</dt><dd>The probability that a row of a class gets a higher score for that class than a row of another class. One half is guessing, one is perfect.</dd></div>
<div><dt>Information loss</dt><dd>The mean loss of the public cells of a table, from 0 (unchanged) to 1 (no information left).</dd></div>
<div><dt>Suppressed</dt><dd>The share of public cells without any information.</dd></div>
<div><dt>Exposed</dt><dd>Individuals for whom a private value follows with certainty from the release and their public attributes, no matter how large their crowd is.</dd></div>
<div><dt>Highest confidence</dt><dd>The largest share of the individuals in a crowd who have the same private value. An attacker who guesses this value for all of them is right for this share. Only the private attributes that the guarantee applies to are counted: the class, unless the policy says otherwise.</dd></div>
<div><dt>Area</dt><dd>The area under accuracy over k: one number for a whole curve. Large values of k, which are far apart, have the largest weight.</dd></div>
<div><dt>CM</dt><dd>Classification metric: the number of individuals with a class other than the most frequent one of their crowd. A model that knows only the crowd predicts the wrong class for them.</dd></div>
</dl>
";

/// The limits.
pub(super) const LIMITS: &str = "\
<ul>
<li><strong>Values shared by a crowd.</strong> If all individuals of a crowd have the same private value, the release reveals it. <em>Exposed</em> counts these individuals. \
If it matters, require diversity or a cap on confidence in addition to k.</li>
<li><strong>Additional knowledge.</strong> k holds for the attributes that are public in the policy. An attacker who knows more may distinguish more.</li>
<li><strong>Several releases.</strong> Two releases that each satisfy k can single out individuals together. Releases about the same individuals must be audited together.</li>
<li><strong>Probable inference.</strong> Learning that a value is probable for a whole group is the purpose of data mining. k does not prevent it.</li>
<li><strong>Membership.</strong> k does not hide that an individual is in the table. Differential privacy, which adds noise within a privacy budget, is a different guarantee and not provided here.</li>
</ul>
";
