//! Guests of data rooms.

use svc_business::document::room::{self, DataRoomGrant, GrantInput};
use svc_business::record;
use svc_core::audit::Action;
use svc_core::id::DataRoomGrantId;
use svc_core::resource::Expected;
use svc_core::unit::CallContext;
use svc_storage_seaorm::SeaUnit;
use svc_testkit::business::envelopes::key;

use crate::audited::test_app::{Case, TestApp, case, told};
use crate::fresh::NOW;

async fn let_in(
    unit: &SeaUnit,
    call: CallContext<'_>,
    app: &TestApp,
    personal_data: bool,
) -> Result<DataRoomGrant, String> {
    let home =
        record::home::<DataRoomGrant>(unit, call, app.acme).await.map_err(|error| error.to_string())?;
    let input = GrantInput {
        email: "guest@example.com".to_owned(),
        sections: vec!["1 Corporate".to_owned()],
        expires_at: Some(NOW.plus(std::time::Duration::from_hours(24))),
        personal_data,
        language: "en".parse().expect("a language"),
    };
    room::grant(&home, input, &key()).await.map_err(|error| format!("{error:?}"))
}

async fn grant(app: &TestApp) -> DataRoomGrantId {
    told!(app, |unit, call| let_in(&unit, call, app, false)).0.id
}

async fn opened<'u>(
    unit: &'u SeaUnit,
    call: CallContext<'u>,
    id: DataRoomGrantId,
) -> record::Opened<'u, DataRoomGrant> {
    record::alone::<DataRoomGrant>(unit, call, id, &[], &Expected::Any).await.expect("there")
}

pub(super) async fn granted(app: &TestApp) -> Vec<Case> {
    // The caller sees personal data masked, and gives no more than that.
    let unit = app.begin().await;
    let refused = let_in(&unit, app.call(), app, true).await.expect_err("masked");
    assert!(refused.contains("personalData"), "{refused}");
    drop(unit);
    let expected = [(app.acme, Action::DataRoomGrant)];
    vec![case!(app, "room::grant", |unit, call| let_in(&unit, call, app, false), expected)]
}

pub(super) async fn extended(app: &TestApp) -> Vec<Case> {
    let id = grant(app).await;
    let until = Some(NOW.plus(std::time::Duration::from_hours(48)));
    let expected = [(app.acme, Action::DataRoomExtend)];
    vec![case!(
        app,
        "room::extend",
        |unit, call| room::extend(opened(&unit, call, id).await, until),
        expected
    )]
}

pub(super) async fn revoked(app: &TestApp) -> Vec<Case> {
    let id = grant(app).await;
    let expected = [(app.acme, Action::DataRoomRevoke)];
    let first =
        case!(app, "room::revoke", |unit, call| room::revoke(opened(&unit, call, id).await), expected);
    let again = case!(
        app,
        "room::revoke of one that was ended",
        |unit, call| room::revoke(opened(&unit, call, id).await),
        []
    );
    // What changes nothing is no entry.
    assert_eq!(again.told, again.expected);
    vec![first]
}
