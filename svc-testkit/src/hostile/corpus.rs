//! All behaviours, by what they abuse.

mod bodies;
mod connections;
mod floods;
mod framing;
mod heads;
mod redirects;
mod stalls;
mod tls;

use super::behaviour::{Behaviour, End};

/// All behaviours.
#[must_use]
pub fn corpus() -> Vec<Behaviour> {
    [
        stalls::ALL,
        floods::ALL,
        heads::ALL,
        framing::ALL,
        bodies::ALL,
        connections::ALL,
        redirects::ALL,
        tls::ALL,
    ]
    .concat()
}

/// An answer as it should be.
const OK: &str = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok";

/// 10 MiB of zeros, packed by gzip.
const BOMB: &[u8] = include_bytes!("corpus/zeros.gz");

const TIMEOUT: &[End] = &[End::Timeout];
const BROKEN: &[End] = &[End::Broken];
const TLS: &[End] = &[End::Tls];
const TAKEN: &[End] = &[End::Answered(200)];
/// Which comes first is a matter of luck.
const TAKEN_OR_BROKEN: &[End] = &[End::Answered(200), End::Broken];

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn there_are_more_than_forty_behaviours_and_each_has_a_name_of_its_own() {
        let corpus = corpus();
        let names: HashSet<_> = corpus.iter().map(|behaviour| behaviour.name).collect();

        assert_eq!(names.len(), corpus.len());
        assert!(corpus.len() > 40, "{}", corpus.len());
        assert!(corpus.iter().all(|behaviour| !behaviour.ends.is_empty() && !behaviour.then.is_empty()));
    }
}
