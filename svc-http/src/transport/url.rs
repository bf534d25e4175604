//! Tokens in URLs, which end up in logs.

use http::Uri;
use http::uri::Authority;
use svc_core::mark::Mark;

/// Whether a URL carries a credential, which must then be treated as leaked: a token has this mark.
///
/// Percent-encoding hides nothing: the text is looked at as it came, decoded,
/// and decoded again, since a careless client encodes twice.
pub(super) fn carries_token(uri: &Uri, mark: Mark) -> bool {
    let texts = [uri.authority().map(Authority::as_str), Some(uri.path()), uri.query()];
    texts.into_iter().flatten().any(|text| mentions(text.as_bytes(), mark.as_str().as_bytes()))
        || uri.query().is_some_and(|query| query.split('&').any(names_token))
}

fn mentions(text: &[u8], mark: &[u8]) -> bool {
    let found = |text: &[u8]| text.windows(mark.len()).any(|part| part == mark);
    if found(text) {
        return true;
    }
    let Some(once) = decoded(text) else { return false };
    found(&once) || decoded(&once).is_some_and(|twice| found(&twice))
}

/// Whether a pair of the query is named like a credential.
fn names_token(pair: &str) -> bool {
    let name = pair.split('=').next().unwrap_or_default().as_bytes();
    let decoded = decoded(name);
    let name = decoded.as_deref().unwrap_or(name);
    ["token", "access_token", "api_key", "apikey"]
        .iter()
        .any(|known| name.eq_ignore_ascii_case(known.as_bytes()))
}

/// The text without its percent-encoding (RFC 3986, section 2.1); `None` when it has none.
fn decoded(text: &[u8]) -> Option<Vec<u8>> {
    if !text.contains(&b'%') {
        return None;
    }
    let mut plain = Vec::with_capacity(text.len());
    let mut rest = text;
    while let [first, after @ ..] = rest {
        rest = after;
        match (*first, after) {
            (b'%', [high, low, beyond @ ..]) => match (digit(*high), digit(*low)) {
                (Some(high), Some(low)) => {
                    plain.push((high << 4) | low);
                    rest = beyond;
                }
                (None, _) | (_, None) => plain.push(b'%'),
            },
            (byte, _) => plain.push(byte),
        }
    }
    Some(plain)
}

fn digit(byte: u8) -> Option<u8> {
    char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_known_by_the_mark_of_its_service() {
        let carries = |uri: &'static str, mark| carries_token(&Uri::from_static(uri), mark);
        let (standard, own) = (Mark::of("svc_live_"), Mark::of("shop_"));
        assert!(carries("/contacts?q=svc_live_4fQ", standard) && !carries("/contacts?q=shop_4fQ", standard));
        assert!(carries("/contacts?q=sh%6fp_4fQ", own) && !carries("/contacts?q=svc_live_4fQ", own));
    }

    #[test]
    fn broken_percent_encoding_stays_as_it_is() {
        let text = |bytes: &[u8]| decoded(bytes).map(|plain| String::from_utf8(plain).expect("text"));
        assert_eq!(text(b"plain"), None);
        assert_eq!(text(b"%41%4a%zz%4").as_deref(), Some("AJ%zz%4"));
        assert_eq!(text(b"%%41%").as_deref(), Some("%A%"));
    }
}
