//! The sessions of a person, as they see and end them.

use svc_auth::session::{
    Device, Lifetime, SessionValue, SignedIn, end_session, list_sessions, sign_out_everywhere,
};
use svc_core::id::SessionId;

use crate::test_app::{PASSWORD, TestApp, user};

impl TestApp {
    async fn listed(&self, signed_in: &SignedIn) -> Vec<SessionId> {
        let listed = list_sessions(&self.storage, Lifetime::default(), signed_in, self.now()).await;
        listed.expect("a store").into_iter().map(|session| session.id).collect()
    }

    async fn live(&self, values: &[SessionValue]) -> Vec<bool> {
        let mut live = Vec::new();
        for value in values {
            live.push(self.resume(value).await.is_some());
        }
        live
    }
}

#[tokio::test]
async fn live_sessions_are_listed_with_their_browsers() {
    let app = TestApp::new();
    let (first, _) = app.sign_in().await;
    app.wait(20);
    let (second, _) = app.sign_in().await;
    assert_eq!(app.listed(&second).await, [second.session().id, first.session().id]);
    assert_eq!(first.session().device, Device::named("Firefox/140"));
    app.wait(20);
    assert_eq!(
        app.listed(&second).await,
        [second.session().id],
        "the other one was not used for half an hour"
    );
}

#[tokio::test]
async fn a_person_ends_their_own_sessions_and_those_of_no_other() {
    let app = TestApp::new();
    let (first, one) = app.sign_in().await;
    let (_, two) = app.sign_in().await;
    let ben = user(2);
    app.put_person(ben, "ben@acme.example", true);
    app.storage.put_password(ben, app.hasher.stored(PASSWORD), app.now());
    let (ben, three) = app.try_sign_in(("ben@acme.example", PASSWORD), None).await.expect("Ben may sign in");
    let values = [one, two, three];
    end_session(&app.storage, &ben, first.session().id).await.expect("no error");
    assert_eq!(app.live(&values).await, [true; 3]);
    end_session(&app.storage, &first, first.session().id).await.expect("ended");
    end_session(&app.storage, &first, first.session().id).await.expect("again");
    assert_eq!(app.live(&values).await, [false, true, true]);
}

#[tokio::test]
async fn signing_out_everywhere_ends_all_sessions_of_the_person() {
    let app = TestApp::new();
    let (_, one) = app.sign_in().await;
    let (second, two) = app.sign_in().await;
    assert_eq!(sign_out_everywhere(&app.storage, &second).await.expect("a store"), 2);
    assert_eq!(app.live(&[one, two]).await, [false; 2]);
}
