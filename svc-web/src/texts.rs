//! What the pages say, in each of their languages.
//!
//! A text stands beside its translation, so that neither is forgotten: one without the other does not compile. `{}` is
//! where [`filled`] puts a value.

mod activity;
mod api;
mod approvals;
mod audit_log;
mod authorize;
mod ceremony;
mod companies;
mod company_data;
mod company_life;
mod data_room;
mod deliveries;
pub(crate) mod errors;
mod event_log;
mod first_run;
mod forgotten;
mod frame;
mod groups;
mod guest;
mod joining;
mod members;
mod password;
pub(crate) mod permissions;
pub(crate) mod refusal;
mod replays;
mod second_factor;
mod sessions;
mod sign_in;
mod subscriptions;
mod tokens;
mod uploads;

pub(crate) use self::activity::Activity;
pub(crate) use self::api::Api;
pub(crate) use self::approvals::Approvals;
pub(crate) use self::audit_log::AuditLog;
pub(crate) use self::authorize::Authorize;
pub(crate) use self::ceremony::Ceremony;
pub(crate) use self::companies::Companies;
pub(crate) use self::company_data::CompanyData;
pub(crate) use self::company_life::CompanyLife;
pub(crate) use self::data_room::DataRoom;
pub(crate) use self::deliveries::Deliveries;
pub(crate) use self::event_log::EventLog;
pub(crate) use self::first_run::FirstRun;
pub(crate) use self::forgotten::Forgotten;
pub(crate) use self::frame::Frame;
pub(crate) use self::groups::Groups;
pub(crate) use self::guest::Guest;
pub(crate) use self::joining::Joining;
pub(crate) use self::members::Members;
pub(crate) use self::password::Password;
pub(crate) use self::refusal::Refusal;
pub(crate) use self::replays::Replays;
pub(crate) use self::second_factor::SecondFactor;
pub(crate) use self::sessions::Sessions;
pub(crate) use self::sign_in::SignIn;
pub(crate) use self::subscriptions::Subscriptions;
pub(crate) use self::tokens::Tokens;
pub(crate) use self::uploads::Uploads;

/// Declares the texts of a part of the pages: each in English, then in Spanish.
macro_rules! texts {
    ($(#[$about:meta])* $name:ident { $($field:ident: $english:literal, $spanish:literal;)* }) => {
        $(#[$about])*
        pub(crate) struct $name {
            $(pub(crate) $field: &'static str,)*
        }

        impl $name {
            pub(crate) const ENGLISH: Self = Self { $($field: $english,)* };
            pub(crate) const SPANISH: Self = Self { $($field: $spanish,)* };
        }
    };
}
use texts;

/// Every text, by part.
pub(crate) struct Texts {
    pub(crate) frame: Frame,
    pub(crate) activity: Activity,
    pub(crate) api: Api,
    pub(crate) approvals: Approvals,
    pub(crate) authorize: Authorize,
    pub(crate) ceremony: Ceremony,
    pub(crate) sign_in: SignIn,
    pub(crate) companies: Companies,
    pub(crate) data_room: DataRoom,
    pub(crate) guest: Guest,
    pub(crate) company_data: CompanyData,
    pub(crate) company_life: CompanyLife,
    pub(crate) groups: Groups,
    pub(crate) deliveries: Deliveries,
    pub(crate) event_log: EventLog,
    pub(crate) replays: Replays,
    pub(crate) subscriptions: Subscriptions,
    pub(crate) tokens: Tokens,
    pub(crate) uploads: Uploads,
    pub(crate) members: Members,
    pub(crate) password: Password,
    pub(crate) sessions: Sessions,
    pub(crate) second_factor: SecondFactor,
    pub(crate) audit_log: AuditLog,
    pub(crate) first_run: FirstRun,
    pub(crate) forgotten: Forgotten,
    pub(crate) joining: Joining,
    pub(crate) refusal: Refusal,
}

impl Texts {
    pub(crate) const ENGLISH: Self = Self {
        frame: Frame::ENGLISH,
        activity: Activity::ENGLISH,
        api: Api::ENGLISH,
        approvals: Approvals::ENGLISH,
        authorize: Authorize::ENGLISH,
        ceremony: Ceremony::ENGLISH,
        sign_in: SignIn::ENGLISH,
        companies: Companies::ENGLISH,
        data_room: DataRoom::ENGLISH,
        guest: Guest::ENGLISH,
        company_data: CompanyData::ENGLISH,
        company_life: CompanyLife::ENGLISH,
        groups: Groups::ENGLISH,
        deliveries: Deliveries::ENGLISH,
        event_log: EventLog::ENGLISH,
        replays: Replays::ENGLISH,
        subscriptions: Subscriptions::ENGLISH,
        tokens: Tokens::ENGLISH,
        uploads: Uploads::ENGLISH,
        members: Members::ENGLISH,
        password: Password::ENGLISH,
        sessions: Sessions::ENGLISH,
        second_factor: SecondFactor::ENGLISH,
        audit_log: AuditLog::ENGLISH,
        first_run: FirstRun::ENGLISH,
        forgotten: Forgotten::ENGLISH,
        joining: Joining::ENGLISH,
        refusal: Refusal::ENGLISH,
    };
    pub(crate) const SPANISH: Self = Self {
        frame: Frame::SPANISH,
        activity: Activity::SPANISH,
        api: Api::SPANISH,
        approvals: Approvals::SPANISH,
        authorize: Authorize::SPANISH,
        ceremony: Ceremony::SPANISH,
        sign_in: SignIn::SPANISH,
        companies: Companies::SPANISH,
        data_room: DataRoom::SPANISH,
        guest: Guest::SPANISH,
        company_data: CompanyData::SPANISH,
        company_life: CompanyLife::SPANISH,
        groups: Groups::SPANISH,
        deliveries: Deliveries::SPANISH,
        event_log: EventLog::SPANISH,
        replays: Replays::SPANISH,
        subscriptions: Subscriptions::SPANISH,
        tokens: Tokens::SPANISH,
        uploads: Uploads::SPANISH,
        members: Members::SPANISH,
        password: Password::SPANISH,
        sessions: Sessions::SPANISH,
        second_factor: SecondFactor::SPANISH,
        audit_log: AuditLog::SPANISH,
        first_run: FirstRun::SPANISH,
        forgotten: Forgotten::SPANISH,
        joining: Joining::SPANISH,
        refusal: Refusal::SPANISH,
    };
}

/// The text with this value in the place of its first `{}`.
pub(crate) fn filled(text: &str, value: impl std::fmt::Display) -> String {
    text.replacen("{}", &value.to_string(), 1)
}
