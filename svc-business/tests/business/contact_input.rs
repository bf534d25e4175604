//! What a contact's input must be, all findings at once.

use svc_business::contact::{ConsentInput, ContactInput, ContactRole, Kind, PaymentMethod, StatusInput};
use svc_business::party::{AddressInput, TaxIdKind};
use svc_core::id::AccountId;
use svc_core::patch::Patch;
use svc_core::pii::PiiAccess;
use svc_core::refused::Refused;

use super::test_app::{TestApp, findings, full, organization, person, run, text};
use svc_testkit::business::verbs;

async fn refused(app: &TestApp, company: AccountId, input: ContactInput) -> Vec<String> {
    match run!(app, verbs::create_contact, company, input) {
        Err(Refused::Invalid(invalid)) => findings(&invalid),
        outcome => panic!("expected findings, not {outcome:?}"),
    }
}

async fn patch_refused(app: &TestApp, id: svc_core::id::ContactId, input: ContactInput) -> Vec<String> {
    match app.update(id, None, input).await {
        Err(Refused::Invalid(invalid)) => findings(&invalid),
        outcome => panic!("expected findings, not {outcome:?}"),
    }
}

#[tokio::test]
async fn a_new_contact_has_the_defaults_of_its_company() {
    let (app, company) = TestApp::with_company().await;
    let contact = app.contact(company.id, person(" Ana ", "Núñez")).await;
    assert_eq!(contact.name(), "Ana Núñez");
    assert_eq!((contact.payment_term_days, contact.payment_method), (30, PaymentMethod::Transfer));
    assert_eq!((contact.language, contact.currency), (company.language, company.base_currency));
    assert_eq!((contact.tax_id_kind, contact.version.as_i64()), (TaxIdKind::None, 1));
    assert_eq!(app.events().await, [format!("contact.create {}", contact.id)]);
}

#[tokio::test]
async fn every_finding_is_told_at_once_by_its_wire_name() {
    let (app, company) = TestApp::with_company().await;
    let input = ContactInput {
        trade_name: text(&"x".repeat(201)),
        tax_id: text("B12345670"),
        email: text("nobody"),
        phone: text("123"),
        mobile: text("+34600123456x"),
        date_of_birth: text("2025-02-30"),
        address: Patch::Value(AddressInput {
            postal_code: text(&"9".repeat(21)),
            country: text("XX"),
            ..AddressInput::default()
        }),
        iban: text("ES00"),
        bic: text("NO"),
        language: text("spanish"),
        currency: text("PTA"),
        payment_term_days: Patch::Value(366),
        default_tax_code: text("IVA 21"),
        withholding_rate: text("15,5"),
        tags: Patch::Value(vec!["a".into(), "b".into(), "a".into(), " ".into(), "c".repeat(51)]),
        notes: text(&"n".repeat(10_001)),
        consent: Patch::Value(ConsentInput { marketing: true, at: Some("soon".into()), source: None }),
        ..person("", "Núñez")
    };
    let mut input = input;
    input.external_id = text(&"e".repeat(101));
    input.metadata = Patch::Value([(String::from("k"), Some("v".repeat(501)))].into());
    assert_eq!(
        refused(&app, company.id, input).await,
        [
            "givenName required",
            "dateOfBirth invalid_date",
            "address.postalCode too_long",
            "address.country invalid_country",
            "taxId invalid_tax_id",
            "tradeName too_long",
            "email invalid_email",
            "phone invalid_phone",
            "mobile invalid_phone",
            "iban invalid_iban",
            "bic invalid_bic",
            "language invalid_language",
            "currency invalid_currency",
            "paymentTermDays out_of_range",
            "defaultTaxCode invalid_tax_code",
            "withholdingRate out_of_range",
            "tags[2] duplicate",
            "tags[3] required",
            "tags[4] too_long",
            "notes too_long",
            "consent.at invalid_date",
            "externalId too_long",
            "metadata.k too_long",
        ]
    );
    assert_eq!(app.events().await, Vec::<String>::new());
}

#[tokio::test]
async fn each_kind_has_its_own_names() {
    let (app, company) = TestApp::with_company().await;
    let id = company.id;
    assert_eq!(refused(&app, id, ContactInput::default()).await, ["kind required"]);
    let input =
        ContactInput { kind: Patch::Value(Kind::Person), legal_name: text("X"), ..Default::default() };
    let expected = ["legalName not_allowed", "givenName required", "familyName required"];
    assert_eq!(refused(&app, id, input).await, expected);
    let input =
        ContactInput { date_of_birth: text("1990-01-01"), given_name: text("A"), ..organization("X") };
    assert_eq!(refused(&app, id, input).await, ["givenName not_allowed", "dateOfBirth not_allowed"]);
    let input = ContactInput { legal_name: text("L"), ..organization("") };
    assert!(run!(app, verbs::create_contact, id, input).is_ok());
    assert_eq!(refused(&app, id, organization("a\u{0}b")).await, ["legalName invalid_characters"]);
}

#[tokio::test]
async fn a_birth_date_is_a_date_in_the_past() {
    let (app, company) = TestApp::with_company().await;
    let born = |date: &str| ContactInput { date_of_birth: text(date), ..person("Ana", "Núñez") };
    for (date, code) in [
        ("2025-03-01", "out_of_range"),
        ("9999-12-31", "out_of_range"),
        ("+990-01-01", "invalid_date"),
        ("1990-1-1", "invalid_date"),
        ("1990-01-01T00:00:00Z", "invalid_date"),
        ("", "invalid_date"),
    ] {
        let found = refused(&app, company.id, born(date)).await;
        assert_eq!(found, [format!("dateOfBirth {code}")], "{date}");
    }
    let contact = app.contact(company.id, born("2025-02-28")).await;
    let cleared = ContactInput { date_of_birth: Patch::Null, ..ContactInput::default() };
    assert_ne!(app.update(contact.id, None, cleared).await.expect("cleared").identity, contact.identity);
}

#[tokio::test]
async fn a_tax_id_and_its_kind_stay_in_step() {
    let (app, company) = TestApp::with_company().await;
    let with = |kind: Option<TaxIdKind>, id: Patch<String>| ContactInput {
        tax_id_kind: kind.map_or(Patch::Absent, Patch::Value),
        tax_id: id,
        ..ContactInput::default()
    };
    let contact = app.contact(company.id, organization("Sol SL")).await;
    let steps = [
        (with(None, text("b-12345674")), TaxIdKind::Nif, true),
        (with(None, text("X1234567L")), TaxIdKind::Nie, true),
        (with(Some(TaxIdKind::Passport), text("ab 123")), TaxIdKind::Passport, true),
        // The kind stands while the new value is of that kind.
        (with(None, text("12345678Z")), TaxIdKind::Passport, true),
        (with(Some(TaxIdKind::Nif), Patch::Absent), TaxIdKind::Nif, true),
        (with(None, Patch::Null), TaxIdKind::None, false),
        (with(Some(TaxIdKind::Nif), Patch::Absent), TaxIdKind::Nif, false),
        (with(Some(TaxIdKind::VatEu), text("DE123456789")), TaxIdKind::VatEu, true),
    ];
    for (input, kind, valid) in steps {
        let after = app.update(contact.id, None, input.clone()).await.expect("valid");
        assert_eq!(
            (after.tax_id_kind, after.tax_id.is_some(), after.tax_id_valid()),
            (kind, valid, valid),
            "{input:?}"
        );
    }
    for (input, finding) in [
        (with(Some(TaxIdKind::None), Patch::Absent), "taxId not_allowed"),
        (with(Some(TaxIdKind::None), text("1")), "taxId not_allowed"),
        (with(Some(TaxIdKind::Nif), Patch::Absent), "taxId invalid_tax_id"),
        (with(None, text("12345678A")), "taxId invalid_tax_id"),
    ] {
        assert_eq!(patch_refused(&app, contact.id, input).await, [finding]);
    }
    let abroad = ContactInput {
        tax_id: text("12345678A"),
        address: Patch::Value(AddressInput { country: text("US"), ..AddressInput::default() }),
        ..organization("Abroad Inc")
    };
    assert_eq!(app.contact(company.id, abroad).await.tax_id_kind, TaxIdKind::ForeignId);
}

#[tokio::test]
async fn a_parent_is_an_organization_of_the_same_company() {
    let (app, company) = TestApp::with_company().await;
    let other = app.company("Otra SL").await;
    let parent = app.contact(company.id, organization("Madre SL")).await;
    let foreign = app.contact(other.id, organization("Ajena SL")).await;
    let ana = app.contact(company.id, person("Ana", "Núñez")).await;
    let below = |id| ContactInput { parent: Patch::Value(id), ..person("Eva", "Sanz") };
    for wrong in [foreign.id, ana.id, svc_testkit::business::sample::contact_id(1)] {
        let found = refused(&app, company.id, below(wrong)).await;
        assert_eq!(found, ["parentContactId unknown_reference"]);
    }
    let input = ContactInput { parent: Patch::Value(parent.id), ..organization("Hija SL") };
    assert_eq!(refused(&app, company.id, input).await, ["parentContactId not_allowed"]);
    let own = ContactInput { parent: Patch::Value(ana.id), ..ContactInput::default() };
    assert_eq!(patch_refused(&app, ana.id, own).await, ["parentContactId unknown_reference"]);

    let child = app.contact(company.id, below(parent.id)).await;
    let turned =
        ContactInput { kind: Patch::Value(Kind::Organization), legal_name: text("X"), ..Default::default() };
    assert_eq!(patch_refused(&app, child.id, turned.clone()).await, ["parentContactId not_allowed"]);
    let turned = ContactInput { parent: Patch::Null, ..turned };
    let child = app.update(child.id, None, turned).await.expect("a change of kind with the names it needs");
    assert_eq!((child.kind(), child.name()), (Kind::Organization, "X".to_owned()));

    app.contact(company.id, below(parent.id)).await;
    assert_eq!(patch_refused(&app, parent.id, person("Ya", "Persona")).await, ["kind not_allowed"]);
}

#[tokio::test]
async fn the_supplier_role_is_not_set_by_an_input() {
    let (app, company) = TestApp::with_company().await;
    let input = ContactInput { roles: Patch::Value([ContactRole::Supplier].into()), ..organization("X") };
    assert_eq!(refused(&app, company.id, input).await, ["roles not_allowed"]);
    let input = ContactInput { roles: Patch::Value([ContactRole::Worker].into()), ..organization("X") };
    assert_eq!(app.contact(company.id, input).await.roles, [ContactRole::Worker].into());
}

#[tokio::test]
async fn a_masked_value_cannot_be_written_back() {
    let (mut app, company) = TestApp::with_company().await;
    let contact = app.contact(company.id, person("Ana", "Núñez")).await;
    let stars = ContactInput {
        tax_id: text("B******74"),
        phone: text("*********456"),
        mobile: text("*********456"),
        iban: text("ES91****************1332"),
        ..ContactInput::default()
    };
    let expected = ["taxId", "phone", "mobile", "iban"].map(|field| format!("{field} masked_value_rejected"));
    let nulls = ContactInput {
        date_of_birth: Patch::Null,
        address: Patch::Null,
        shipping_address: Patch::Null,
        ..ContactInput::default()
    };
    for access in [PiiAccess::Masked, full()] {
        app.access = access;
        assert_eq!(patch_refused(&app, contact.id, stars.clone()).await, expected);
    }
    assert!(app.update(contact.id, None, nulls.clone()).await.is_ok(), "full access may clear");
    app.access = PiiAccess::Masked;
    let expected =
        ["dateOfBirth", "address", "shippingAddress"].map(|field| format!("{field} masked_value_rejected"));
    assert_eq!(patch_refused(&app, contact.id, nulls.clone()).await, expected);
    // A caller who sees personal data masked may write a real value, and a new contact has nothing to lose.
    let real = ContactInput { phone: text("+34600123456"), ..ContactInput::default() };
    assert!(app.update(contact.id, None, real).await.is_ok());
    let fresh = ContactInput { date_of_birth: Patch::Null, address: Patch::Null, ..person("Eva", "Sanz") };
    assert!(run!(app, verbs::create_contact, company.id, fresh).is_ok());
}

#[tokio::test]
async fn a_masked_caller_cannot_clear_personal_data_piece_by_piece() {
    let (mut app, company) = TestApp::with_company().await;
    let address =
        AddressInput { line1: text("Calle Mayor 1"), city: text("Madrid"), ..AddressInput::default() };
    let born = ContactInput {
        date_of_birth: text("1990-01-31"),
        address: Patch::Value(address),
        ..person("Ana", "Núñez")
    };
    let contact = app.contact(company.id, born).await;
    let piece = AddressInput { line1: Patch::Null, ..AddressInput::default() };
    let piece = ContactInput { address: Patch::Value(piece), ..ContactInput::default() };
    let other_kind = ContactInput {
        kind: Patch::Value(Kind::Organization),
        given_name: Patch::Null,
        family_name: Patch::Null,
        ..organization("Núñez SL")
    };
    app.access = PiiAccess::Masked;
    let refused = patch_refused(&app, contact.id, piece.clone()).await;
    assert_eq!(refused, ["address.line1 masked_value_rejected"]);
    assert_eq!(patch_refused(&app, contact.id, other_kind.clone()).await, ["kind masked_value_rejected"]);
    app.access = full();
    assert!(app.update(contact.id, None, piece).await.is_ok());
    assert!(app.update(contact.id, None, other_kind).await.is_ok());
}

#[tokio::test]
async fn a_status_is_set_by_a_change_only() {
    let (app, company) = TestApp::with_company().await;
    let input = ContactInput { status: Patch::Value(StatusInput::Archived), ..organization("X") };
    assert_eq!(refused(&app, company.id, input).await, ["status not_allowed"]);
}
