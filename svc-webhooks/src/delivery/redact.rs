//! What a subscription's own headers hold stays out of the log.
//!
//! A receiver in trouble may answer with the very request that it was sent: a
//! page for debugging does. The log keeps answers, and shows them to every caller
//! that may read it, while no caller gets to see the values of those headers again.

use crate::ports::{AnswerHeaders, Exchange};
use crate::subscription::CustomHeaders;

/// Shorter values are no secrets, and would be found everywhere.
const SHORTEST: usize = 4;

/// Puts `***` in the place of every value of these headers that the answer repeats.
pub(super) fn keep(exchange: &mut Exchange, headers: &CustomHeaders) {
    if headers.is_empty() {
        return;
    }
    let answer = match &mut exchange.result {
        Ok(answer) => Some(answer),
        Err(failure) => failure.answer.as_mut(),
    };
    let Some(answer) = answer else { return };
    for (_, value) in headers.iter() {
        let whole = value.expose();
        // `Bearer …`: the token by itself too.
        let token = whole.split_once(' ').map(|(_, token)| token.trim_start());
        for secret in [Some(whole), token].into_iter().flatten().filter(|secret| secret.len() >= SHORTEST) {
            for form in [secret.to_owned(), in_json(secret), in_json(secret).replace('/', "\\/")] {
                answer.headers.replace(|value| hidden(value, form.as_bytes()));
                if let Some(body) = hidden(&answer.body, form.as_bytes()) {
                    answer.body = body.into();
                }
            }
        }
        let last = token.unwrap_or(whole);
        for form in [last.to_owned(), in_json(last)] {
            if let Some(shown) = torn(&answer.body, form.as_bytes()) {
                answer.body = [shown, AnswerHeaders::HIDDEN].concat().into();
            }
        }
    }
}

/// As the text stands within a JSON string: quotes and backslashes escaped. Values are visible ASCII.
fn in_json(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}

/// What stands before the beginning of a `secret` where the text ends in the middle of it: what is kept of a
/// body may have been cut there.
fn torn<'a>(text: &'a [u8], secret: &[u8]) -> Option<&'a [u8]> {
    (SHORTEST..secret.len()).rev().find_map(|length| text.strip_suffix(secret.get(..length)?))
}

/// The text with every `secret` hidden; `None` when there is none.
fn hidden(text: &[u8], secret: &[u8]) -> Option<Vec<u8>> {
    let mut shown = Vec::with_capacity(text.len());
    let (mut rest, mut found) = (text, false);
    while let Some((first, after)) = rest.split_first() {
        if let Some(after) = rest.strip_prefix(secret) {
            shown.extend_from_slice(AnswerHeaders::HIDDEN);
            (rest, found) = (after, true);
        } else {
            shown.push(*first);
            rest = after;
        }
    }
    found.then_some(shown)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ports::Answer;

    #[test]
    fn what_the_answer_repeats_of_the_headers_is_hidden() {
        let headers = CustomHeaders::from_stored([
            ("Authorization".to_owned(), "Bearer open-sesame".to_owned()),
            ("X-Short".to_owned(), "ab".to_owned()),
        ]);
        let mut answer = Answer { body: "open-sesame, Bearer open-sesame about".into(), ..Answer::bare(500) };
        answer.headers.push("x-debug", b"got Bearer open-sesame");
        answer.headers.push("x-other", b"fine");
        let mut exchange = Exchange::ended(Ok(answer));
        keep(&mut exchange, &headers);
        let answer = exchange.answer().expect("an answer");
        assert_eq!(answer.body, "***, *** about");
        let values: Vec<_> = answer.headers.iter().map(|(_, value)| value.to_vec()).collect();
        assert_eq!(values, [b"got ***".to_vec(), b"fine".to_vec()]);
    }

    #[test]
    fn a_value_that_json_escapes_is_hidden_there_too() {
        let headers =
            CustomHeaders::from_stored([("X-Note".to_owned(), r#"open "sesame" \now/then"#.to_owned())]);
        for body in [
            r#"{"got":"open \"sesame\" \\now/then"}"#,
            r#"{"got":"open \"sesame\" \\now\/then"}"#,
            r#"{"got":"open "sesame" \now/then"}"#,
        ] {
            let mut exchange = Exchange::ended(Ok(Answer { body: body.into(), ..Answer::bare(500) }));
            keep(&mut exchange, &headers);
            assert_eq!(exchange.answer().expect("an answer").body, r#"{"got":"***"}"#, "{body}");
        }
        let torn = r#"{"got":"open \"sesame\" \\now/th"#;
        let mut exchange = Exchange::ended(Ok(Answer { body: torn.into(), ..Answer::bare(500) }));
        keep(&mut exchange, &headers);
        assert!(!exchange.answer().expect("an answer").body.windows(3).any(|part| part == b"now"));
    }

    #[test]
    fn the_beginning_of_a_value_is_hidden_where_the_body_was_cut() {
        let headers = CustomHeaders::from_stored([
            ("Authorization".to_owned(), "Bearer open-sesame".to_owned()),
            ("X-Key".to_owned(), "hunter2".to_owned()),
        ]);
        let kept = |body: &'static str| {
            let mut exchange = Exchange::ended(Ok(Answer { body: body.into(), ..Answer::bare(500) }));
            keep(&mut exchange, &headers);
            exchange.answer().expect("an answer").body.clone()
        };
        assert_eq!(kept("sent: Bearer open-sesam"), "sent: Bearer ***");
        assert_eq!(kept("hunter2, hunt"), "***, ***");
        assert_eq!(kept("we hunt, open-minded: Bearer"), "we hunt, open-minded: Bearer");
    }
}
