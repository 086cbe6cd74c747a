//! The manual does what it says: every command of the README, of `docs/start` and of
//! `docs/tutorials` is run as a user would type it, page by page and in order, in a directory that
//! has the shipped cases in it.
//!
//! A comment before a fence says what the tests do instead: `<!-- test: skip, why -->`, or other
//! commands, mostly the same ones with less to compute, a line each. Fences of `toml` and `python`
//! that begin with `# NAME.toml` or `# NAME.py` are written to that file. Python is run where it
//! has the packages that a script imports, and skipped with a word on stderr elsewhere. What is
//! quoted from a command, in fences of `text`, has the words of what it printed; numbers may vary.

mod blocks;
mod follow;
mod pages;
#[path = "../common/program.rs"]
mod program;
mod quoted;

use std::collections::BTreeSet;

/// One test for each page.
macro_rules! follow {
    ($($name:ident => $page:literal,)*) => {
        const FOLLOWED: &[&str] = &[$($page),*];
        $(
            #[test]
            fn $name() {
                follow::follow($page);
            }
        )*
    };
}

follow! {
    the_readme => "README.md",
    installing => "docs/start/install.md",
    a_first_curve => "docs/start/first_curve.md",
    reading_results => "docs/start/reading_results.md",
    a_viscosity_curve => "docs/tutorials/viscosity_curve.md",
    shear_thickening => "docs/tutorials/shear_thickening.md",
    t1_durations => "docs/tutorials/t1_durations.md",
    rough_and_soft_spheres => "docs/tutorials/rough_and_soft_spheres.md",
    gluey_particles_in_a_drum => "docs/tutorials/gluey_drum.md",
    cross_checking => "docs/tutorials/crosscheck.md",
    a_packing_of_ones_own => "docs/tutorials/own_packing.md",
    si_units => "docs/tutorials/si_units.md",
}

#[test]
fn every_page_with_commands_is_followed() {
    let of_a_user =
        |page: &String| page.starts_with("docs/start/") || page.starts_with("docs/tutorials/");
    let there: BTreeSet<String> = pages::all().into_iter().filter(of_a_user).collect();
    let followed = FOLLOWED.iter().map(ToString::to_string).filter(of_a_user).collect();
    assert_eq!(there, followed);
}

#[test]
fn every_shipped_case_is_named_on_some_page() {
    let text: String = pages::all().iter().map(|page| pages::text(page)).collect();
    for entry in std::fs::read_dir(program::shipped("")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(!name.ends_with(".toml") || text.contains(&name), "cases/{name}");
    }
}
