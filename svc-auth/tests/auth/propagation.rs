//! Every change of an authority is effective after a minute (specification,
//! part 8), told to this node or not, and also when the database could not be
//! reached meanwhile: what is out of date is then no answer any more.

use std::time::Duration;

use futures_util::future::BoxFuture;
use svc_auth::ports::Standing;
use svc_auth::token::{CreateRequest, Token, UpdateRequest};
use svc_testkit::auth::verbs::{disable, enable, revoke, rotate, update};

use crate::test_app::{ADMINISTRATOR, MANAGER, READ_CONTACTS, TestApp, account, bearer, group};

/// What a change does, and what the token's next answers are.
struct Case {
    what: &'static str,
    change: for<'a> fn(&'a TestApp, &'a Token) -> BoxFuture<'a, ()>,
    after: &'static str,
}

/// Company 1 is the primary account, 2 is named, 5 is the parent company of the named group and 3 is in it,
/// 4 is in no group.
const BEFORE: &str = "reaches 1 2 3 5, masked";
const LOST: &str = "the creator of the token no longer holds or administers its primary account";

const CASES: [Case; 22] = [
    Case {
        what: "the creator leaves the primary account",
        change: |app, _| {
            Box::pin(async move { app.storage.put_standing(app.ada, account(1), Standing::Former) })
        },
        after: LOST,
    },
    Case {
        what: "the creator gets a lesser role in the primary account",
        change: |app, _| Box::pin(async move { app.storage.put_standing(app.ada, account(1), MANAGER) }),
        after: LOST,
    },
    Case {
        what: "the creator becomes administrator of the primary account",
        change: |app, _| {
            Box::pin(async move { app.storage.put_standing(app.ada, account(1), ADMINISTRATOR) })
        },
        after: BEFORE,
    },
    Case {
        what: "the creator leaves the named company",
        change: |app, _| {
            Box::pin(async move { app.storage.put_standing(app.ada, account(2), Standing::Former) })
        },
        after: "reaches 1 3 5, masked",
    },
    Case {
        what: "the creator leaves a company of the named group",
        change: |app, _| {
            Box::pin(async move { app.storage.put_standing(app.ada, account(3), Standing::Former) })
        },
        after: "reaches 1 2 5, masked",
    },
    Case {
        what: "the creator leaves the parent company of the named group",
        change: |app, _| {
            Box::pin(async move { app.storage.put_standing(app.ada, account(5), Standing::Former) })
        },
        after: "reaches 1 2 3, masked",
    },
    Case {
        what: "the creator gets a lesser role in the parent company of the named group",
        change: |app, _| Box::pin(async move { app.storage.put_standing(app.ada, account(5), MANAGER) }),
        after: "reaches 1 2 3, masked",
    },
    Case {
        what: "a company of strangers becomes the parent company of the named group",
        change: |app, _| {
            Box::pin(async move {
                app.storage.put_company(account(6), "Company 6", Some(group(1)));
                app.storage.put_parent(group(1), account(6));
            })
        },
        after: "reaches 1 2 3 5, masked",
    },
    Case {
        what: "a company joins the named group",
        change: |app, _| {
            Box::pin(async move { app.storage.put_company(account(4), "Company 4", Some(group(1))) })
        },
        after: "reaches 1 2 3 4 5, masked",
    },
    Case {
        what: "a company leaves the named group",
        change: |app, _| Box::pin(async move { app.storage.put_company(account(3), "Company 3", None) }),
        after: "reaches 1 2 5, masked",
    },
    Case {
        what: "the named company is merged into another one",
        change: |app, _| Box::pin(async move { app.storage.put_merged(account(2)) }),
        after: "reaches 1 3 5, masked",
    },
    Case {
        what: "the primary account is merged into another one",
        change: |app, _| Box::pin(async move { app.storage.put_merged(account(1)) }),
        after: LOST,
    },
    Case {
        what: "API access is switched off for the primary account",
        change: |app, _| Box::pin(async move { app.storage.put_api_access(account(1), false) }),
        after: BEFORE,
    },
    Case {
        what: "the creator is disabled",
        change: |app, _| Box::pin(async move { app.storage.put_disabled(app.ada) }),
        after: LOST,
    },
    Case {
        what: "the token is switched off",
        change: |app, token| {
            Box::pin(async move {
                let unit = app.unit().await;
                disable(&*unit, app.call(), token.id).await.unwrap();
                unit.commit().await.unwrap();
            })
        },
        after: "the token is switched off",
    },
    Case {
        what: "the token is switched off and on again",
        change: |app, token| {
            Box::pin(async move {
                let unit = app.unit().await;
                disable(&*unit, app.call(), token.id).await.unwrap();
                enable(&*unit, app.call(), token.id).await.unwrap();
                unit.commit().await.unwrap();
            })
        },
        after: BEFORE,
    },
    Case {
        what: "the token is revoked",
        change: |app, token| {
            Box::pin(async move {
                let unit = app.unit().await;
                revoke(&*unit, app.call(), token.id).await.unwrap();
                unit.commit().await.unwrap();
            })
        },
        after: "the token was revoked",
    },
    Case {
        what: "the token gets a new value",
        change: |app, token| {
            Box::pin(async move {
                let unit = app.unit().await;
                rotate(&*unit, app.call(), token.id, &app.peppers).await.unwrap();
                unit.commit().await.unwrap();
            })
        },
        after: "the token is not valid",
    },
    Case {
        what: "the token gets other permissions",
        change: |app, token| {
            let permissions = Some(vec!["crm:cases.read".into()]);
            changed(app, token, UpdateRequest { permissions, ..UpdateRequest::default() })
        },
        after: "the token lacks the permission contacts:contacts.read",
    },
    Case {
        what: "the token gets a list of addresses",
        change: |app, token| {
            let allowed_ips = Some(vec!["198.51.100.1".into()]);
            changed(app, token, UpdateRequest { allowed_ips, ..UpdateRequest::default() })
        },
        after: "the token may not be used from this address",
    },
    Case {
        what: "the token may see personal data",
        change: |app, token| {
            changed(app, token, UpdateRequest { personal_data: Some(true), ..UpdateRequest::default() })
        },
        after: "reaches 1 2 3 5, in full",
    },
    Case {
        what: "the token gets another name",
        change: |app, token| {
            changed(app, token, UpdateRequest { name: Some("Other".into()), ..UpdateRequest::default() })
        },
        after: BEFORE,
    },
];

#[tokio::test]
async fn every_change_is_effective_after_60_seconds() {
    for case in CASES {
        let (app, token, header) = prepared().await;
        assert_eq!(answer(&app, &header).await, BEFORE, "before {}", case.what);
        (case.change)(&app, &token).await;
        app.clock.advance(Duration::from_millis(60_100));
        assert_eq!(answer(&app, &header).await, case.after, "{}", case.what);
    }
}

#[tokio::test]
async fn a_change_is_effective_after_60_seconds_although_the_database_could_not_be_reached_meanwhile() {
    for case in CASES {
        let (app, token, header) = prepared().await;
        assert_eq!(answer(&app, &header).await, BEFORE, "before {}", case.what);
        (case.change)(&app, &token).await;
        app.storage.set_down(true);
        app.clock.advance(Duration::from_millis(59_900));
        assert_eq!(answer(&app, &header).await, BEFORE, "{}: still known", case.what);
        for wait in [200, 0, 30_000, 600_000] {
            app.clock.advance(Duration::from_millis(wait));
            assert_eq!(answer(&app, &header).await, "the database failed", "{}", case.what);
        }
        app.storage.set_down(false);
        assert_eq!(answer(&app, &header).await, case.after, "{}", case.what);
    }
}

#[tokio::test]
async fn a_right_that_is_given_back_is_effective_after_60_seconds_too() {
    let (app, _, header) = prepared().await;
    app.storage.put_disabled(app.ada);
    assert_eq!(answer(&app, &header).await, LOST);
    app.storage.put_enabled(app.ada);
    app.clock.advance(Duration::from_millis(60_100));
    assert_eq!(answer(&app, &header).await, BEFORE);
}

/// A world with five companies, and a token of its holder that is in use.
async fn prepared() -> (TestApp, Token, String) {
    let app = TestApp::new();
    for (number, in_group) in [(2, None), (3, Some(group(1))), (4, None), (5, Some(group(1)))] {
        app.storage.put_company(account(number), &format!("Company {number}"), in_group);
        app.storage.put_standing(app.ada, account(number), ADMINISTRATOR);
    }
    app.storage.put_parent(group(1), account(5));
    let request = CreateRequest {
        permissions: vec!["contacts:contacts.read".into()],
        companies: vec![account(2)],
        groups: vec![group(1)],
        ..app.request()
    };
    let (token, value) = app.create(request).await;
    (app, token, bearer(&value))
}

/// What a request to read contacts learns of the token, in words.
async fn answer(app: &TestApp, header: &str) -> String {
    match app.ask(Some(header), READ_CONTACTS, Some("203.0.113.7")).await {
        Ok(admitted) => {
            let principal = admitted.principal;
            let reached: Vec<_> =
                (1..=6).filter(|number| principal.scope.contains(account(*number))).collect();
            assert_eq!(principal.companies.len(), reached.len());
            let access = if principal.access.is_full() { "in full" } else { "masked" };
            let reached = reached.iter().fold(String::new(), |all, number| all + " " + &number.to_string());
            format!("reaches{reached}, {access}")
        }
        Err(denied) => denied.to_string(),
    }
}

/// A change that the storage in memory is told directly.
fn changed<'a>(app: &'a TestApp, token: &'a Token, request: UpdateRequest) -> BoxFuture<'a, ()> {
    Box::pin(async move {
        let unit = app.unit().await;
        update(&*unit, app.call(), token.id, None, request).await.unwrap();
        unit.commit().await.unwrap();
    })
}
