//! `/tax/profile`

use http::StatusCode;
use svc_business::account::{Account, LegalForm};
use svc_business::party::AddressView;
use svc_business::record;
use svc_business::tax::profile::{
    self, Activity, IncomeTax, IntraCommunity, Representative, TaxProfile, TaxProfileInput, Territory,
    VatPeriod, VatRegime, VerifactuMode, Withheld,
};
use svc_core::clock::Timestamp;
use svc_core::id::{AccountId, TaxProfileId};
use svc_core::pii::{PiiAccess, Shown};
use svc_core::resource::Resource;
use svc_core::wire::Form;
use svc_core::wire_view;

use super::return_view::PERIOD;
use crate::answer::Answer;
use crate::api_request::ApiRequest;
use crate::json::Update;
use crate::problem::Problem;
use crate::query::{Kind, Param};

pub(super) const PARAMS: [Param; 1] =
    [Param::new("companyId", Kind::id::<AccountId>(), "The company; the primary account when left out.")];

wire_view! {
    /// What says which returns a company owes.
    #[derive(Debug)]
    pub(super) struct TaxProfileView as "TaxProfile" {
        id: TaxProfileId,
        object: &'static str => Form::one_of(&["tax_profile"]),
        company_id: AccountId,
        version: i64,
        /// That of the company.
        tax_id: Option<Shown<String>>,
        /// The address of the company.
        fiscal_address: Option<Shown<AddressView>> => Form::ANY.json("null"),
        /// That of the company.
        legal_form: LegalForm => Form::ANY.example("sl"),
        vat_regime: VatRegime => Form::ANY.example("general"),
        vat_period: VatPeriod,
        /// Whether the registers of VAT are kept at the tax agency.
        sii: bool,
        /// Whether VAT is refunded each month.
        redeme: bool,
        /// Whether withholdings are declared each month.
        large_company: bool,
        /// Whether simplified invoices may come to 3,000 € (RD 1619/2012, article 4.2).
        extended_simplified_invoices: bool,
        /// The part of VAT that is deducted where it is not all, in percent.
        pro_rata_percent: Option<u16> => Form::ANY.json("null"),
        /// How often operations within the European Union are declared.
        intra_community: IntraCommunity,
        income_tax: IncomeTax => Form::ANY.example("corporate"),
        /// In percent.
        corporate_tax_rate: Option<String> => Form::ANY.example("25"),
        /// From whom it withholds tax.
        withholds: Vec<Withheld> => Form::ANY.json(r#"["professionals"]"#),
        territory: Territory,
        activities: Vec<ActivityView> => Form::ANY.json("[]"),
        /// The last day of the tax year: MM-DD.
        fiscal_year_end: String => Form::pattern("^[0-9]{2}-[0-9]{2}$").example("12-31"),
        verifactu_mode: VerifactuMode,
        /// Where refunds are paid to; masked but for its ends.
        refund_iban: Option<Shown<String>>,
        /// Who acts for it before the tax agency.
        representative: Option<RepresentativeView> => Form::ANY.json("null"),
        /// The returns of the periods of the present year, by their last day.
        obligations: Vec<ObligationView>,
        created_at: Timestamp,
        updated_at: Timestamp,
    }
}

wire_view! {
    /// Something that a company does.
    #[derive(Debug)]
    struct ActivityView as "TaxActivityView" {
        iae: Option<String> => Form::ANY.example("1/844"),
        cnae: Option<String> => Form::ANY.example("6920"),
        description: String => Form::ANY.example("Advertising"),
        main: bool,
    }
}

wire_view! {
    /// Who acts for a company before the tax agency.
    #[derive(Debug)]
    struct RepresentativeView as "TaxRepresentativeView" {
        name: String => Form::ANY.example("Gestoría Sol SL"),
        /// Masked but for its ends.
        tax_id: Shown<String>,
    }
}

wire_view! {
    /// A return that a company owes.
    #[derive(Clone, Debug)]
    struct ObligationView as "TaxObligation" {
        /// The form of the tax agency.
        model: String => Form::pattern("^[0-9]{3}$").example("303"),
        year: u16 => Form::ANY.number(2025),
        /// A month, a quarter, or the year, as the tax agency writes them.
        period: String => PERIOD,
        /// The last day on which it is filed in time.
        due_date: String => Form::DATE,
    }
}

pub(super) async fn get(req: ApiRequest) -> Result<Answer, Problem> {
    let company = req.named_company()?;
    let found = req.app.business.tax_profiles().of_company(company).await?.ok_or_else(Problem::not_found)?;
    let account = req.company_of(&req.caller.principal.scope, company).await?;
    answer(&req, &account, found)
}

pub(super) async fn update(req: ApiRequest) -> Result<Answer, Problem> {
    let company = req.named_company()?;
    let unit = req.app.business.begin().await?;
    let found = unit.tax_profiles().of_company(company).await?.ok_or_else(Problem::not_found)?;
    let opened = record::open::<TaxProfile>(unit.as_ref(), req.call(), found.id, &req.if_match()).await?;
    let account = opened.home.company.clone();
    let Update(input) = req.json::<Update<TaxProfileInput>>()?;
    let updated = profile::update(opened, input).await?;
    unit.commit().await?;
    answer(&req, &account, updated)
}

fn answer(req: &ApiRequest, account: &Account, profile: TaxProfile) -> Result<Answer, Problem> {
    let year = account.local_date(req.context.now).year();
    let owed = profile.obligations(year).map_err(svc_core::error::StoreError::backend)?;
    let obligation = |owed: &profile::Obligation| ObligationView {
        model: owed.model.name().to_owned(),
        year: u16::try_from(owed.period.year()).unwrap_or(u16::MAX),
        period: owed.period.period().to_string(),
        due_date: owed.due.to_string(),
    };
    let obligations: Vec<_> = owed.iter().map(obligation).collect();
    let (company, version, account) = (profile.company, profile.version, account.clone());
    let view = move |access| TaxProfileView::of(&account, &profile, obligations.clone(), access);
    Ok(Answer::personal(StatusCode::OK, view).of(company).version(version))
}

impl TaxProfileView {
    fn of(
        account: &Account,
        profile: &TaxProfile,
        obligations: Vec<ObligationView>,
        access: PiiAccess,
    ) -> Self {
        Self {
            id: profile.id,
            object: TaxProfile::NAME,
            company_id: profile.company,
            version: profile.version.as_i64(),
            tax_id: account.tax_id.as_ref().map(|tax_id| tax_id.show(access)),
            fiscal_address: account.address.as_ref().map(|address| address.show(access)),
            legal_form: account.legal_form,
            vat_regime: profile.vat_regime,
            vat_period: profile.vat_period,
            sii: profile.sii,
            redeme: profile.redeme,
            large_company: profile.large,
            extended_simplified_invoices: profile.extended_simplified,
            pro_rata_percent: profile.pro_rata,
            intra_community: profile.intra_community,
            income_tax: profile.income_tax,
            corporate_tax_rate: profile.corporate_rate.map(|rate| rate.to_string()),
            withholds: profile.withholds.iter().copied().collect(),
            territory: profile.territory,
            activities: profile.activities.iter().map(ActivityView::of).collect(),
            fiscal_year_end: profile.year_end.to_string(),
            verifactu_mode: profile.verifactu,
            refund_iban: profile.refund_iban.as_ref().map(|iban| iban.show(access)),
            representative: profile.representative.as_ref().map(|one| RepresentativeView::of(one, access)),
            obligations,
            created_at: profile.created_at,
            updated_at: profile.updated_at,
        }
    }
}

impl ActivityView {
    fn of(activity: &Activity) -> Self {
        let Activity { iae, cnae, description, main } = activity.clone();
        Self { iae, cnae, description, main }
    }
}

impl RepresentativeView {
    fn of(representative: &Representative, access: PiiAccess) -> Self {
        Self { name: representative.name.clone(), tax_id: representative.tax_id.show(access) }
    }
}
