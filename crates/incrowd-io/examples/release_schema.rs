//! Prints the JSON Schema of release files; `cargo xtask docs` keeps it in `docs/release.schema.json`.

fn main() {
    println!("{:#}", incrowd_io::release::schema());
}
