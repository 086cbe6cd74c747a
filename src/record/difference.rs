//! In what two resolved cases, or sweeps, differ.

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
    collect(String::new(), Value::Table(table), &mut values);
    values
}

fn collect(key: String, value: Value, values: &mut BTreeMap<String, Value>) {
    match value {
        Value::Table(inner) => {
            for (name, value) in inner {
                let name = if key.is_empty() { name } else { format!("{key}.{name}") };
                collect(name, value, values);
            }
        }
        Value::Array(items) if items.iter().any(Value::is_table) => {
            for (index, value) in items.into_iter().enumerate() {
                collect(format!("{key}[{index}]"), value, values);
            }
        }
        value => {
            values.insert(key, value);
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
        let force = |x| format!("[[force]]\nvector = [1, 0, 0]\n[[force]]\nvector = [{x}, 0, 0]\n");
        assert_eq!(
            first_difference(&force(1), &force(2)).unwrap(),
            "key force[1].vector is [1, 0, 0] there and [2, 0, 0] here"
        );
    }
}
