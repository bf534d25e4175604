//! What a client writes of a tax profile.

use svc_core::patch::Patch;
use svc_core::wire::Form;
use svc_core::{wire_patch, wire_request};
use svc_tax_forms::calendar::VatRegime;

use super::{IncomeTax, IntraCommunity, Territory, VatPeriod, VerifactuMode, Withheld};
use crate::party::form;

wire_patch! {
    /// What says which returns a company owes, as a client writes it.
    pub struct TaxProfileInput as "TaxProfile" computed [taxId, fiscalAddress, legalForm, obligations] {
        /// The scheme of VAT.
        [kept] vat_regime: Patch<VatRegime> => Form::ANY.example("general"),
        /// How often VAT is declared; each month under `sii` and `redeme`.
        [kept] vat_period: Patch<VatPeriod>,
        /// Whether the registers of VAT are kept at the tax agency.
        [kept] sii: Patch<bool>,
        /// Whether VAT is refunded each month.
        [kept] redeme: Patch<bool>,
        /// Whether the turnover of the year before was above 6,010,121.04 €: then withholdings are declared each month.
        [kept] large as "largeCompany": Patch<bool>,
        /// Whether its simplified invoices may come to 3,000 € and not 400 €: retail, hostelry, transport of persons and others
        /// (RD 1619/2012, article 4.2).
        [kept] extended_simplified as "extendedSimplifiedInvoices": Patch<bool>,
        /// The part of VAT that is deducted where it is not all, in whole percent; null for all of it.
        pro_rata as "proRataPercent": Patch<i64> => Form::range(0, 100).number(80),
        /// How often operations within the European Union are declared.
        [kept] intra_community: Patch<IntraCommunity>,
        /// The tax on the income.
        [kept] income_tax: Patch<IncomeTax> => Form::ANY.example("corporate"),
        /// The rate of corporate tax; the general one when left out.
        corporate_rate as "corporateTaxRate": Patch<String> => form::PERCENT.example("25"),
        /// From whom it withholds tax, each once.
        [kept] withholds: Patch<Vec<Withheld>> => Form::list(0, 3, &Form::ANY).json(r#"["professionals"]"#),
        /// Where it is taxed.
        [kept] territory: Patch<Territory>,
        /// What it does; one of several is the main one.
        [kept] activities: Patch<Vec<ActivityInput>> => Form::list(0, 20, &Form::ANY).json("[]"),
        /// The last day of the tax year: MM-DD.
        [kept] year_end as "fiscalYearEnd": Patch<String> => Form::pattern("^[0-9]{2}-[0-9]{2}$").length(5, 5).example("12-31"),
        /// How records of invoices are kept for the tax agency.
        [kept] verifactu as "verifactuMode": Patch<VerifactuMode>,
        /// Where refunds are paid to.
        refund_iban: Patch<String> => form::IBAN.example("ES9121000418450200051332"),
        /// Who acts for it before the tax agency.
        representative: Patch<RepresentativeInput> => Form::ANY.json("null"),
    }
}

wire_request! {
    /// Something that a company does.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct ActivityInput as "TaxActivity" {
        /// The heading of the tax on activities, with its section.
        pub iae: Option<String> => Form::pattern("^[1-3]/[0-9]{1,4}(\\.[0-9])?$").length(3, 8).example("1/844"),
        /// The class of the national classification of activities.
        pub cnae: Option<String> => Form::pattern("^[0-9]{2,4}$").length(2, 4).example("6920"),
        /// What it is.
        pub description: String => Form::text(1, 200).example("Advertising"),
        /// Whether it is the main one.
        #[serde(default)]
        pub main: bool,
    }
}

wire_request! {
    /// Who acts for a company before the tax agency.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct RepresentativeInput as "TaxRepresentative" {
        /// Who.
        pub name: String => Form::text(1, 200).example("Gestoría Sol SL"),
        /// Their tax id.
        pub tax_id: String => form::TAX_ID,
    }
}
