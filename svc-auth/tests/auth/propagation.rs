//! Every change of an authority is effective after a minute (specification,
//! part 8), told to this node or not, and also when the database could not be
//! reached meanwhile: what is out of date is then no answer any more.

use std::time::Duration;

use futures_util::future::BoxFuture;
use svc_auth::ports::Standing;
use svc_auth::token::{CreateRequest, Token, UpdateRequest, disable, enable, revoke, rotate, update};

use crate::world::{ADMINISTRATOR, MANAGER, READ_CONTACTS, World, account, bearer, group};

/// What a change does, and what the token's next answers are.
struct Case {
    what: &'static str,
    change: for<'a> fn(&'a World, &'a Token) -> BoxFuture<'a, ()>,
    after: &'static str,
}

/// Company 1 is the primary account, 2 is named, 5 is the parent company of the named group and 3 is in it,
/// 4 is in no group.
const BEFORE: &str = "reaches 1 2 3 5, masked";
const LOST: &str = "the creator of the token no longer holds or administers its primary account";

const CASES: [Case; 22] = [
    Case {
        what: "the creator leaves the primary account",
        change: |world, _| {
            Box::pin(async move { world.storage.put_standing(world.ada, account(1), Standing::Former) })
        },
        after: LOST,
    },
    Case {
        what: "the creator gets a lesser role in the primary account",
        change: |world, _| {
            Box::pin(async move { world.storage.put_standing(world.ada, account(1), MANAGER) })
        },
        after: LOST,
    },
    Case {
        what: "the creator becomes administrator of the primary account",
        change: |world, _| {
            Box::pin(async move { world.storage.put_standing(world.ada, account(1), ADMINISTRATOR) })
        },
        after: BEFORE,
    },
    Case {
        what: "the creator leaves the named company",
        change: |world, _| {
            Box::pin(async move { world.storage.put_standing(world.ada, account(2), Standing::Former) })
        },
        after: "reaches 1 3 5, masked",
    },
    Case {
        what: "the creator leaves a company of the named group",
        change: |world, _| {
            Box::pin(async move { world.storage.put_standing(world.ada, account(3), Standing::Former) })
        },
        after: "reaches 1 2 5, masked",
    },
    Case {
        what: "the creator leaves the parent company of the named group",
        change: |world, _| {
            Box::pin(async move { world.storage.put_standing(world.ada, account(5), Standing::Former) })
        },
        after: "reaches 1 2, masked",
    },
    Case {
        what: "the creator gets a lesser role in the parent company of the named group",
        change: |world, _| {
            Box::pin(async move { world.storage.put_standing(world.ada, account(5), MANAGER) })
        },
        after: "reaches 1 2, masked",
    },
    Case {
        what: "a company of strangers becomes the parent company of the named group",
        change: |world, _| {
            Box::pin(async move {
                world.storage.put_company(account(6), "Company 6", Some(group(1)));
                world.storage.put_parent(group(1), account(6));
            })
        },
        after: "reaches 1 2, masked",
    },
    Case {
        what: "a company joins the named group",
        change: |world, _| {
            Box::pin(async move { world.storage.put_company(account(4), "Company 4", Some(group(1))) })
        },
        after: "reaches 1 2 3 4 5, masked",
    },
    Case {
        what: "a company leaves the named group",
        change: |world, _| Box::pin(async move { world.storage.put_company(account(3), "Company 3", None) }),
        after: "reaches 1 2 5, masked",
    },
    Case {
        what: "the named company is merged into another one",
        change: |world, _| Box::pin(async move { world.storage.put_merged(account(2)) }),
        after: "reaches 1 3 5, masked",
    },
    Case {
        what: "the primary account is merged into another one",
        change: |world, _| Box::pin(async move { world.storage.put_merged(account(1)) }),
        after: LOST,
    },
    Case {
        what: "API access is switched off for the primary account",
        change: |world, _| Box::pin(async move { world.storage.put_api_access(account(1), false) }),
        after: BEFORE,
    },
    Case {
        what: "the creator is disabled",
        change: |world, _| Box::pin(async move { world.storage.put_disabled(world.ada) }),
        after: LOST,
    },
    Case {
        what: "the token is switched off",
        change: |world, token| {
            Box::pin(async move {
                let unit = world.unit().await;
                disable(&*unit, world.call(), token.id).await.unwrap();
                unit.commit().await.unwrap();
            })
        },
        after: "the token is switched off",
    },
    Case {
        what: "the token is switched off and on again",
        change: |world, token| {
            Box::pin(async move {
                let unit = world.unit().await;
                disable(&*unit, world.call(), token.id).await.unwrap();
                enable(&*unit, world.call(), token.id).await.unwrap();
                unit.commit().await.unwrap();
            })
        },
        after: BEFORE,
    },
    Case {
        what: "the token is revoked",
        change: |world, token| {
            Box::pin(async move {
                let unit = world.unit().await;
                revoke(&*unit, world.call(), token.id).await.unwrap();
                unit.commit().await.unwrap();
            })
        },
        after: "the token was revoked",
    },
    Case {
        what: "the token gets a new value",
        change: |world, token| {
            Box::pin(async move {
                let unit = world.unit().await;
                rotate(&*unit, world.call(), token.id, &world.peppers).await.unwrap();
                unit.commit().await.unwrap();
            })
        },
        after: "the token is not valid",
    },
    Case {
        what: "the token gets other permissions",
        change: |world, token| {
            let permissions = Some(vec!["crm:cases.read".into()]);
            changed(world, token, UpdateRequest { permissions, ..UpdateRequest::default() })
        },
        after: "the token lacks the permission contacts:contacts.read",
    },
    Case {
        what: "the token gets a list of addresses",
        change: |world, token| {
            let allowed_ips = Some(vec!["198.51.100.1".into()]);
            changed(world, token, UpdateRequest { allowed_ips, ..UpdateRequest::default() })
        },
        after: "the token may not be used from this address",
    },
    Case {
        what: "the token may see personal data",
        change: |world, token| {
            changed(world, token, UpdateRequest { personal_data: Some(true), ..UpdateRequest::default() })
        },
        after: "reaches 1 2 3 5, in full",
    },
    Case {
        what: "the token gets another name",
        change: |world, token| {
            changed(world, token, UpdateRequest { name: Some("Other".into()), ..UpdateRequest::default() })
        },
        after: BEFORE,
    },
];

#[tokio::test]
async fn every_change_is_effective_after_60_seconds() {
    for case in CASES {
        let (world, token, header) = prepared().await;
        assert_eq!(answer(&world, &header).await, BEFORE, "before {}", case.what);
        (case.change)(&world, &token).await;
        world.clock.advance(Duration::from_millis(60_100));
        assert_eq!(answer(&world, &header).await, case.after, "{}", case.what);
    }
}

#[tokio::test]
async fn a_change_is_effective_after_60_seconds_although_the_database_could_not_be_reached_meanwhile() {
    for case in CASES {
        let (world, token, header) = prepared().await;
        assert_eq!(answer(&world, &header).await, BEFORE, "before {}", case.what);
        (case.change)(&world, &token).await;
        world.storage.set_down(true);
        world.clock.advance(Duration::from_millis(59_900));
        assert_eq!(answer(&world, &header).await, BEFORE, "{}: still known", case.what);
        for wait in [200, 0, 30_000, 600_000] {
            world.clock.advance(Duration::from_millis(wait));
            assert_eq!(answer(&world, &header).await, "the database failed", "{}", case.what);
        }
        world.storage.set_down(false);
        assert_eq!(answer(&world, &header).await, case.after, "{}", case.what);
    }
}

#[tokio::test]
async fn a_right_that_is_given_back_is_effective_after_60_seconds_too() {
    let (world, _, header) = prepared().await;
    world.storage.put_disabled(world.ada);
    assert_eq!(answer(&world, &header).await, LOST);
    world.storage.put_enabled(world.ada);
    world.clock.advance(Duration::from_millis(60_100));
    assert_eq!(answer(&world, &header).await, BEFORE);
}

/// A world with five companies, and a token of its holder that is in use.
async fn prepared() -> (World, Token, String) {
    let world = World::new();
    for (number, in_group) in [(2, None), (3, Some(group(1))), (4, None), (5, Some(group(1)))] {
        world.storage.put_company(account(number), &format!("Company {number}"), in_group);
        world.storage.put_standing(world.ada, account(number), ADMINISTRATOR);
    }
    world.storage.put_parent(group(1), account(5));
    let request = CreateRequest {
        permissions: vec!["contacts:contacts.read".into()],
        companies: vec![account(2)],
        groups: vec![group(1)],
        ..world.request()
    };
    let (token, value) = world.create(request).await;
    (world, token, bearer(&value))
}

/// What a request to read contacts learns of the token, in words.
async fn answer(world: &World, header: &str) -> String {
    match world.ask(Some(header), READ_CONTACTS, Some("203.0.113.7")).await {
        Ok(admitted) => {
            let principal = admitted.principal;
            let reached: Vec<_> =
                (1..=6).filter(|number| principal.scope.contains(account(*number))).collect();
            assert_eq!(principal.companies.len(), reached.len());
            let sight = if principal.sight.is_full() { "in full" } else { "masked" };
            let reached = reached.iter().fold(String::new(), |all, number| all + " " + &number.to_string());
            format!("reaches{reached}, {sight}")
        }
        Err(denied) => denied.to_string(),
    }
}

/// A change that the storage in memory is told directly.
fn changed<'a>(world: &'a World, token: &'a Token, request: UpdateRequest) -> BoxFuture<'a, ()> {
    Box::pin(async move {
        let unit = world.unit().await;
        update(&*unit, world.call(), token.id, None, request).await.unwrap();
        unit.commit().await.unwrap();
    })
}
