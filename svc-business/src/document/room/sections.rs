//! The sections that a guest is let into.

use thiserror::Error;

use super::Section;

/// So many sections a grant names at most.
pub const MOST_SECTIONS: usize = 20;

/// Sections of a data room, each with what is below it: at least one, in their order, none within another one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sections(Vec<Section>);

/// Why sections are none that a guest is let into.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum SectionsError {
    /// There is none.
    #[error("name at least one section")]
    None,
    /// There are too many.
    #[error("name at most {MOST_SECTIONS} sections: one has those below it too")]
    TooMany,
}

impl Sections {
    /// These, without those that are within another one.
    ///
    /// # Errors
    /// [`SectionsError`]
    pub fn of(mut sections: Vec<Section>) -> Result<Self, SectionsError> {
        // The key of a section begins those of what is below it, and is in front of them.
        sections.sort_by_cached_key(Section::key);
        let mut kept: Vec<Section> = Vec::new();
        for section in sections {
            if !kept.last().is_some_and(|above| above.has(&section)) {
                kept.push(section);
            }
        }
        match kept.len() {
            0 => Err(SectionsError::None),
            1..=MOST_SECTIONS => Ok(Self(kept)),
            _ => Err(SectionsError::TooMany),
        }
    }

    /// Each of them.
    #[must_use]
    pub fn as_slice(&self) -> &[Section] {
        &self.0
    }

    /// Whether a section is one of them, or below one.
    #[must_use]
    pub fn have(&self, section: &Section) -> bool {
        self.0.iter().any(|one| one.has(section))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn section(text: &str) -> Section {
        text.parse().expect("a section")
    }

    #[test]
    fn a_section_has_those_below_it_and_no_others() {
        let given =
            ["2 Tax", "1 Corporate/1.2 Statutes", "1 CORPORATE", "1 Corporate/1.1", "10 Other"].map(section);
        let sections = Sections::of(given.to_vec()).expect("sections");
        let texts: Vec<&str> = sections.as_slice().iter().map(Section::as_str).collect();
        assert_eq!(texts, ["1 CORPORATE", "2 Tax", "10 Other"]);
        for (text, has) in [
            ("1 Corporate", true),
            ("1 corporate/1.2 Statutes/a", true),
            ("1 Corporate B", false),
            ("1", false),
            ("2 Taxes", false),
            ("10 other/1", true),
            ("Corporate", false),
        ] {
            assert_eq!(sections.have(&section(text)), has, "{text}");
        }
    }

    #[test]
    fn there_are_some_and_not_too_many() {
        assert_eq!(Sections::of(vec![]), Err(SectionsError::None));
        let many = |count: usize| (0..count).map(|number| section(&format!("Part {number}"))).collect();
        assert!(Sections::of(many(MOST_SECTIONS)).is_ok());
        assert_eq!(Sections::of(many(MOST_SECTIONS + 1)), Err(SectionsError::TooMany));
        assert!(Sections::of(vec![section("a"); MOST_SECTIONS + 1]).is_ok(), "the same one counts once");
    }
}
