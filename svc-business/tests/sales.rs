//! Sales documents: their series, states, payments, entries and records.

mod sales {
    pub(crate) mod series;
}
