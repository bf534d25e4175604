//! The data room: files that a company shows to others, in sections (specification, domain part 10.2).

mod section;

pub use self::section::{MOST_DEPTH, MOST_LENGTH, Section, SectionError};
