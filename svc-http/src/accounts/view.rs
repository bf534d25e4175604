//! A company as a response carries it.

use std::collections::BTreeMap;

use http::StatusCode;
use svc_business::account::{Account, AccountStatus, LegalForm};
use svc_business::party::AddressView;
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::id::{AccountId, GroupId};
use svc_core::pii::{PiiAccess, Shown};
use svc_core::resource::Resource;
use svc_core::wire::Form;
use svc_core::wire_view;

use crate::answer::Answer;
use crate::api_request::ApiRequest;

wire_view! {
    /// A company on the platform.
    #[derive(Debug)]
    pub(crate) struct View as "Account" {
        id: AccountId,
        object: &'static str => Form::one_of(&["account"]),
        /// The company itself.
        company_id: AccountId,
        version: i64,
        legal_name: String => Form::ANY.example("Ferretería Sol SL"),
        trade_name: Option<String> => Form::ANY.example("Ferretería Sol"),
        /// Masked but for the first and the last two characters.
        tax_id: Option<Shown<String>> => Form::ANY.example("B******74"),
        /// ISO 3166-1 alpha-2.
        country: String => Form::pattern("^[A-Z]{2}$").example("ES"),
        /// BCP 47.
        language: String => Form::ANY.example("es"),
        /// IANA name.
        timezone: String => Form::ANY.example("Europe/Madrid"),
        legal_form: LegalForm => Form::ANY.example("sl"),
        /// Null when masked.
        address: Option<Shown<AddressView>> => Form::ANY.json("null"),
        /// Masked but for the last three digits.
        phone: Option<Shown<String>> => Form::ANY.example("*********000"),
        email: Option<String> => Form::EMAIL,
        website: Option<String> => Form::URI.example("https://ferreteriasol.example"),
        /// ISO 4217.
        base_currency: &'static str => Form::pattern("^[A-Z]{3}$").example("EUR"),
        group_id: Option<GroupId> => Form::ANY.json("null"),
        parent_account_id: Option<AccountId> => Form::ANY.json("null"),
        /// When off, tokens cannot be created, edited or rotated for it.
        api_access_enabled: bool,
        status: &'static str => Form::one_of(AccountStatus::NAMES),
        deactivated_at: Option<Timestamp> => Form::ANY.json("null"),
        /// The survivor of a merged company.
        merged_into_id: Option<AccountId> => Form::ANY.json("null"),
        /// Companies within reach with the same tax id; only where one company is shown, to tokens that see tax ids.
        #[serde(skip_serializing_if = "Option::is_none")]
        [optional] duplicate_account_ids: Option<Vec<AccountId>>,
        external_id: Option<String>,
        metadata: BTreeMap<String, String> => Form::ANY.json("{}"),
        created_at: Timestamp,
        updated_at: Timestamp,
    }
}

/// Companies within reach that have the same tax id as this one.
pub(super) async fn duplicates(req: &ApiRequest, account: &Account) -> Result<Vec<AccountId>, StoreError> {
    match &account.tax_id {
        Some(tax_id) => {
            let accounts = req.app.business.accounts();
            accounts.with_tax_id(&req.caller.principal.scope, tax_id, account.id).await
        }
        None => Ok(Vec::new()),
    }
}

/// A single company as an answer.
pub(super) fn answer(status: StatusCode, account: Account, duplicates: Vec<AccountId>) -> Answer {
    let (id, version) = (account.id, account.version);
    // They tell which tax ids are equal.
    let seen = move |access: PiiAccess| access.is_full().then(|| duplicates.clone());
    let show = move |access| View { duplicate_account_ids: seen(access), ..View::of(&account, access) };
    Answer::personal(status, show).of(id).version(version)
}

impl View {
    /// The company as this sight may see it.
    pub(super) fn of(account: &Account, access: PiiAccess) -> Self {
        let (deactivated_at, merged_into_id) = match account.status {
            AccountStatus::Active => (None, None),
            AccountStatus::Deactivated { at } => (Some(at), None),
            AccountStatus::Merged { into, .. } => (None, Some(into)),
        };
        Self {
            id: account.id,
            object: Account::NAME,
            company_id: account.id,
            version: account.version.as_i64(),
            legal_name: account.legal_name.clone(),
            trade_name: account.trade_name.clone(),
            tax_id: account.tax_id.as_ref().map(|id| id.show(access)),
            country: account.country.code().to_owned(),
            language: account.language.as_str().to_owned(),
            timezone: account.timezone.clone(),
            legal_form: account.legal_form,
            address: account.address.as_ref().map(|address| address.show(access)),
            phone: account.phone.as_ref().map(|phone| phone.show(access)),
            email: account.email.as_ref().map(|email| email.as_str().to_owned()),
            website: account.website.as_ref().map(|website| website.as_str().to_owned()),
            base_currency: account.base_currency.code(),
            group_id: account.group,
            parent_account_id: account.parent,
            api_access_enabled: account.api_access,
            status: account.status.name(),
            deactivated_at,
            merged_into_id,
            duplicate_account_ids: None,
            external_id: account.extension.external_id.clone(),
            metadata: account.extension.metadata.clone(),
            created_at: account.created_at,
            updated_at: account.updated_at,
        }
    }
}
