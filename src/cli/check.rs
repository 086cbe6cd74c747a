//! `zerostokes check`: what a case means, before anything runs.

use super::{CaseArguments, print};
use crate::Error;
use crate::case::Case;
use crate::study;

pub(super) fn check(arguments: &CaseArguments) -> Result<(), Error> {
    let case = Case::read(&arguments.case, &arguments.set)?;
    let mut lines = vec![format!("{}: valid", arguments.case.display())];
    lines.extend(study::of(&case).meaning(&case)?);
    lines.push(String::new());
    lines.push("# resolved, with every default".to_owned());
    lines.extend(case.to_toml().lines().map(str::to_owned));
    print(&lines)
}
