//! Supplier documents and suppliers: their states, numbers, payments, entries and inputs.

mod purchases {
    pub(crate) mod approving;
    pub(crate) mod assets;
    pub(crate) mod documents;
    pub(crate) mod histories;
    pub(crate) mod import;
    pub(crate) mod input;
    pub(crate) mod journal;
    pub(crate) mod payments;
    pub(crate) mod suppliers;
}
