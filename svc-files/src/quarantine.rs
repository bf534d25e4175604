//! Names of uploads that go on.

use svc_core::clock::Timestamp;
use svc_core::random::{self, RandomSource};

/// A name whose order is that in which uploads were begun, and that no other upload has.
pub(crate) fn name(now: Timestamp, random: &dyn RandomSource) -> String {
    let unique = random::base62(&random::bytes::<16>(random));
    format!("{:020}-{unique}", now.unix_micros().max(0))
}

/// When the upload of this name was begun; `None` for a name that is none of an upload.
pub(crate) fn begun(name: &str) -> Option<Timestamp> {
    let (micros, unique) = name.split_once('-')?;
    let sound = micros.len() == 20 && unique.len() == 22 && unique.bytes().all(|b| b.is_ascii_alphanumeric());
    micros.parse().ok().filter(|_| sound).map(Timestamp::from_unix_micros)
}

#[cfg(test)]
mod tests {
    use svc_testkit::fakes::SeededRandom;

    use super::*;

    #[test]
    fn a_name_tells_when_its_upload_was_begun() {
        let random = SeededRandom::new(1);
        let now = Timestamp::from_unix_micros(1_738_314_900_000_001);
        let [first, second] = [name(now, &random), name(now, &random)];
        assert_ne!(first, second);
        assert_eq!([begun(&first), begun(&second)], [Some(now); 2]);
        for other in ["", "lost+found", &first[1..], &format!("{first}.upload"), "-", "../../etc/passwd"] {
            assert_eq!(begun(other), None, "{other}");
        }
    }
}
