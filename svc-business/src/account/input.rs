//! What a client writes of a company.

use std::collections::BTreeMap;

use svc_core::id::AccountId;
use svc_core::patch::Patch;
use svc_core::pii::PiiAccess;
use svc_core::wire::Form;

use crate::account::LegalForm;
use crate::party::{AddressInput, form};

svc_core::wire_patch! {
    /// A company on the platform, as a client writes it.
    pub struct AccountInput as "Account"
        computed [groupId, apiAccessEnabled, status, deactivatedAt, duplicateAccountIds]
    {
        /// Registered name.
        [always] legal_name: Patch<String> => Form::text(1, 200).example("Ferretería Sol SL"),
        /// Name that it trades under.
        trade_name: Patch<String> => Form::text(1, 200).example("Ferretería Sol"),
        /// Spanish ones are checked; masked values are refused.
        tax_id: Patch<String> => form::TAX_ID,
        /// ISO 3166-1 alpha-2, `ES` unless said otherwise.
        country: Patch<String> => form::COUNTRY,
        /// BCP 47, `es` unless said otherwise.
        language: Patch<String> => form::LANGUAGE,
        /// IANA name, `Europe/Madrid` unless said otherwise.
        timezone: Patch<String> => Form::text(1, 64),
        /// Drives its tax obligations.
        [always] legal_form: Patch<LegalForm> => Form::ANY.example("sl"),
        /// Fiscal address.
        address: Patch<AddressInput>,
        /// E.164; masked values are refused.
        phone: Patch<String> => form::PHONE,
        /// E-mail address.
        email: Patch<String> => Form::EMAIL,
        /// Web site, http or https.
        website: Patch<String> => Form::URI.length(1, 2_000).example("https://ferreteriasol.example"),
        /// ISO 4217, `EUR` unless said otherwise.
        base_currency: Patch<String> => form::CURRENCY,
        /// The company above it, in the same group.
        [needed] parent as "parentAccountId": Patch<AccountId>,
        /// An integrator's own id.
        external_id: Patch<String> => form::EXTERNAL_ID,
        /// An integrator's own pairs, at most 50; null for a key removes it.
        metadata: Patch<BTreeMap<String, Option<String>>> => form::METADATA,
    }
}

impl AccountInput {
    /// Whether it writes a member that a caller with this access sees masked.
    pub(super) fn writes_unseen(&self, access: PiiAccess) -> bool {
        let texts = [&self.tax_id, &self.phone];
        let written = texts.iter().any(|text| !text.is_absent()) || !self.address.is_absent();
        written && !access.is_full()
    }
}
