//! In which language a person reads.

use svc_business::party::LanguageTag;

/// Whether a person reads Spanish; all others are written to in English.
pub(crate) fn is_spanish(locale: &LanguageTag) -> bool {
    locale.as_str().split('-').next() == Some("es")
}
