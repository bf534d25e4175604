//! A signature as a person made it.

use serde::{Deserialize, Serialize};
use svc_core::trail::Digest;
use svc_core::wire_names;

/// The points of one signature.
pub const MOST_POINTS: usize = 5_000;
/// How far from its corner a point is, in any unit that is the same for all.
pub const MOST_FAR: u32 = 100_000;

/// How a signature was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InkKind {
    /// A name that was typed: `typed`
    Typed,
    /// Drawn, by hand or with a mouse: `drawn`
    Drawn,
}

wire_names!(InkKind { Typed = "typed", Drawn = "drawn" });

/// A signature that was judged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ink {
    /// A name that was typed, 1 to 200 characters.
    Typed(String),
    /// Strokes of points, each from the top left corner: [`MOST_POINTS`] at most.
    Drawn(Vec<Vec<(u32, u32)>>),
}

impl Ink {
    /// How it was made.
    #[must_use]
    pub const fn kind(&self) -> InkKind {
        match self {
            Self::Typed(_) => InkKind::Typed,
            Self::Drawn(_) => InkKind::Drawn,
        }
    }

    /// The digest of its JSON, which the trail keeps.
    #[must_use]
    pub fn digest(&self) -> Digest {
        Digest::of(self.to_json().as_bytes())
    }

    /// Its JSON, as it is kept.
    #[must_use]
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("texts and numbers have a JSON form")
    }
}
