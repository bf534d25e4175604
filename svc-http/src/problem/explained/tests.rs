//! Every code is explained.

use super::*;

#[test]
fn every_code_has_a_cause_and_a_cure_of_its_own() {
    let mut seen = std::collections::BTreeSet::new();
    for code in Code::ALL {
        let (cause, cure) = (code.cause(), code.cure());
        assert!(cause.len() > 20 && cause.ends_with('.') && cause != code.title(), "{code:?}");
        assert!(cure.ends_with('.'), "{code:?}");
        assert!(seen.insert(cause), "{code:?} has the cause of another code");
    }
}
