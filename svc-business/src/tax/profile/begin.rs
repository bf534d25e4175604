//! The beginning of a tax profile.

use std::collections::BTreeSet;

use svc_core::error::StoreError;
use svc_core::id::{TaxProfileId, TypedId as _};
use svc_core::resource::Version;
use svc_core::unit::CallContext;
use svc_tax_forms::calendar::VatRegime;

use super::{IncomeTax, IntraCommunity, TaxProfile, Territory, VatPeriod, VerifactuMode, YearEnd};
use crate::account::{Account, LegalForm, newborn};
use crate::ports::DynTaxUnit;
use crate::trade::Rate;

/// The general rate of corporate tax, in tenths of a percent (Ley 27/2014, article 29.1).
const CORPORATE: u16 = 250;

/// Begins the tax profile of a new company, as its legal form suggests. Emits nothing.
///
/// # Errors
/// When the store failed; nothing was added.
pub async fn begin(
    unit: &DynTaxUnit,
    call: CallContext<'_>,
    company: &Account,
) -> Result<TaxProfile, StoreError> {
    let profile = blank(call, company);
    unit.tax_profiles().insert(&newborn(company.id), &profile).await?;
    Ok(profile)
}

fn blank(call: CallContext<'_>, company: &Account) -> TaxProfile {
    let income_tax = income_tax(company.legal_form);
    TaxProfile {
        id: TaxProfileId::generate(call.now, call.random),
        company: company.id,
        vat_regime: VatRegime::General,
        vat_period: VatPeriod::default(),
        sii: false,
        redeme: false,
        large: false,
        extended_simplified: false,
        pro_rata: None,
        intra_community: IntraCommunity::default(),
        income_tax,
        corporate_rate: (income_tax == IncomeTax::Corporate).then(general_rate),
        withholds: BTreeSet::new(),
        territory: Territory::default(),
        activities: Vec::new(),
        year_end: YearEnd::default(),
        verifactu: VerifactuMode::default(),
        refund_iban: None,
        representative: None,
        version: Version::FIRST,
        created_at: call.now,
        updated_at: call.now,
    }
}

/// The general rate of corporate tax.
pub(super) fn general_rate() -> Rate {
    Rate::tenths(CORPORATE)
}

/// The tax on the income of companies of this form.
const fn income_tax(form: LegalForm) -> IncomeTax {
    match form {
        LegalForm::SoleTrader => IncomeTax::PersonalDirect,
        LegalForm::CivilPartnership | LegalForm::CommunityOfProperty => IncomeTax::None,
        LegalForm::Sl
        | LegalForm::Sa
        | LegalForm::Cooperative
        | LegalForm::Association
        | LegalForm::Foundation
        | LegalForm::Other => IncomeTax::Corporate,
    }
}
