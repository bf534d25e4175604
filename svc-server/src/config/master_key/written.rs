//! Keys as people write them: `KEY`, or `NUMBER:KEY` once there is more than one.

use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD, URL_SAFE, URL_SAFE_NO_PAD};
use secrecy::zeroize::Zeroizing;
use secrecy::{ExposeSecret as _, SecretBox};

/// Number of a key that is written without one.
const FIRST: u32 = 1;

/// A key and its number, which is stored beside everything that the key made.
#[derive(Clone, Debug)]
pub(crate) struct Numbered {
    /// Its number.
    pub(crate) id: u32,
    key: Arc<SecretBox<[u8; 32]>>,
}

impl Numbered {
    /// Reads `KEY` or `NUMBER:KEY`.
    pub(super) fn read(text: &str) -> Result<Self, String> {
        let (id, key) = match text.split_once(':') {
            None => (FIRST, text),
            Some((id, key)) => {
                let id = id.trim().parse().ok().filter(|id| *id >= FIRST);
                (id.ok_or("needs a whole number from 1 before the colon")?, key.trim())
            }
        };
        Ok(Self { id, key: Arc::new(SecretBox::new(Box::new(bytes(key)?))) })
    }

    /// The key.
    pub(super) fn expose(&self) -> [u8; 32] {
        *self.key.expose_secret()
    }
}

/// A key without a number, as it is written to a new file.
pub(super) fn line(key: &[u8; 32]) -> Zeroizing<String> {
    Zeroizing::new(format!("{}\n", STANDARD.encode(key)))
}

/// Reads 64 hexadecimal digits, or base 64 of 32 bytes in any of its usual forms.
pub(crate) fn bytes(text: &str) -> Result<[u8; 32], String> {
    let bytes = Zeroizing::new(if text.len() == 64 { hex(text) } else { base64(text) }.unwrap_or_default());
    let key = <[u8; 32]>::try_from(bytes.as_slice())
        .map_err(|_| "is not 32 bytes in base64 or hexadecimal digits".to_owned())?;
    // A placeholder, or a variable that was never filled.
    if key == [0; 32] {
        return Err("is all zeros: make one with `openssl rand -base64 32`".to_owned());
    }
    Ok(key)
}

fn hex(text: &str) -> Option<Vec<u8>> {
    let (pairs, _) = text.as_bytes().as_chunks::<2>();
    pairs
        .iter()
        .map(|pair| {
            pair.iter().try_fold(0_u8, |byte, digit| {
                let value = u8::try_from(char::from(*digit).to_digit(16)?).ok()?;
                Some((byte << 4) | value)
            })
        })
        .collect()
}

fn base64(text: &str) -> Option<Vec<u8>> {
    [STANDARD, STANDARD_NO_PAD, URL_SAFE, URL_SAFE_NO_PAD]
        .into_iter()
        .find_map(|engine| engine.decode(text).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_read_from_every_usual_form_and_nothing_else() {
        let key: [u8; 32] = std::array::from_fn(|at| 255 - u8::try_from(at).expect("below 32"));
        let digits = key.map(|byte| format!("{byte:02X}")).concat();
        for text in [digits.clone(), STANDARD.encode(key), URL_SAFE_NO_PAD.encode(key)] {
            assert_eq!(bytes(&text), Ok(key), "{text}");
            let numbered = Numbered::read(&format!("7: {text}")).expect("valid");
            assert_eq!((numbered.id, numbered.expose()), (7, key));
            assert_eq!(Numbered::read(&text).map(|alone| alone.id), Ok(1));
        }
        for text in [&digits[2..], "", &"zz".repeat(32), &STANDARD.encode([0; 31]), &"é".repeat(32)] {
            assert!(bytes(text).is_err(), "{text}");
        }
        assert!(bytes(&STANDARD.encode([0; 32])).is_err() && bytes(&"00".repeat(32)).is_err());
        for number in ["0", "", "one", "-1", "4294967296", "1:1"] {
            assert!(Numbered::read(&format!("{number}:{digits}")).is_err(), "{number}");
        }
    }

    #[test]
    fn debug_output_hides_the_key() {
        let text = format!("{:?}", Numbered::read(&"ab".repeat(32)).expect("valid"));
        assert!(text.contains("id: 1") && !text.contains("171"), "{text}");
    }
}
