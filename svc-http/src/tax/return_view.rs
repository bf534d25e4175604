//! A tax return as a response carries it.

use svc_business::books::report::Language;
use svc_business::tax::returns::{
    Channel, Figures, Form as TaxForm, Model, Origin, Outcome, ResultKind, ReturnBox, ReturnKind,
    ReturnPayment, ReturnStatus, ReturnWarning, Submission, TaxResult, TaxReturn, Unit, WarningCode,
};
use svc_core::clock::Timestamp;
use svc_core::id::{AccountId, BankMovementId, JournalEntryId, TaxReturnId, UserId};
use svc_core::money::Amount;
use svc_core::resource::Resource;
use svc_core::wire::Form;
use svc_core::wire_view;

/// A period as the tax agency writes it.
pub(super) const PERIOD: Form = Form::pattern("^(0[1-9]|1[0-2]|[1-4]T|0A)$").example("1T");

wire_view! {
    /// What a company declares of a period.
    #[derive(Debug)]
    pub(super) struct TaxReturnView as "TaxReturn" {
        id: TaxReturnId,
        object: &'static str => Form::one_of(&["tax_return"]),
        company_id: AccountId,
        version: i64,
        /// The model of the tax agency.
        model: Model => Form::ANY.example("303"),
        /// The year of the period; of corporate tax the one in which the tax year begins.
        year: i64 => Form::ANY.number(2025),
        /// A month, a quarter, or the year, as the tax agency writes them.
        period: String => PERIOD,
        /// The first day of the period.
        from: String => Form::DATE.example("2025-01-01"),
        /// The last day of the period.
        to: String => Form::DATE.example("2025-03-31"),
        /// The last day on which it is filed in time.
        due_date: String => Form::DATE.example("2025-04-21"),
        kind: ReturnKind,
        /// The return that it corrects.
        corrects_id: Option<TaxReturnId> => Form::ANY.json("null"),
        status: ReturnStatus => Form::ANY.example("prepared"),
        /// Every box of the form, in its order; none until it is prepared.
        boxes: Vec<BoxView>,
        /// Whether a person wants a negative result refunded, or offset later.
        refund: Option<bool> => Form::ANY.json("null"),
        /// What follows from it.
        result: Option<ResultView>,
        /// How many rows of parties it declares.
        party_count: u32 => Form::ANY.number(0),
        /// What a person should know.
        warnings: Vec<WarningView>,
        /// When it was prepared.
        computed_at: Option<Timestamp>,
        /// What the books were then: how many postings it was computed from.
        books_version: Option<String> => Form::ANY.example("148"),
        /// Whether entries that it counts were posted since, or the company has another rate of corporate tax.
        is_stale: bool,
        /// How it was filed last.
        submission: Option<SubmissionView> => Form::ANY.json("null"),
        /// What the tax agency said of that.
        outcome: Option<OutcomeView> => Form::ANY.json("null"),
        /// What movements of bank accounts paid of it, or refunded, without its sign.
        paid: String => Form::ANY.example("0.00"),
        /// What is left of that, without its sign; null until it is filed, and where its result is neither paid nor refunded.
        due: Option<String> => Form::ANY.json("null"),
        /// The movements that paid it, or refunded it, in the order in which that was said.
        payments: Vec<PaymentView>,
        /// The entry that settled its VAT.
        settlement_entry_id: Option<JournalEntryId> => Form::ANY.json("null"),
        created_at: Timestamp,
        updated_at: Timestamp,
    }
}

wire_view! {
    /// A box of a return.
    #[derive(Debug)]
    struct BoxView as "TaxReturnBox" {
        /// Its number, as the form has it.
        code: String => Form::ANY.example("07"),
        /// What it is, in Spanish as on the form unless `lang` says otherwise.
        label: String => Form::ANY.example("Régimen general 21 %: base imponible"),
        /// Euros, percent with two decimals, or how many.
        value: String => Form::ANY.example("1000.00"),
        unit: Unit,
        /// Whether it is computed from tags, said by a person, or a formula of other boxes.
        origin: Origin,
    }
}

wire_view! {
    /// What follows from a return.
    #[derive(Debug)]
    struct ResultView as "TaxReturnResult" {
        kind as "type": ResultKind => Form::ANY.example("payable"),
        /// Without its sign.
        amount: String => Form::ANY.example("210.00"),
    }
}

wire_view! {
    /// What a person should know of a return.
    #[derive(Debug)]
    struct WarningView as "TaxReturnWarning" {
        code: WarningCode => Form::ANY.example("drafts_in_period"),
        /// How many records it is about.
        count: u32 => Form::ANY.number(1),
        /// Whether the return is not submitted before it is put right.
        blocking: bool,
    }
}

wire_view! {
    /// How a return was filed.
    #[derive(Debug)]
    struct SubmissionView as "TaxReturnSubmission" {
        at: Timestamp,
        /// The person who said so; null for an integration.
        user_id: Option<UserId> => Form::ANY.json("null"),
        channel: Channel,
        receipt_number: Option<String> => Form::ANY.example("2025303123456789"),
        /// The secure verification code of the receipt.
        csv: Option<String> => Form::ANY.example("ABCD1234EFGH5678"),
    }
}

wire_view! {
    /// What the tax agency said of a return.
    #[derive(Debug)]
    struct OutcomeView as "TaxReturnOutcomeView" {
        /// When that was written down.
        at: Timestamp,
        message: Option<String> => Form::ANY.json("null"),
    }
}

wire_view! {
    /// What a movement of a bank account paid of a return, or refunded.
    #[derive(Debug)]
    struct PaymentView as "TaxReturnPayment" {
        movement_id: BankMovementId,
        /// Without its sign.
        amount: String => Form::ANY.example("210.00"),
        /// The day of the movement.
        date: String => Form::DATE.example("2025-04-21"),
    }
}

impl TaxReturnView {
    pub(super) fn of(of: &TaxReturn, is_stale: bool, language: Language) -> Self {
        let figures = of.figures.as_ref();
        let form = TaxForm::find(of.model, &of.period);
        let of_box = |one: &ReturnBox| BoxView::of(one, form, language);
        Self {
            id: of.id,
            object: TaxReturn::NAME,
            company_id: of.company,
            version: of.version.as_i64(),
            model: of.model,
            year: of.period.year().into(),
            period: of.period.period().to_string(),
            from: of.period.from().to_string(),
            to: of.period.to().to_string(),
            due_date: of.due.to_string(),
            kind: of.kind,
            corrects_id: of.corrects,
            status: of.status,
            boxes: figures.map(|figures| figures.boxes.iter().map(of_box).collect()).unwrap_or_default(),
            refund: of.said.refund,
            result: figures.map(|figures| ResultView::of(figures.result)),
            party_count: figures.map_or(0, |figures| figures.parties),
            warnings: figures.map(|figures| warnings(of.model, figures)).unwrap_or_default(),
            computed_at: figures.map(|figures| figures.at),
            books_version: figures.map(|figures| figures.books.to_string()),
            is_stale,
            submission: of.submission.as_ref().map(SubmissionView::of),
            outcome: of.outcome.as_ref().map(OutcomeView::of),
            paid: without_sign(of.paid()),
            due: of.due().map(without_sign),
            payments: of.payments.iter().map(PaymentView::of).collect(),
            settlement_entry_id: of.submission.as_ref().and_then(|submission| submission.settlement),
            created_at: of.created_at,
            updated_at: of.updated_at,
        }
    }
}

fn warnings(model: Model, figures: &Figures) -> Vec<WarningView> {
    let view = |warning: &ReturnWarning| WarningView {
        code: warning.code,
        count: warning.count,
        blocking: warning.code.is_blocking(model),
    };
    figures.warnings.iter().map(view).collect()
}

impl BoxView {
    fn of(of: &ReturnBox, form: Option<&TaxForm>, language: Language) -> Self {
        let label = form.and_then(|form| form.box_of(&of.code)).map(|definition| &definition.label);
        let label = label.map(|label| match language {
            Language::Es => label.es.clone(),
            Language::En => label.en.clone(),
        });
        Self {
            code: of.code.clone(),
            label: label.unwrap_or_default(),
            value: of.value.to_string(),
            unit: of.value.unit(),
            origin: of.origin,
        }
    }
}

/// An amount as results tell theirs.
fn without_sign(amount: Amount) -> String {
    if amount.minor() < 0 { amount.negated().to_string() } else { amount.to_string() }
}

impl PaymentView {
    fn of(of: &ReturnPayment) -> Self {
        Self { movement_id: of.movement, amount: without_sign(of.amount), date: of.date.to_string() }
    }
}

impl ResultView {
    fn of(result: TaxResult) -> Self {
        Self { kind: result.kind, amount: result.amount.to_string() }
    }
}

impl SubmissionView {
    fn of(of: &Submission) -> Self {
        Self {
            at: of.at,
            user_id: of.by,
            channel: of.channel,
            receipt_number: of.receipt.clone(),
            csv: of.csv.clone(),
        }
    }
}

impl OutcomeView {
    fn of(of: &Outcome) -> Self {
        Self { at: of.at, message: of.message.clone() }
    }
}
