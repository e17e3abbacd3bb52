//! Baskets: what becomes of them, against a naive reading of random ones, and that no bytes make reading panic.

use super::{Scratch, gzip, texts};
use crate::policy::ItemRoles;
use crate::read::{BasketsRead, KeepItems, read_baskets};
use incrowd_core::Result;
use incrowd_core::policy::Role;
use incrowd_core::progress::Silent;
use proptest::prelude::*;
use std::collections::BTreeSet;

fn read(name: &str, bytes: &[u8], keep: KeepItems<'_>) -> Result<BasketsRead> {
    let plan = ItemRoles { otherwise: Role::Public, patterns: Vec::new(), delimiter: None, skip_lines: 0 };
    read_baskets(Scratch::new(name, bytes).path(), &plan, keep, &Silent)
}

#[test]
fn items_are_trimmed_counted_once_and_may_be_quoted() {
    let text = "\u{feff}a, b ,a\n\n \"c, \"\"d\"\"\" ,a,,\r\n b\t,\n";
    let all = read("b.csv", text.as_bytes(), KeepItems::Share(0.01)).unwrap();
    assert_eq!(all.items, ["a", "b", "c, \"d\""]);
    assert_eq!(texts(&all.table, "a"), ["yes", "yes", "no"]);
    assert_eq!(texts(&all.table, "b"), ["yes", "no", "yes"]);
    assert_eq!(texts(&all.table, "c, \"d\""), ["no", "yes", "no"]);
    let names = ["b".to_owned(), "z".to_owned()];
    let named = read("b.csv.gz", &gzip(text.as_bytes()), KeepItems::Named(&names)).unwrap();
    assert_eq!(texts(&named.table, "z"), ["no"; 3]);
    assert_eq!((named.table.columns().len(), named.items), (2, all.items));
    let fimi = read("b.dat", b"1 3  9\n3\t1\n", KeepItems::Share(1.0)).unwrap();
    assert_eq!(fimi.items, ["1", "3", "9"]);
    let names: Vec<&str> = fimi.table.columns().iter().map(incrowd_core::table::Column::name).collect();
    assert_eq!(names, ["1", "3"]);
}

proptest! {
    #[test]
    fn as_a_naive_reading(baskets in prop::collection::vec(prop::collection::vec("[a-e]{1,2}", 1..6), 1..20), share in 1_u32..10) {
        let share = f64::from(share) / 10.0;
        let text: String = baskets.iter().map(|basket| basket.join(" , ") + "\n").collect();
        let found = read("b.csv", text.as_bytes(), KeepItems::Share(share)).unwrap();
        let sets: Vec<BTreeSet<&str>> =
            baskets.iter().map(|basket| basket.iter().map(String::as_str).collect()).collect();
        let items: BTreeSet<&str> = sets.iter().flatten().copied().collect();
        prop_assert!(found.items.iter().map(String::as_str).eq(items.iter().copied()));
        let count = |item: &str| sets.iter().filter(|set| set.contains(item)).count();
        let kept = items.iter().copied().filter(|item| count(item) as f64 / sets.len() as f64 >= share);
        prop_assert!(found.table.columns().iter().map(incrowd_core::table::Column::name).eq(kept.clone()));
        for item in kept {
            let has: Vec<&str> = sets.iter().map(|set| if set.contains(item) { "yes" } else { "no" }).collect();
            prop_assert_eq!(texts(&found.table, item), has);
        }
    }

    #[test]
    fn no_bytes_make_it_panic(bytes in prop::collection::vec(prop::sample::select(b"ab,\" \n\r\t\xff\xc3\xa9".to_vec()), 0..60), blanks: bool) {
        let _ = read(if blanks { "x.dat" } else { "x.csv" }, &bytes, KeepItems::Share(0.5));
    }
}
