//! What a person should know of a return.

use super::parties::PartyRow;
use super::previous::Previous;
use crate::fact::Reference;
use crate::form::{Form, Rule, Span};
use crate::model::Model;
use crate::period::TaxPeriod;

/// A fact that the form is about and no box counts.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Outside {
    /// Why.
    pub reason: OutsideReason,
    /// Which.
    pub reference: Reference,
}

/// Why no box counts a fact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum OutsideReason {
    /// No box has its rate or treatment: `no_box`
    NoBox,
    /// It has no party, and rows are of parties: `no_party`
    NoParty,
    /// Its date is not in the period: `other_period`
    OtherPeriod,
    /// The law does not ask for it on this model: `not_declared`
    NotDeclared,
    /// Another model declares it: `declared_elsewhere`
    DeclaredElsewhere,
    /// The sum with its party is not above the threshold: `below_threshold`
    BelowThreshold,
}

svc_core::wire_names!(OutsideReason {
    NoBox = "no_box",
    NoParty = "no_party",
    OtherPeriod = "other_period",
    NotDeclared = "not_declared",
    DeclaredElsewhere = "declared_elsewhere",
    BelowThreshold = "below_threshold",
});

/// What a person should know, though the return was computed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Warning {
    /// Facts are not counted.
    Outside {
        /// Why.
        reason: OutsideReason,
        /// Which, each once for each time that it is given.
        references: Vec<Reference>,
    },
    /// A row has a party without a tax identifier.
    NoTaxId {
        /// The id of the party.
        party: String,
    },
    /// A row has a Spanish party without a province.
    NoProvince {
        /// The id of the party.
        party: String,
    },
    /// The return that a row corrects is not among those given, so what it declared counts as zero.
    NotDeclaredBefore {
        /// The id of the party.
        party: String,
        /// The period that is corrected.
        period: TaxPeriod,
    },
    /// Boxes carry over from the return before, and it is not among those given.
    NoPreceding {
        /// Of that model.
        model: Model,
    },
}

pub(super) fn of_outside(outside: &[Outside]) -> Vec<Warning> {
    let groups = outside.chunk_by(|left, right| left.reason == right.reason);
    let warning = |group: &[Outside]| {
        let reason = group.first()?.reason;
        Some(Warning::Outside { reason, references: group.iter().map(|one| one.reference.clone()).collect() })
    };
    groups.filter_map(warning).collect()
}

pub(super) fn of_rows(form: &Form, rows: &[PartyRow]) -> Vec<Warning> {
    let Some(rule) = &form.definition().parties else { return Vec::new() };
    let mut warnings = Vec::new();
    let mut seen: Vec<&str> = Vec::new();
    for party in rows.iter().map(|row| &row.party) {
        if seen.contains(&party.id.as_str()) {
            continue;
        }
        seen.push(&party.id);
        // The AEAT takes parties abroad by their country alone on 347 (RD 1065/2007, article 34.1.b).
        let is_named = party.tax_id.is_some() || form.model() == Model::M347 && !party.is_spanish();
        if !is_named {
            warnings.push(Warning::NoTaxId { party: party.id.clone() });
        }
        if rule.province && party.is_spanish() && party.province.is_none() {
            warnings.push(Warning::NoProvince { party: party.id.clone() });
        }
    }
    warnings
}

/// A first return has nothing before it; a gap after other returns is one that a person should see.
pub(super) fn of_previous(form: &Form, period: &TaxPeriod, previous: &Previous) -> Vec<Warning> {
    let formulas = form.boxes().iter().filter_map(|one| match &one.from {
        Rule::Formula(formula) => Some(formula),
        Rule::Facts { .. } | Rule::Ledger(_) | Rule::Rows(_) | Rule::Manual { .. } => None,
    });
    let mut models: Vec<Model> = formulas
        .flat_map(crate::form::Formula::earlier)
        .filter(|earlier| earlier.span == Span::Preceding)
        .map(|earlier| earlier.model.unwrap_or(form.model()))
        .collect();
    models.sort_unstable();
    models.dedup();
    let gap =
        |model: &Model| previous.has_before(*model, period) && previous.preceding(*model, period).is_none();
    models.into_iter().filter(gap).map(|model| Warning::NoPreceding { model }).collect()
}
