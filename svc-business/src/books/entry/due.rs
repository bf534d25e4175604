//! When what an entry opened is due, which may change after it was posted.

use time::Date;

use super::{Entry, EntryStatus};

impl Entry {
    /// The entry with another day on which what it opened is due: on each line that has one. A posted line keeps the day
    /// of its posting too, which its hash was made of.
    #[must_use]
    pub(crate) fn due_on(mut self, day: Date) -> Self {
        let is_posted = match self.status {
            EntryStatus::Draft => false,
            EntryStatus::Posted { .. } | EntryStatus::Reversed { .. } => true,
        };
        for line in &mut self.lines {
            if line.due_date.is_some_and(|due| due != day) {
                let posted = line.posted_due_date.or(line.due_date);
                line.posted_due_date = posted.filter(|_| is_posted);
                line.due_date = Some(day);
            }
        }
        self
    }
}
