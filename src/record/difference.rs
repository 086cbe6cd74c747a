//! In what two resolved cases differ.

use std::collections::{BTreeMap, BTreeSet};

use toml::{Table, Value};

/// The first key in which two cases differ, with both values; `None` if they say the same.
pub fn first_difference(there: &str, here: &str) -> Option<String> {
    if there == here {
        return None;
    }
    match (there.parse(), here.parse()) {
        (Ok(there), Ok(here)) => first_key(&flatten(there), &flatten(here)),
        _ => Some(first_line(there, here)),
    }
}

fn first_key(there: &BTreeMap<String, Value>, here: &BTreeMap<String, Value>) -> Option<String> {
    let keys: BTreeSet<_> = there.keys().chain(here.keys()).collect();
    let key = keys.into_iter().find(|key| there.get(*key) != here.get(*key))?;
    let say = |value: Option<&Value>| value.map_or("absent".to_string(), Value::to_string);
    Some(format!("key {key} is {} there and {} here", say(there.get(key)), say(here.get(key))))
}

fn first_line(there: &str, here: &str) -> String {
    let same = there.lines().zip(here.lines()).take_while(|(a, b)| a == b).count();
    format!("line {} of case.toml", same + 1)
}

/// All values by their dotted keys.
fn flatten(table: Table) -> BTreeMap<String, Value> {
    let mut values = BTreeMap::new();
    collect(String::new(), table, &mut values);
    values
}

fn collect(prefix: String, table: Table, values: &mut BTreeMap<String, Value>) {
    for (key, value) in table {
        let key = if prefix.is_empty() { key } else { format!("{prefix}.{key}") };
        match value {
            Value::Table(inner) => collect(key, inner, values),
            value => {
                values.insert(key, value);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_the_first_key_with_both_values() {
        let there = "[particles]\nseed = 1\ncount = 10\n";
        let say = |here| first_difference(there, here);
        assert_eq!(say(there), None);
        assert_eq!(say("# same\nparticles = { count = 10, seed = 1 }"), None);
        let seed = say("[particles]\nseed = 2\ncount = 10\n").unwrap();
        assert_eq!(seed, "key particles.seed is 1 there and 2 here");
        let absent = say("[particles]\nseed = 1\n").unwrap();
        assert_eq!(absent, "key particles.count is 10 there and absent here");
        assert_eq!(say("[particles]\nseed = \n").unwrap(), "line 2 of case.toml");
    }
}
