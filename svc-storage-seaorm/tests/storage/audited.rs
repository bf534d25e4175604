//! Every use case that changes a credential, a membership or a subscription
//! leaves exactly one entry in the log of each company that it names, and none
//! in any other. Who is at the top of a group is named with each company that
//! comes or goes.
//!
//! [`cases`] lists them by action: one without a case does not compile, or
//! fails here.

mod cases;
mod test_app;

use svc_core::audit::{Action, Verifier};
use svc_testkit::audit::heads;

use self::test_app::TestApp;
use crate::both::on_both;
use crate::fresh::Fresh;

on_both! {
    each_change_is_one_entry_of_each_company_that_it_names
    what_changes_nothing_is_no_entry
    the_whole_log_verifies
}

async fn each_change_is_one_entry_of_each_company_that_it_names(fresh: &Fresh) {
    for (number, action) in Action::ALL.iter().copied().enumerate() {
        let app = TestApp::new(fresh, number).await;
        let cases = cases::of(&app, action).await;
        assert!(!cases.is_empty(), "{} has no case", action.name());
        for case in cases {
            let named: Vec<_> = case.expected.iter().map(|(_, action)| *action).collect();
            assert!(named.contains(&action), "{}: {named:?} is no case of {}", case.name, action.name());
            assert_eq!(case.told, case.expected, "{}", case.name);
        }
    }
}

async fn what_changes_nothing_is_no_entry(fresh: &Fresh) {
    let app = TestApp::new(fresh, 0).await;
    for case in cases::without_change(&app).await {
        assert_eq!(case.told, [], "{}", case.name);
    }
}

async fn the_whole_log_verifies(fresh: &Fresh) {
    let app = TestApp::new(fresh, 0).await;
    for action in [Action::TokenCreate, Action::MemberAdd, Action::SubscriptionUpdate] {
        cases::of(&app, action).await;
    }
    let reader = fresh.database.audit();
    let heads = heads(&*reader).await;
    assert!(heads.get(&app.acme).is_some_and(|head| head.number > 3), "{heads:?}");
    let keys = crate::fresh::keys().chain_keys();
    let verifier = Verifier { reader: &*reader, keys: &keys, expected: &[] };
    for account in heads.into_keys() {
        assert_eq!(verifier.verify(account, |_| {}).await.expect("read").fault, None);
    }
}
