//! Which tax an account counts.

/// The tax that an account counts, if any: entries on it are held against their tax tags.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TaxRole {
    /// VAT charged to customers (*IVA repercutido*): `output_vat`
    OutputVat,
    /// VAT paid to suppliers that can be deducted (*IVA soportado*): `input_vat`
    InputVat,
    /// Tax withheld from others, owed to the treasury: `withholding_payable`
    WithholdingPayable,
    /// Tax that others withheld from the company, and payments on account: `withholding_receivable`
    WithholdingReceivable,
    /// What a VAT return says is owed or due: `vat_settlement`
    VatSettlement,
}

svc_core::wire_names!(TaxRole {
    OutputVat = "output_vat",
    InputVat = "input_vat",
    WithholdingPayable = "withholding_payable",
    WithholdingReceivable = "withholding_receivable",
    VatSettlement = "vat_settlement",
});
