//! The draft of a rectifying document.

use svc_core::error::Validator;

use super::{RectifyRefused, judge_original, judge_reason};
use crate::sales::document::{Content, Ids, Kind, Line, Method, ReasonCode, Rectification, SalesDocument};

/// How a document is to be put right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rectify {
    /// By differences or by substitution.
    pub method: Method,
    /// Why, for the tax office.
    pub reason_code: ReasonCode,
    /// Why, for people: 1 to 500 characters.
    pub reason: String,
    /// What the draft says.
    pub lines: RectifyLines,
}

/// What the draft of a rectifying document says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RectifyLines {
    /// All lines of the original: taken back by differences, said again by substitution.
    Full,
    /// These lines.
    Lines(Vec<Line>),
}

impl SalesDocument {
    /// A draft that puts this document right. Its taxes are those of the day of this one.
    ///
    /// # Errors
    /// [`RectifyRefused`]. How much may be put right is judged when the draft is issued.
    pub fn rectify(&self, how: Rectify, ids: &Ids<'_>) -> Result<Self, RectifyRefused> {
        judge_original(self)?;
        let mut validator = Validator::new();
        judge_reason(&mut validator, how.reason_code, std::slice::from_ref(self));
        validator.finish()?;
        let content = match (how.lines, how.method) {
            (RectifyLines::Full, Method::Differences) => self.content.negated(ids)?,
            (RectifyLines::Full, Method::Substitution) => self.content.copied(ids),
            (RectifyLines::Lines(lines), Method::Differences | Method::Substitution) => {
                let (currency, included) = (self.content.currency(), self.content.prices_include_tax());
                Content::new(currency, included, lines, None)?
            }
        };
        let rectification = Rectification {
            originals: vec![self.id],
            method: how.method,
            reason_code: how.reason_code,
            reason: how.reason,
        };
        let draft = self.drafted(Kind::Rectifying { rectification }, ids);
        Ok(Self { content, operation_date: self.tax_date(), source: None, ..draft })
    }
}
