//! What a new password must be (NIST SP 800-63B, section 3.1.1.2): long, and
//! not what others know of the person. No rule asks for digits or signs, and
//! none makes a password end by itself.

use svc_core::error::{ValidationErrors, Validator};

use crate::ports::Person;
use crate::session::PasswordText;

/// Characters of the shortest and of the longest password.
const LENGTHS: std::ops::RangeInclusive<usize> = 12..=128;

/// Checks a new password of this person; `field` is what the caller's input calls it.
///
/// # Errors
/// Every rule that it breaks.
pub fn check_password(field: &str, password: &PasswordText, person: &Person) -> Result<(), ValidationErrors> {
    let text = password.expose();
    let mut validator = Validator::new();
    validator.require(
        LENGTHS.contains(&text.chars().count()),
        field,
        "out_of_range",
        "a password has 12 to 128 characters",
    );
    let known = [&person.email, &person.name].map(|known| PasswordText::new(known.trim()));
    let lower = text.trim().to_lowercase();
    validator.require(
        !known.iter().any(|known| known.expose().to_lowercase() == lower),
        field,
        "too_easy",
        "a password is neither the e-mail address nor the name",
    );
    validator.finish()
}

#[cfg(test)]
mod tests {
    use svc_core::id::{TypedId, UserId};
    use uuid::Uuid;

    use super::*;

    fn codes(password: &str) -> Vec<&'static str> {
        let ana = Person {
            id: UserId::from_uuid(Uuid::nil()),
            email: "ana.ruiz@acme.example".into(),
            name: "Ana Ruiz Belmonte".into(),
            active: true,
        };
        let checked = check_password("newPassword", &PasswordText::new(password), &ana);
        checked.err().map_or_else(Vec::new, |invalid| {
            assert!(invalid.0.iter().all(|error| error.field == "newPassword"));
            invalid.0.iter().map(|error| error.code).collect()
        })
    }

    #[test]
    fn length_is_counted_in_characters_and_nothing_else_is_asked_for() {
        assert!(codes("aaaaaaaaaaaa").is_empty());
        assert!(codes(&"é".repeat(128)).is_empty());
        assert_eq!(codes("aaaaaaaaaaa"), ["out_of_range"]);
        assert_eq!(codes(&"é".repeat(129)), ["out_of_range"]);
        assert_eq!(codes("éééééé"), ["out_of_range"]);
    }

    #[test]
    fn the_address_and_the_name_are_refused_in_any_case() {
        for text in ["ana.ruiz@acme.example", "ANA.RUIZ@ACME.EXAMPLE", " Ana RUIZ Belmonte "] {
            assert_eq!(codes(text), ["too_easy"], "{text}");
        }
        assert!(codes("ana.ruiz@acme.example!").is_empty());
    }
}
