//! Sales documents: their series, states, payments, entries and records.

mod sales {
    pub(crate) mod documents;
    pub(crate) mod histories;
    pub(crate) mod input;
    pub(crate) mod issuing;
    pub(crate) mod journal;
    pub(crate) mod payments;
    pub(crate) mod quotes;
    pub(crate) mod rectifications;
    pub(crate) mod requests;
    pub(crate) mod series;
    pub(crate) mod verifactu;
}
