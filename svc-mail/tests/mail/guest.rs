//! Mails to guests: secrets are made anew, and only for those who are let in.

use svc_business::account::Account;
use svc_business::document::room::{DataRoomGrant, GuestMailKind, Sections};
use svc_business::link::code::Codes;
use svc_business::link::key::{Access, CeremonyKey, LinkHash, Salt};
use svc_core::id::DataRoomGrantId;
use svc_core::resource::Version;
use svc_mail::{Ceremonies, compose_guest};
use svc_testkit::business::envelopes::key;
use svc_testkit::business::sample::{account, at, id};
use svc_testkit::fakes::SeededRandom;

fn grant(language: &str) -> DataRoomGrant {
    let number: DataRoomGrantId = id(40);
    DataRoomGrant {
        id: number,
        company: id(1),
        email: "guest@buyer.example".parse().expect("an address"),
        language: language.parse().expect("a language"),
        sections: Sections::of(vec!["1 Uno".parse().expect("a section")]).expect("sections"),
        personal_data: false,
        expires_at: at(86_400),
        revoked_at: None,
        added_by: None,
        access: Access::draw(&key(), number, &SeededRandom::new(1)),
        codes: Codes::default(),
        last_visit_at: None,
        views: 0,
        version: Version::FIRST,
        created_at: at(0),
        updated_at: at(0),
    }
}

/// Subject and text of a mail, if there is one.
fn text(
    grant: &DataRoomGrant,
    company: &Account,
    kind: GuestMailKind,
    keys: &[CeremonyKey],
) -> Result<Option<String>, &'static str> {
    let with = Ceremonies { keys, public_url: "https://rooms.example/base/" };
    let mail = compose_guest("1".to_owned(), (grant, company), kind, with, at(1))?;
    Ok(mail.map(|mail| {
        assert_eq!(mail.to, std::slice::from_ref(&grant.email));
        assert!(mail.attachments.is_empty() && mail.cc.is_empty());
        format!("{}\n{}", mail.subject, mail.text)
    }))
}

#[test]
fn the_link_comes_in_the_language_of_the_grant_whatever_key_it_was_made_with() {
    let (company, older) = (account(1), CeremonyKey::new([9; 32]));
    for (language, kind, says) in [
        ("es", GuestMailKind::Invitation, "le da acceso a documentos"),
        ("en", GuestMailKind::Invitation, "shows you documents"),
        ("es-ES", GuestMailKind::Extension, "El enlace es el mismo"),
        ("ca", GuestMailKind::Extension, "The link is the same"),
    ] {
        let grant = grant(language);
        let mail = text(&grant, &company, kind, &[older.clone(), key()]).expect("a link").expect("let in");
        assert!(mail.contains(says) && mail.contains(" UTC"), "{mail}");
        let token = mail.split_once("https://rooms.example/base/room/").expect("a link").1;
        let token = token.split_whitespace().next().expect("a token");
        assert_eq!(LinkHash::of(token), grant.access.hash);
        assert!(
            text(&grant, &company, kind, std::slice::from_ref(&older)).is_err(),
            "a link of another key is none"
        );
    }
}

#[test]
fn a_code_is_the_one_that_proves() {
    let (company, grant) = (account(1), grant("en"));
    let code = |grant: &DataRoomGrant| text(grant, &company, GuestMailKind::Code, &[key()]);
    assert!(code(&grant).is_err(), "none was asked for");
    let (codes, asked) = grant.codes.request((&key(), grant.id, Salt([4; 16])), at(0)).expect("asked");
    let mail = code(&DataRoomGrant { codes, ..grant }).expect("a code").expect("let in");
    assert!(mail.starts_with(&format!("Your code: {}\n", asked.as_str())), "{mail}");
    assert!(!mail.contains("/room/"), "who has the code needs the link too");
}

#[test]
fn those_who_are_let_in_no_more_get_nothing() {
    let company = account(1);
    let revoked = DataRoomGrant { revoked_at: Some(at(0)), ..grant("es") };
    let expired = DataRoomGrant { expires_at: at(1), ..grant("es") };
    for grant in [revoked, expired] {
        for kind in [GuestMailKind::Invitation, GuestMailKind::Extension, GuestMailKind::Code] {
            assert_eq!(text(&grant, &company, kind, &[key()]), Ok(None), "{kind:?}");
        }
    }
}
