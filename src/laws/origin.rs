//! Where a stress comes from. Laws name their origins in the register; everything that is kept by
//! origin (stresses, powers, columns) has one place for each, in the order of the register.

use super::REGISTER;

/// How many origins the laws of the register name.
const NAMED: usize = {
    let (mut count, mut law) = (0, 0);
    while law < REGISTER.len() {
        count += REGISTER[law].origins.len();
        law += 1;
    }
    count
};

/// Where a stress comes from: a name, and a place among all origins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Origin {
    place: usize,
    name: &'static str,
}

impl Origin {
    /// All origins that laws of the register name, in the order of output columns.
    pub const ALL: [Origin; NAMED] = {
        let mut all = [Origin { place: 0, name: "" }; NAMED];
        let (mut place, mut law) = (0, 0);
        while law < REGISTER.len() {
            let mut k = 0;
            while k < REGISTER[law].origins.len() {
                all[place] = Origin { place, name: REGISTER[law].origins[k] };
                place += 1;
                k += 1;
            }
            law += 1;
        }
        all
    };

    /// Places for origins of laws from outside the crate.
    pub const FREE: usize = 2;

    /// How many places there are.
    pub const COUNT: usize = NAMED + Origin::FREE;

    /// The origin of this name, which a law of the register brings.
    ///
    /// # Panics
    ///
    /// If no law does; when it is compiled, if the result is a constant.
    pub const fn named(name: &str) -> Origin {
        let mut k = 0;
        while k < NAMED {
            if same(Origin::ALL[k].name, name) {
                return Origin::ALL[k];
            }
            k += 1;
        }
        panic!("no law of the register brings this origin")
    }

    /// An origin for a law from outside the crate, in one of the [`Origin::FREE`] places.
    pub const fn free(place: usize, name: &'static str) -> Origin {
        assert!(place < Origin::FREE, "there is no such place");
        Origin { place: NAMED + place, name }
    }

    /// Its place in everything that is kept by origin.
    pub const fn index(self) -> usize {
        self.place
    }

    /// Its name, as in columns.
    pub const fn name(self) -> &'static str {
        self.name
    }
}

const fn same(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let mut k = 0;
    while k < a.len() && k < b.len() && a[k] == b[k] {
        k += 1;
    }
    k == a.len() && k == b.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn origins_are_in_the_order_of_the_columns() {
        let names = Origin::ALL.map(Origin::name);
        let registered: Vec<&str> = REGISTER.iter().flat_map(|law| law.origins).copied().collect();
        assert_eq!(names[..], registered[..]);
        // What was first in tables stays first.
        assert_eq!(names[..4], ["lubrication", "contact", "friction", "repulsion"]);
        for (place, origin) in Origin::ALL.into_iter().enumerate() {
            assert_eq!(origin.index(), place);
            assert_eq!(Origin::named(origin.name()), origin);
        }
    }
}
