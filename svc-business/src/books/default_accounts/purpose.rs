//! What default accounts are for.

/// What an entry needs an account for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Purpose {
    /// What customers owe: `receivable`
    Receivable,
    /// Advances of customers: `customerAdvance`
    CustomerAdvance,
    /// Customers who may not pay: `doubtfulReceivable`
    DoubtfulReceivable,
    /// What is owed to suppliers of goods: `payable`
    Payable,
    /// Advances to suppliers: `supplierAdvance`
    SupplierAdvance,
    /// What is owed to suppliers of services: `creditor`
    Creditor,
    /// VAT charged: `outputVat`
    OutputVat,
    /// VAT that can be deducted: `inputVat`
    InputVat,
    /// VAT that a return says is owed: `vatPayable`
    VatPayable,
    /// VAT that a return says is due: `vatReceivable`
    VatReceivable,
    /// Tax that customers withheld: `withholdingReceivable`
    WithholdingReceivable,
    /// Tax withheld from suppliers: `withholdingPayable`
    WithholdingPayable,
    /// Corporate tax owed: `corporateTaxPayable`
    CorporateTaxPayable,
    /// Corporate tax that is to be refunded: `corporateTaxReceivable`
    CorporateTaxReceivable,
    /// Corporate tax of the year: `corporateTax`
    CorporateTax,
    /// Sales of goods: `sales`
    Sales,
    /// Services rendered: `services`
    Services,
    /// Goods that customers sent back: `salesReturns`
    SalesReturns,
    /// Income of other kinds: `otherIncome`
    OtherIncome,
    /// Purchases of goods: `purchases`
    Purchases,
    /// Services received: `expense`
    Expense,
    /// Bank accounts: `bank`
    Bank,
    /// Cash: `cash`
    Cash,
    /// What banks charge: `bankFees`
    BankFees,
    /// Interest on loans of banks: `interestExpense`
    InterestExpense,
    /// Interest received: `interestIncome`
    InterestIncome,
    /// What a change of an exchange rate won: `fxGain`
    FxGain,
    /// What a change of an exchange rate lost: `fxLoss`
    FxLoss,
    /// What the disposal of an intangible asset won: `intangibleDisposalGain`
    IntangibleDisposalGain,
    /// What the disposal of an intangible asset lost: `intangibleDisposalLoss`
    IntangibleDisposalLoss,
    /// What the disposal of a tangible asset won: `tangibleDisposalGain`
    TangibleDisposalGain,
    /// What the disposal of a tangible asset lost: `tangibleDisposalLoss`
    TangibleDisposalLoss,
    /// What the disposal of an investment property won: `propertyDisposalGain`
    PropertyDisposalGain,
    /// What the disposal of an investment property lost: `propertyDisposalLoss`
    PropertyDisposalLoss,
    /// What buyers of fixed assets owe: `disposalReceivable`
    DisposalReceivable,
    /// What is owed to suppliers of fixed assets: `assetSupplier`
    AssetSupplier,
    /// The result of the year: `result`
    Result,
    /// Movements whose reason is not known yet: `suspense`
    Suspense,
}

svc_core::wire_names!(Purpose {
    Receivable = "receivable",
    CustomerAdvance = "customerAdvance",
    DoubtfulReceivable = "doubtfulReceivable",
    Payable = "payable",
    SupplierAdvance = "supplierAdvance",
    Creditor = "creditor",
    OutputVat = "outputVat",
    InputVat = "inputVat",
    VatPayable = "vatPayable",
    VatReceivable = "vatReceivable",
    WithholdingReceivable = "withholdingReceivable",
    WithholdingPayable = "withholdingPayable",
    CorporateTaxPayable = "corporateTaxPayable",
    CorporateTaxReceivable = "corporateTaxReceivable",
    CorporateTax = "corporateTax",
    Sales = "sales",
    Services = "services",
    SalesReturns = "salesReturns",
    OtherIncome = "otherIncome",
    Purchases = "purchases",
    Expense = "expense",
    Bank = "bank",
    Cash = "cash",
    BankFees = "bankFees",
    InterestExpense = "interestExpense",
    InterestIncome = "interestIncome",
    FxGain = "fxGain",
    FxLoss = "fxLoss",
    IntangibleDisposalGain = "intangibleDisposalGain",
    IntangibleDisposalLoss = "intangibleDisposalLoss",
    TangibleDisposalGain = "tangibleDisposalGain",
    TangibleDisposalLoss = "tangibleDisposalLoss",
    PropertyDisposalGain = "propertyDisposalGain",
    PropertyDisposalLoss = "propertyDisposalLoss",
    DisposalReceivable = "disposalReceivable",
    AssetSupplier = "assetSupplier",
    Result = "result",
    Suspense = "suspense",
});

impl Purpose {
    /// The account of the chart of small companies, before it is padded.
    pub(super) const fn es_pgc_pymes(self) -> &'static str {
        match self {
            Self::Receivable => "4300",
            Self::CustomerAdvance => "438",
            Self::DoubtfulReceivable => "436",
            Self::Payable => "4000",
            Self::SupplierAdvance => "407",
            Self::Creditor => "4100",
            Self::OutputVat => "477",
            Self::InputVat => "472",
            Self::VatPayable => "4750",
            Self::VatReceivable => "4700",
            Self::WithholdingReceivable => "473",
            Self::WithholdingPayable => "4751",
            Self::CorporateTaxPayable => "4752",
            Self::CorporateTaxReceivable => "4709",
            Self::CorporateTax => "6300",
            Self::Sales => "700",
            Self::Services => "705",
            Self::SalesReturns => "7080",
            Self::OtherIncome => "759",
            Self::Purchases => "600",
            Self::Expense => "629",
            Self::Bank => "572",
            Self::Cash => "570",
            Self::BankFees => "626",
            // 6620, which would stand first, is for debts to companies of the same group.
            Self::InterestExpense => "6623",
            Self::InterestIncome => "769",
            Self::FxGain => "768",
            Self::FxLoss => "668",
            Self::IntangibleDisposalGain => "770",
            Self::IntangibleDisposalLoss => "670",
            Self::TangibleDisposalGain => "771",
            Self::TangibleDisposalLoss => "671",
            Self::PropertyDisposalGain => "772",
            Self::PropertyDisposalLoss => "672",
            Self::DisposalReceivable => "543",
            Self::AssetSupplier => "523",
            Self::Result => "129",
            Self::Suspense => "555",
        }
    }
}
