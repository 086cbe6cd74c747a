//! What every pair law must do. A new law joins by its entry in the register.

mod outside;
mod properties;
mod wall_limit;

use zerostokes::laws::{REGISTER, Sample};

/// The samples of all laws.
fn samples() -> impl Iterator<Item = Sample> {
    REGISTER.iter().flat_map(|about| (about.samples)())
}

#[test]
fn every_law_has_samples_and_its_own_name() {
    for about in REGISTER {
        let samples = (about.samples)();
        assert!(!samples.is_empty(), "{}", about.name);
        assert!(samples.iter().all(|sample| sample.law.name() == about.name), "{}", about.name);
    }
}
