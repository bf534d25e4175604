//! Personal data by type (specification, part 2.6).
//!
//! [`Pii<T>`] has no `Serialize`, no `Display` and no `Deref`, and its `Debug`
//! prints `***`. The one way to a response is [`Pii::show`], which takes the
//! caller's [`PiiAccess`] and gives a [`Shown`] value: masked, or in full when the
//! authority that checked the credential handed out a [`Reveal`].
//!
//! ```
//! # use svc_core::pii::Pii;
//! assert_eq!(format!("{:?}", Pii::new("+34600123456")), "***");
//! ```
//! ```compile_fail,E0277
//! # use svc_core::pii::Pii;
//! let phone = Pii::new(String::from("+34600123456"));
//! serde_json::to_string(&phone).unwrap(); // personal data does not serialise
//! ```
//! ```compile_fail,E0277
//! # use svc_core::pii::Pii;
//! println!("{}", Pii::new(String::from("+34600123456"))); // nor does it print
//! ```
//! ```compile_fail,E0614
//! # use svc_core::pii::Pii;
//! let phone = *Pii::new(String::from("+34600123456")); // nor does it turn into what it hides
//! ```
//!
//! Nor does code see it that was not shown the proof of the authority:
//!
//! ```compile_fail,E0423
//! # use svc_core::pii::{Reveal, PiiAccess};
//! let sight = PiiAccess::Full(Reveal(()));
//! ```

use std::fmt;

use serde::{Serialize, Serializer};

/// A value that is personal data.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pii<T>(T);

impl<T> Pii<T> {
    /// Marks a value as personal data.
    pub const fn new(value: T) -> Self {
        Self(value)
    }

    /// The value itself, for rules and for storage; never for a response or a log.
    ///
    /// On the workspace's list of disallowed methods, so that each use states its reason.
    pub const fn expose(&self) -> &T {
        &self.0
    }

    /// The value itself, for a document that goes as a whole to who may see personal data.
    pub const fn revealed(&self, _proof: Reveal) -> &T {
        &self.0
    }

    /// Another piece of personal data made from this one.
    pub fn map<U>(self, change: impl FnOnce(T) -> U) -> Pii<U> {
        Pii(change(self.0))
    }
}

impl<T: Mask> Pii<T> {
    /// The form of the value that this caller may see.
    pub fn show(&self, access: PiiAccess) -> Shown<T::View> {
        Shown(match access {
            PiiAccess::Masked => self.0.masked(),
            PiiAccess::Full(Reveal(())) => Some(self.0.full()),
        })
    }
}

impl<T> fmt::Debug for Pii<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("***")
    }
}

/// A kind of personal data with its masked form.
pub trait Mask {
    /// What a response carries.
    type View;

    /// The value with its personal part hidden; `None` becomes JSON `null`.
    fn masked(&self) -> Option<Self::View>;

    /// The value in full.
    fn full(&self) -> Self::View;
}

/// Proof that a caller may see personal data.
///
/// Made only by the authority that checked the credential: [`Reveal::granted`]
/// is on the workspace's list of disallowed methods.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reveal(());

impl Reveal {
    /// Hands out the proof.
    #[must_use]
    pub const fn granted() -> Self {
        Self(())
    }
}

/// How a caller sees personal data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PiiAccess {
    /// Masked by the rules of the specification, part 2.6.
    Masked,
    /// In full.
    Full(Reveal),
}

impl PiiAccess {
    /// The proof, where personal data is visible in full.
    #[must_use]
    pub const fn proof(self) -> Option<Reveal> {
        match self {
            Self::Masked => None,
            Self::Full(proof) => Some(proof),
        }
    }

    /// Whether personal data is visible in full.
    #[must_use]
    pub const fn is_full(self) -> bool {
        matches!(self, Self::Full(_))
    }
}

/// Personal data in the form that one caller may see: ready for a response.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown<V>(Option<V>);

impl<V: Serialize> Serialize for Shown<V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

/// Replaces every character but the first `head` and the last `tail` by `*`;
/// all of them when nothing would be left to hide.
#[must_use]
pub fn mask(text: &str, head: usize, tail: usize) -> String {
    let length = text.chars().count();
    let hidden = |at: usize| length <= head + tail || (at >= head && at < length - tail);
    text.chars().enumerate().map(|(at, letter)| if hidden(at) { '*' } else { letter }).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_examples_of_the_specification() {
        assert_eq!(mask("B12345674", 1, 2), "B******74");
        assert_eq!(mask("ES9121000418450200051332", 4, 4), "ES91****************1332");
        assert_eq!(mask("+34600123456", 0, 3), "*********456");
        assert_eq!(mask("B74", 1, 2), "***");
    }

    #[test]
    fn debug_output_hides_the_value() {
        assert_eq!(format!("{:?}", Some(Pii::new("secret"))), "Some(***)");
    }

    proptest! {
        #[test]
        fn a_mask_keeps_the_length_and_never_shows_the_middle(text in "\\PC{0,40}", head in 0_usize..5, tail in 0_usize..5) {
            let masked = mask(&text, head, tail);
            prop_assert_eq!(masked.chars().count(), text.chars().count());
            let shown = masked.chars().zip(text.chars()).filter(|(m, t)| m == t && *m != '*').count();
            prop_assert!(shown <= head + tail);
        }
    }
}
