//! `contacts.csv`: the contacts of each frame.

use super::super::output::{Opening, Output, View};
use super::{About, opened};
use crate::error::Error;
use crate::integrate::ContactSeen;
use crate::record::column::{Column, describe, values};
use crate::record::{AppendFile, CONTACTS, TableWriter};

/// A contact at a strain and a time.
struct At {
    strain: f64,
    time: f64,
    ids: [u32; 2],
    contact: ContactSeen,
}

/// Columns of `contacts.csv`; a partner that is no particle is a surface of an obstacle.
const COLUMNS: &[Column<At>] = &[
    Column::new("strain", "1", "total strain", |c| c.strain),
    Column::new("i", "1", "particle i", |c| c.ids[0].into()),
    Column::new("j", "1", "its partner j", |c| c.ids[1].into()),
    Column::new("gap", "a", "gap, or thickness of the film", |c| c.contact.gap),
    Column::new("nx", "1", "unit vector from i to j, along x", |c| c.contact.normal.x),
    Column::new("ny", "1", "unit vector from i to j, along y", |c| c.contact.normal.y),
    Column::new("nz", "1", "unit vector from i to j, along z", |c| c.contact.normal.z),
    Column::new(
        "normal_force",
        "F",
        "force on j along the unit vector, positive when pressed",
        |c| c.contact.force.dot(&c.contact.normal),
    ),
    Column::new("fx", "F", "force on j, along x", |c| c.contact.force.x),
    Column::new("fy", "F", "force on j, along y", |c| c.contact.force.y),
    Column::new("fz", "F", "force on j, along z", |c| c.contact.force.z),
    Column::new("sliding", "1", "1 if the contact slides", |c| u8::from(c.contact.slides).into()),
    Column::new(
        "overloaded",
        "1",
        "1 if it is pressed by more than its asperities can bear",
        |c| u8::from(c.contact.overloaded).into(),
    ),
    Column::new("time", "t", "time", |c| c.time),
];

/// The output in the register.
pub(super) const ABOUT: About = About {
    file: CONTACTS,
    when: "with `output.contacts`, one row per contact and frame",
    columns: || describe(COLUMNS),
    open: |asked| match asked.case.output.contacts {
        true => opened(Contacts::open(asked.opening)),
        false => Ok(None),
    },
};

/// The contacts of each frame.
pub struct Contacts(TableWriter);

impl Contacts {
    /// At the beginning, or where they go on.
    pub fn open(opening: &Opening) -> Result<Self, Error> {
        Ok(Contacts(opening.table(CONTACTS, COLUMNS)?))
    }
}

impl Output for Contacts {
    fn name(&self) -> &'static str {
        "contacts"
    }

    fn files(&self) -> Vec<&AppendFile> {
        vec![self.0.file()]
    }

    fn at_frame(&mut self, view: &View) -> Result<(), Error> {
        let (strain, time) = (view.suspension.clock.strain, view.suspension.clock.time);
        let contacts = view.stepper.contacts();
        let particles = view.suspension.len();
        self.0.write_rows(contacts.into_iter().map(|contact| {
            values(COLUMNS, &At { strain, time, ids: contact.ids.numbers(particles), contact })
        }))
    }
}
