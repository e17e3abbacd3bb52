//! Audit a model made elsewhere: a tree exported as PMML. Run with `cargo run -p incrowd --example audit_foreign --
//! tree.pmml patients.csv policy.toml`.

use incrowd::{Error, Result};

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [model, table, policy] = arguments.as_slice() else {
        return Err(Error::parameters("give a model, the table it was made from, and the policy"));
    };
    let data = incrowd::open(table, policy)?;
    let report = data.audit(model).k(10).run()?;
    println!("k = {} over {} individuals; {} exposed", report.k, report.individuals, report.exposed);
    Ok(())
}
