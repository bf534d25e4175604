//! What books write by themselves.

/// What becomes of an entry that the service makes for a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// There is none: `off`
    Off,
    /// It waits to be looked at and posted: `draft`
    Draft,
    /// It counts at once: `post`
    Post,
}

svc_core::wire_names!(Mode { Off = "off", Draft = "draft", Post = "post" });

/// What the service writes into the journal by itself, area by area.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Automation {
    /// When a sales document is issued or voided.
    pub sales: Mode,
    /// When a supplier document is approved or voided.
    pub purchases: Mode,
    /// When a payment is recorded or removed.
    pub payments: Mode,
    /// When a month of fixed assets has passed.
    pub depreciation: Mode,
    /// When a tax return is submitted.
    pub tax_settlement: Mode,
    /// Whether bank movements are matched without being asked.
    pub auto_reconcile: bool,
}

impl Default for Automation {
    fn default() -> Self {
        Self {
            sales: Mode::Post,
            purchases: Mode::Post,
            payments: Mode::Post,
            depreciation: Mode::Draft,
            tax_settlement: Mode::Draft,
            auto_reconcile: false,
        }
    }
}
