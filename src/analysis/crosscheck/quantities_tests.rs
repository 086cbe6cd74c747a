//! What studies say is compared must be in their files.

use std::path::Path;

use crate::case::Case;
use crate::laws::Origin;
use crate::run::series;
use crate::study;
use crate::study::quantity::{Scale, Source};

/// Columns that a quantity needs.
fn columns(source: Source) -> Vec<&'static str> {
    match source {
        Source::Mean(c) | Source::Least(c) | Source::Arrival(c, _) => vec![c],
        Source::Decay(c, _) | Source::Ratio(c) | Source::History(c) => vec![c],
        Source::Apart(all) => all.to_vec(),
        Source::Result(_) | Source::Paths | Source::Ends => Vec::new(),
    }
}

#[test]
fn all_columns_are_there_and_all_names_differ() {
    for name in ["suspension", "two_spheres", "soft_suspension", "t1", "soft_pair"]
        .iter()
        .chain(&["falling_sphere", "pair_shear"])
    {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("cases/{name}.toml"));
        let case = Case::read(&file, &[]).unwrap();
        let study = study::of(&case);
        let all = study.quantities(&case, true);
        assert!(all.len() >= 2, "{name}");
        for (k, quantity) in all.iter().enumerate() {
            assert!(!all[..k].iter().any(|q| q.name == quantity.name), "{name}: {quantity:?}");
            for column in columns(quantity.source) {
                let common = || series::columns(&Origin::ALL).iter().any(|c| c.name == column);
                let found =
                    study.columns().map_or_else(common, |own| own.iter().any(|c| c.name == column));
                assert!(found, "{name}: {column}");
            }
            if let Scale::Of(other) = quantity.scale {
                assert!(all.iter().any(|q| q.name == other), "{name}: {other}");
            }
        }
    }
}
