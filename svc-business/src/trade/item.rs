//! What a line is about, and what its quantity counts.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// What kind of thing is sold or bought.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ItemType {
    /// `service`
    #[default]
    Service,
    /// `good`
    Good,
}

svc_core::wire_names!(ItemType { Service = "service", Good = "good" });

/// What is supplied, where tax returns tell it apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Supply {
    /// Goods that are no investment goods: `goods`
    Goods,
    /// `services`
    Services,
    /// Investment goods (Ley 37/1992 art. 108): `investment`
    Investment,
}

svc_core::wire_names!(Supply { Goods = "goods", Services = "services", Investment = "investment" });

/// A unit of measure: a code of UN/ECE recommendation 20, two or three capital letters and digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct UnitCode {
    /// A zero byte after a code of two.
    code: [u8; 3],
}

/// Not the form of a unit of measure.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("expected a code of UN/ECE recommendation 20 such as C62, HUR or KGM")]
pub struct InvalidUnit;

impl Default for UnitCode {
    /// `C62`: one.
    fn default() -> Self {
        Self { code: *b"C62" }
    }
}

impl FromStr for UnitCode {
    type Err = InvalidUnit;

    fn from_str(text: &str) -> Result<Self, InvalidUnit> {
        let plain = text.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit());
        match text.as_bytes() {
            [first, second] if plain => Ok(Self { code: [*first, *second, 0] }),
            [first, second, third] if plain => Ok(Self { code: [*first, *second, *third] }),
            _ => Err(InvalidUnit),
        }
    }
}

impl fmt::Display for UnitCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let code = std::str::from_utf8(&self.code).map_err(|_| fmt::Error)?;
        f.write_str(code.trim_end_matches('\0'))
    }
}
