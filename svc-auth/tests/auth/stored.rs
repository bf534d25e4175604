//! The stored form of a token.

use proptest::prelude::*;
use serde_json::{Value, json};
use svc_auth::ip::AllowedIps;
use svc_auth::token::{Connection, ConnectionRole, Fingerprint, Lifecycle, StoredToken, Token};
use svc_core::clock::Timestamp;
use svc_core::permission::Grants;
use svc_testkit::auth::token;

use crate::test_app::{account, group, user};

/// A token with something in every member.
fn rich() -> Token {
    let micros = Timestamp::from_unix_micros;
    Token {
        fingerprint: Fingerprint {
            pepper: 3,
            digest: std::array::from_fn(|at| u8::try_from(at * 8).unwrap()),
        },
        grants: Grants::parse(["archive:files.read", "archive:full"]).unwrap(),
        allowed_ips: AllowedIps::parse(["203.0.113.7", "2001:db8::/32"]).unwrap(),
        connection: Some(Connection {
            client: "https://app.example/client.json".parse().unwrap(),
            role: ConnectionRole::Operator,
        }),
        personal_data: true,
        companies: [account(2)].into(),
        groups: [group(3)].into(),
        lifecycle: Lifecycle::Revoked { at: micros(1_700_000_000_000_001) },
        expires_at: Some(micros(1_800_000_000_000_002)),
        last_used_at: Some(micros(1_690_000_000_000_003)),
        last_used_from: "203.0.113.7".parse().ok(),
        created_at: micros(1_680_000_000_000_004),
        ..token(1, user(4), account(1))
    }
}

fn document(token: Token) -> Value {
    serde_json::to_value(StoredToken(token)).unwrap()
}

/// What another program relies on; a change of it is another format.
#[test]
fn the_first_format_is_this() {
    let expected = json!({
        "format": 1,
        "id": "tok_00000000000000000000000001",
        "name": "token 1",
        "prefix": "svc_live_001",
        "connection": { "client": "https://app.example/client.json", "role": "operator" },
        "pepper": 3,
        "digest": "0008101820283038404850586068707880889098a0a8b0b8c0c8d0d8e0e8f0f8",
        "permissions": ["archive:files.read", "archive:*.*"],
        "allowed_ips": ["203.0.113.7", "2001:db8::/32"],
        "personal_data": true,
        "primary": "acc_00000000000000000000000001",
        "companies": ["acc_00000000000000000000000002"],
        "groups": [group(3)],
        "state": { "revoked": 1_700_000_000_000_001_i64 },
        "expires_at": 1_800_000_000_000_002_i64,
        "last_used_at": 1_690_000_000_000_003_i64,
        "last_used_from": "203.0.113.7",
        "created_by": user(4),
        "created_at": 1_680_000_000_000_004_i64,
        "version": 1,
    });
    assert_eq!(document(rich()), expected);
}

#[test]
fn a_document_with_a_member_more_or_less_or_of_another_format_is_refused() {
    let sound = document(rich());
    let read = |document: &Value| serde_json::from_value::<StoredToken>(document.clone());
    assert_eq!(read(&sound).unwrap(), StoredToken(rich()));
    for member in sound.as_object().unwrap().keys() {
        let mut less = sound.clone();
        less.as_object_mut().unwrap().remove(member);
        assert!(read(&less).is_err(), "without {member}");
    }
    for (member, value) in [
        ("format", json!(2)),
        ("only_on_mondays", json!(true)),
        ("digest", json!("00")),
        ("digest", json!("zz".repeat(32))),
        ("permissions", json!(["files"])),
        ("allowed_ips", json!(["localhost"])),
        ("state", json!("expired")),
        ("connection", json!({ "client": "app", "role": "operator" })),
        ("connection", json!({ "client": "https://app.example/client.json", "role": "owner" })),
    ] {
        let mut changed = sound.clone();
        changed[member] = value;
        assert!(read(&changed).is_err(), "{member}");
    }
}

proptest! {
    #[test]
    fn a_token_survives_its_stored_form(
        number in 1_u128..1_000_000,
        digest: [u8; 32],
        state in 0_u8..3,
        at in prop::option::of(0_i64..4_102_444_800_123_456),
        personless: bool,
    ) {
        let at = at.map(Timestamp::from_unix_micros);
        let lifecycle = match state {
            0 => Lifecycle::Active,
            1 => Lifecycle::Disabled,
            _ => Lifecycle::Revoked { at: at.unwrap_or_default() },
        };
        let bare = token(number, user(1), account(number));
        let created_by = bare.created_by.filter(|_| !personless);
        let fingerprint = Fingerprint { digest, ..bare.fingerprint };
        let token = Token { lifecycle, fingerprint, expires_at: at, last_used_at: at, created_by, ..bare };
        let text = serde_json::to_string(&StoredToken(token.clone())).unwrap();
        prop_assert_eq!(serde_json::from_str::<StoredToken>(&text).unwrap(), StoredToken(token));
    }
}
