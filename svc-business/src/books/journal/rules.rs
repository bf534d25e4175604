//! What an entry is after a client's input.

use std::collections::{BTreeMap, BTreeSet};

use svc_core::error::{StoreError, Validator};
use svc_core::id::{ContactId, JournalLineId, TypedId as _};
use svc_core::money::{Amount, Currency};
use svc_core::patch::Patch;
use svc_core::unit::CallContext;

use super::{EntryInput, LineInput, TagInput};
use crate::books::entry::{Entry, FxRate, KnownAccounts, Line, Movement, Particulars, TaxTag};
use crate::contact::Contact;
use crate::party::{ExtensionInput, calendar_date, date, extension, line, optional_line, parsed};
use crate::ports::DynBooksUnit;
use crate::record::Home;

/// Pairs of `dimensions` of one line.
const MOST_DIMENSIONS: usize = 20;
/// Tags of one entry.
const MOST_TAGS: usize = 100;

/// `base` with the input applied, references aside; findings go to `validator`.
pub(super) fn apply(
    validator: &mut Validator,
    base: &Entry,
    input: EntryInput,
    call: CallContext<'_>,
    creating: bool,
) -> Entry {
    let mut after = base.clone();
    let mut day = (!creating || !input.date.is_absent()).then_some(after.date);
    if matches!(input.date, Patch::Null) {
        day = None;
    }
    date(validator, "date", &input.date, &mut day);
    match day {
        Some(day) => after.date = day,
        None => validator.fail("date", "required", "must be present"),
    }
    texts(validator, &mut after, &input, creating);
    currency(validator, &mut after, &input);
    match input.lines {
        Patch::Absent => {}
        Patch::Null => after.lines.clear(),
        Patch::Value(lines) => after.lines = read_lines(validator, base, &after, lines, call),
    }
    match input.tax_tags {
        Patch::Absent => {}
        Patch::Null => after.tax_tags.clear(),
        Patch::Value(tags) => after.tax_tags = read_tags(validator, &after, &tags),
    }
    let attached = ExtensionInput { external_id: input.external_id, metadata: input.metadata };
    extension(validator, attached, &mut after.extension);
    after
}

fn texts(validator: &mut Validator, after: &mut Entry, input: &EntryInput, creating: bool) {
    match &input.description {
        Patch::Absent if !creating => {}
        Patch::Absent | Patch::Null => validator.fail("description", "required", "must be present"),
        Patch::Value(text) => {
            after.description = line(validator, "description", text, 500).unwrap_or_default();
        }
    }
    optional_line(validator, "reference", input.reference.clone(), &mut after.reference, 100);
}

fn currency(validator: &mut Validator, after: &mut Entry, input: &EntryInput) {
    let mut currency = Some(after.currency);
    parsed(validator, "currency", "invalid_currency", &input.currency, &mut currency, |currency| currency);
    after.currency = currency.unwrap_or(after.base_currency);
    let mut rate = Some(after.fx_rate);
    parsed(validator, "fxRate", "invalid_rate", &input.fx_rate, &mut rate, |rate| rate);
    after.fx_rate = rate.unwrap_or(FxRate::ONE);
    let same = after.currency == after.base_currency;
    let message = "must be 1 for the base currency";
    validator.require(!same || after.fx_rate == FxRate::ONE, "fxRate", "out_of_range", message);
    let message = "must be present for another currency than the base currency";
    let told = same || !input.fx_rate.is_absent() || input.currency.is_absent();
    validator.require(told, "fxRate", "required", message);
}

fn read_lines(
    validator: &mut Validator,
    base: &Entry,
    after: &Entry,
    lines: Vec<LineInput>,
    call: CallContext<'_>,
) -> Vec<Line> {
    let known: BTreeSet<JournalLineId> = base.lines.iter().map(|line| line.id).collect();
    let mut kept = BTreeSet::new();
    let mut read = Vec::with_capacity(lines.len());
    for (at, input) in lines.into_iter().enumerate() {
        let field = format!("lines[{at}]");
        if let Some(id) = input.id {
            let of_id = format!("{field}.id");
            validator.require(known.contains(&id), &of_id, "unknown_reference", "the entry has no such line");
            validator.require(kept.insert(id), &of_id, "duplicate", "the same line is there twice");
        }
        read.extend(read_line(validator, &field, after, input, call));
    }
    read
}

fn read_line(
    validator: &mut Validator,
    field: &str,
    entry: &Entry,
    input: LineInput,
    call: CallContext<'_>,
) -> Option<Line> {
    let LineInput { id, account_code, debit, credit, amount_currency, contact_id, .. } = input;
    let base = entry.base_currency;
    let movement = Movement::read(validator, field, debit.as_deref(), credit.as_deref(), base);
    let foreign = amount_currency.as_deref();
    let foreign = amount(validator, &format!("{field}.amountCurrency"), foreign, entry.currency);
    let description =
        input.description.and_then(|text| line(validator, &format!("{field}.description"), &text, 500));
    let due = input.due_date.and_then(|text| calendar_date(validator, &format!("{field}.dueDate"), &text));
    let dimensions = dimensions(validator, field, input.dimensions.unwrap_or_default());
    Some(Line {
        id: id.unwrap_or_else(|| JournalLineId::generate(call.now, call.random)),
        account: account_code,
        movement: movement?,
        amount_currency: foreign,
        contact: contact_id,
        posted_contact: None,
        description,
        due_date: due,
        posted_due_date: None,
        dimensions,
    })
}

fn dimensions(
    validator: &mut Validator,
    field: &str,
    pairs: BTreeMap<String, String>,
) -> BTreeMap<String, String> {
    let of_all = format!("{field}.dimensions");
    let message = format!("must have at most {MOST_DIMENSIONS} pairs");
    validator.require(pairs.len() <= MOST_DIMENSIONS, &of_all, "too_many", message);
    let mut read = BTreeMap::new();
    for (name, value) in pairs.into_iter().take(MOST_DIMENSIONS) {
        let of_pair = format!("{of_all}.{name}");
        let named = line(validator, &of_pair, &name, 40);
        if let (Some(name), Some(value)) = (named, line(validator, &of_pair, &value, 200)) {
            read.insert(name, value);
        }
    }
    read
}

fn read_tags(validator: &mut Validator, entry: &Entry, tags: &[TagInput]) -> Vec<TaxTag> {
    let message = format!("must have at most {MOST_TAGS} tags");
    validator.require(tags.len() <= MOST_TAGS, "taxTags", "too_many", message);
    let read = |(at, input)| read_tag(validator, &format!("taxTags[{at}]"), entry, input);
    tags.iter().take(MOST_TAGS).enumerate().filter_map(read).collect()
}

fn read_tag(validator: &mut Validator, field: &str, entry: &Entry, input: &TagInput) -> Option<TaxTag> {
    let currency = entry.base_currency;
    let of = |member: &str| format!("{field}.{member}");
    let tax_code = validator.take(&of("taxCode"), "invalid_value", input.tax_code.parse());
    let base = amount(validator, &of("base"), Some(&input.base), currency);
    let quota = amount(validator, &of("quota"), Some(&input.quota), currency);
    let deductible = input.deductible_quota.as_deref();
    let deductible_quota = amount(validator, &of("deductibleQuota"), deductible, currency);
    let tax_date = match &input.tax_date {
        Some(text) => calendar_date(validator, &of("taxDate"), text),
        None => Some(entry.date),
    };
    let rectifies = input.rectifies.as_deref();
    let rectifies = rectifies.and_then(|text| calendar_date(validator, &of("rectifies"), text));
    Some(TaxTag {
        kind: input.kind,
        tax_code: tax_code?,
        base: base?,
        quota: quota?,
        deductible_quota,
        tax_date: tax_date?,
        particulars: Particulars { exemption: input.exemption_code, supply: input.supply, rectifies },
        contact: input.contact_id,
        posted_contact: None,
    })
}

fn amount(validator: &mut Validator, field: &str, text: Option<&str>, currency: Currency) -> Option<Amount> {
    validator.take(field, "invalid_amount", Amount::parse(text?, currency))
}

/// Judges that the contacts of lines and tags are there; those that `before` had are not looked for again.
pub(super) async fn refer(
    validator: &mut Validator,
    home: &Home<'_, DynBooksUnit>,
    before: &Entry,
    after: &Entry,
) -> Result<(), StoreError> {
    let had: BTreeSet<ContactId> = contacts(before).map(|(_, contact)| contact).collect();
    let named: Vec<_> = contacts(after).filter(|(_, contact)| !had.contains(contact)).collect();
    let ids: BTreeSet<ContactId> = named.iter().map(|(_, contact)| *contact).collect();
    let ids: Vec<_> = ids.into_iter().collect();
    let found = home.referred::<Contact>(home.unit.contacts(), &ids).await?;
    for (field, contact) in named {
        let is_there = found.iter().any(|known| known.id == contact);
        let message = "no contact of the company has this id";
        validator.require(is_there, &field, "unknown_reference", message);
    }
    Ok(())
}

fn contacts(entry: &Entry) -> impl Iterator<Item = (String, ContactId)> {
    let of_lines = entry.lines.iter().enumerate();
    let of_lines = of_lines.filter_map(|(at, line)| Some((format!("lines[{at}].contactId"), line.contact?)));
    let of_tags = entry.tax_tags.iter().enumerate();
    of_lines.chain(of_tags.filter_map(|(at, tag)| Some((format!("taxTags[{at}].contactId"), tag.contact?))))
}

/// The accounts that an entry names, as far as the ledger has them.
pub(super) async fn known_accounts(
    home: &Home<'_, DynBooksUnit>,
    subledger: crate::books::book::Subledger,
    entry: &Entry,
) -> Result<KnownAccounts, StoreError> {
    let codes: BTreeSet<_> = entry.lines.iter().map(|line| line.account).collect();
    let codes: Vec<_> = codes.into_iter().collect();
    let found = home.unit.ledger().with_codes(home.company.id, &codes).await?;
    Ok(found.iter().map(|account| (account.code, account.known(subledger))).collect())
}
