//! The figures of documents: worked by hand, by their invariants, and beside a second implementation.

mod calculation {
    pub(crate) mod adjustments;
    pub(crate) mod deductions;
    pub(crate) mod documents;
    pub(crate) mod invariants;
    pub(crate) mod reference;
    pub(crate) mod refusals;
    pub(crate) mod worked;
}
