//! Records for tests of storages and for benchmarks: whole ones, and ones with nothing that they need not have.

mod assets;
mod bank;
mod documents;

use std::collections::BTreeSet;

use svc_business::account::{Account, AccountStatus, LegalForm};
use svc_business::case::{Case, CaseLink, CaseLinkType, CaseNumber, CaseStatus, CaseType, Outcome, Priority};
use svc_business::contact::{Consent, Contact, ContactRole, ContactStatus, Identity, PaymentMethod};
use svc_business::group::{Group, GroupMember};
use svc_business::membership::{Membership, MembershipStatus};
use svc_business::notice::{Notice, NoticeKind, NoticeSource, NoticeStatus};
use svc_business::party::{
    Address, Bic, BirthDate, Country, Email, Extension, Iban, LanguageTag, Phone, TaxId, TaxIdKind, Website,
};
use svc_business::user::{User, UserStatus};
use svc_core::clock::Timestamp;
use svc_core::id::{AccountId, CaseId, ContactId, GroupId, MembershipId, TypedId, UserId};
use svc_core::money::{Amount, Currency};
use svc_core::pii::Pii;
use svc_core::resource::Version;
use svc_core::role::Role;
use svc_core::tenant::Scope;
use time::{Date, Month};
use uuid::Uuid;

pub use self::assets::asset;
pub use self::bank::{cash, import_by_hand, movement};
pub use self::documents::{file, file_version, folder};

/// The id with this number, of any kind.
#[must_use]
pub fn id<I: TypedId>(number: u128) -> I {
    I::from_uuid(Uuid::from_u128(number))
}

/// Noon of 1 March 2025 and `seconds` more, with microseconds that only an exact store keeps.
#[must_use]
pub fn at(seconds: i64) -> Timestamp {
    Timestamp::from_unix_micros((1_740_830_400 + seconds) * 1_000_000 + 123_457)
}

/// So many cents.
#[must_use]
pub fn euros(minor: i64) -> Amount {
    Amount::from_minor(minor, Currency::EUR).expect("in range")
}

/// A scope of these companies.
#[must_use]
#[expect(clippy::disallowed_methods, reason = "tests stand in for the authority")]
pub fn scope(companies: &[AccountId]) -> Scope {
    Scope::granted(companies.iter().copied())
}

/// A scope of every company.
#[must_use]
#[expect(clippy::disallowed_methods, reason = "tests stand in for a job of the service")]
pub fn everything() -> Scope {
    Scope::system("test")
}

/// A company with every member filled that needs no other record.
#[must_use]
pub fn account(number: u128) -> Account {
    Account {
        id: id(number),
        legal_name: format!("Compañía {number} «Ñandú» SL"),
        trade_name: Some("Çedilla 東京 🚀".to_owned()),
        tax_id: Some(Pii::new(tax("B12345674"))),
        country: Country::SPAIN,
        language: language("ca"),
        timezone: "Atlantic/Canary".to_owned(),
        legal_form: LegalForm::CommunityOfProperty,
        address: Some(Pii::new(address("Gran Vía, 1"))),
        phone: Some(Pii::new(phone("+34910123456"))),
        email: Some(email("Oficina@ejemplo.example")),
        website: Some(Website::from_stored("https://ejemplo.example/ñ?q=%20".to_owned())),
        base_currency: Currency::EUR,
        group: None,
        parent: None,
        api_access: false,
        status: AccountStatus::Active,
        extension: extension("ext-1"),
        version: Version::FIRST,
        created_at: at(0),
        updated_at: at(1),
    }
}

/// A company with as little as a company can have.
#[must_use]
pub fn bare_account(number: u128) -> Account {
    Account {
        trade_name: None,
        tax_id: None,
        address: None,
        phone: None,
        email: None,
        website: None,
        api_access: true,
        extension: Extension::default(),
        ..account(number)
    }
}

/// A person with every member filled that needs no other record.
#[must_use]
pub fn person(company: AccountId, number: u128) -> Contact {
    Contact {
        id: id(number),
        company,
        identity: Identity::Person {
            given_name: "Íñigo".to_owned(),
            family_name: format!("Núñez {number}"),
            date_of_birth: Some(Pii::new(BirthDate(
                Date::from_ordinal_date(1_904, 60).expect("a leap year has a 29 February"),
            ))),
        },
        trade_name: Some("\"Quoted\" \\ 100 % _".to_owned()),
        roles: BTreeSet::from([ContactRole::Customer, ContactRole::Worker]),
        tax_id_kind: TaxIdKind::Nif,
        tax_id: Some(Pii::new(tax("12345678Z"))),
        shares_tax_id: false,
        email: Some(email("inigo@correo.example")),
        phone: Some(Pii::new(phone("+34910000001"))),
        mobile: Some(Pii::new(phone("+34600000001"))),
        address: Some(Pii::new(address("C/ Mayor, 2"))),
        shipping_address: Some(Pii::new(Address {
            line1: None,
            line2: None,
            postal_code: None,
            city: None,
            province: None,
            country: Country::SPAIN,
        })),
        iban: Some(Pii::new(Iban::from_stored("ES9121000418450200051332".to_owned()))),
        bic: Some(Bic::from_stored("CAIXESBBXXX".to_owned())),
        parent: None,
        language: language("es-ES"),
        currency: "JPY".parse().expect("the yen is a currency"),
        payment_term_days: 365,
        payment_method: PaymentMethod::DirectDebit,
        default_tax_code: Some("es_vat_21".to_owned()),
        withholding_rate: Some("15.0625".to_owned()),
        equivalence_surcharge: true,
        receivable_account_code: Some("4300001".to_owned()),
        payable_account_code: Some("4000001".to_owned()),
        tags: vec!["vip".to_owned(), "Añejo, \"x\"".to_owned(), "a%_".to_owned()],
        notes: Some("first line\n\tsecond — línea 🧾".to_owned()),
        consent: Some(Consent { marketing: true, at: at(-5), source: Some("form".to_owned()) }),
        status: ContactStatus::Active,
        extension: extension("ext-person"),
        version: Version::from_i64(7),
        created_at: at(2),
        updated_at: at(3),
    }
}

/// An organisation with as little as a contact can have.
#[must_use]
pub fn organization(company: AccountId, number: u128, legal_name: &str) -> Contact {
    Contact {
        identity: Identity::Organization { legal_name: legal_name.to_owned() },
        trade_name: None,
        roles: BTreeSet::new(),
        tax_id_kind: TaxIdKind::None,
        tax_id: None,
        email: None,
        phone: None,
        mobile: None,
        address: None,
        shipping_address: None,
        iban: None,
        bic: None,
        currency: Currency::EUR,
        payment_term_days: 0,
        payment_method: PaymentMethod::Transfer,
        default_tax_code: None,
        withholding_rate: None,
        equivalence_surcharge: false,
        receivable_account_code: None,
        payable_account_code: None,
        tags: Vec::new(),
        notes: None,
        consent: None,
        extension: Extension::default(),
        version: Version::FIRST,
        ..person(company, number)
    }
}

/// A group of these companies, the first one at the top.
#[must_use]
pub fn group(number: u128, companies: &[AccountId]) -> Group {
    let member = |(place, account): (i64, &AccountId)| GroupMember {
        account: *account,
        ownership_percent: (place > 0).then(|| format!("{place}.25")),
        since: at(place),
    };
    Group {
        id: id::<GroupId>(number),
        name: format!("Grupo Ñ {number}"),
        parent: *companies.first().expect("a group has a company at the top"),
        members: (0..).zip(companies).map(member).collect(),
        version: Version::FIRST,
        created_at: at(0),
        updated_at: at(1),
    }
}

/// A person who signs in.
#[must_use]
pub fn user(number: u128, address: &str) -> User {
    User {
        id: id::<UserId>(number),
        email: email(address),
        name: format!("Ángela {number}"),
        locale: language("en-GB"),
        mfa_enabled: true,
        status: UserStatus::Active,
        version: Version::FIRST,
        created_at: at(0),
        updated_at: at(1),
    }
}

/// An active membership.
#[must_use]
pub fn membership(number: u128, account: AccountId, user: UserId, role: Role) -> Membership {
    Membership {
        id: id::<MembershipId>(number),
        user,
        account,
        role,
        status: MembershipStatus::Active,
        invited_at: at(0),
        invited_by: None,
        invited_email: None,
        accepted_at: Some(at(1)),
        version: Version::FIRST,
        created_at: at(i64::try_from(number).unwrap_or(0)),
        updated_at: at(3),
    }
}

/// The id of the contact with this number.
#[must_use]
pub fn contact_id(number: u128) -> ContactId {
    id(number)
}

/// A stored tax id.
#[must_use]
pub fn tax(text: &str) -> TaxId {
    TaxId::from_stored(text.to_owned())
}

/// A stored phone.
#[must_use]
pub fn phone(text: &str) -> Phone {
    Phone::from_stored(text.to_owned())
}

/// A stored e-mail address.
#[must_use]
pub fn email(text: &str) -> Email {
    Email::from_stored(text.to_owned())
}

fn language(text: &str) -> LanguageTag {
    LanguageTag::from_stored(text.to_owned())
}

fn address(line1: &str) -> Address {
    Address {
        line1: Some(line1.to_owned()),
        line2: Some("2.º izq.".to_owned()),
        postal_code: Some("08001".to_owned()),
        city: Some("Barcelona".to_owned()),
        province: Some("Barcelona".to_owned()),
        country: "PT".parse().expect("Portugal is a country"),
    }
}

pub(super) fn extension(external: &str) -> Extension {
    let pairs = [("key.one", "valor ñ"), ("clé", ""), ("quote\"", "back\\slash\nline")];
    Extension {
        external_id: Some(external.to_owned()),
        metadata: pairs.map(|(key, value)| (key.to_owned(), value.to_owned())).into(),
    }
}

/// A case with every member filled, for `contact`, in which `participant` takes part.
#[must_use]
pub fn case(company: AccountId, number: u32, contact: ContactId, participant: ContactId) -> Case {
    Case {
        id: id(u128::from(number)),
        company,
        number: CaseNumber { year: 2025, sequence: number },
        title: format!("Inspección {number} «IVA»"),
        description: Some("Línea 1\nlínea 2 🚀".to_owned()),
        case_type: CaseType::Tax,
        status: CaseStatus::Closed { outcome: Outcome::Resolved, on: date(2025, 3, 9) },
        priority: Priority::Urgent,
        contact,
        participants: vec![participant],
        responsible: None,
        opened_on: date(2025, 3, 1),
        due_on: Some(date(2025, 4, 30)),
        links: vec![
            CaseLink { kind: CaseLinkType::Notice, id: Uuid::from_u128(70) },
            CaseLink { kind: CaseLinkType::File, id: Uuid::from_u128(71) },
        ],
        estimated_fees: Amount::from_minor(121_000, Currency::EUR).ok(),
        tags: vec!["vip".to_owned(), "Añejo".to_owned()],
        entries: 1,
        extension: extension(&format!("case-{number}")),
        version: Version::FIRST,
        created_at: at(i64::from(number)),
        updated_at: at(i64::from(number)),
    }
}

/// An open case with as little as there can be.
#[must_use]
pub fn bare_case(company: AccountId, number: u32, contact: ContactId) -> Case {
    Case {
        description: None,
        case_type: CaseType::Other,
        status: CaseStatus::Open,
        priority: Priority::Normal,
        participants: Vec::new(),
        due_on: None,
        links: Vec::new(),
        estimated_fees: None,
        tags: Vec::new(),
        extension: Extension::default(),
        ..case(company, number, contact, contact)
    }
}

/// A notice with every member, which a person accessed.
#[must_use]
pub fn notice(company: AccountId, number: u32, case: CaseId) -> Notice {
    Notice {
        id: id(u128::from(number)),
        company,
        source: NoticeSource::Aeat,
        kind: NoticeKind::Notification,
        issuer: "Agencia Tributaria".to_owned(),
        subject: format!("Requerimiento {number} «IVA»"),
        reference: format!("2025N{number:07}"),
        recipient_tax_id: Some(Pii::new(tax("A58818501"))),
        available_at: at(i64::from(number)),
        expires_on: Some(date(2025, 3, 9)),
        status: NoticeStatus::Accessed { at: at(90), by: id(99) },
        response_due_on: Some(date(2025, 3, 20)),
        case: Some(case),
        assigned: Some(id(98)),
        handled: true,
        version: Version::FIRST,
        created_at: at(i64::from(number)),
        updated_at: at(i64::from(number)),
    }
}

/// A communication that waits, with as little as there can be.
#[must_use]
pub fn bare_notice(company: AccountId, number: u32) -> Notice {
    Notice {
        source: NoticeSource::Manual,
        kind: NoticeKind::Communication,
        recipient_tax_id: None,
        expires_on: None,
        status: NoticeStatus::Available,
        response_due_on: None,
        case: None,
        assigned: None,
        handled: false,
        ..notice(company, number, id(1))
    }
}

/// A date.
#[must_use]
pub fn date(year: i32, month: u8, day: u8) -> Date {
    let month = Month::try_from(month).expect("1 to 12");
    Date::from_calendar_date(year, month, day).expect("a day of the month")
}
