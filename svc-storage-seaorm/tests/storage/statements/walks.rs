//! Statements that may walk, and why.

/// A walk that is meant.
struct Walk {
    why: &'static str,
    /// Parts of the statement.
    sql: &'static [&'static str],
    /// A part of the step.
    step: &'static str,
}

const fn walk(why: &'static str, sql: &'static [&'static str], step: &'static str) -> Walk {
    Walk { why, sql, step }
}

const ONE_ROW: &str = "it has one row";
const OWN_ROW: &str = "it has one row for each company";
const FRONT: &str = "a limit ends it at the front of an index or a table";
const MOVE: &str = "a merge of companies moves all that one has";
const PAGE: &str = "a page reads its own order, or a narrower one, from an index until it is full";
const TOTAL: &str = "an exact total counts in an index what one company has";
const COUNTS: &str = "it has a row for each kind of records of a company, and a few of late";
const SEARCH: &str = "a text that many records have is walked to, and the index of texts is asked for others";
const FEW: &str = "a company has a few: subscriptions at most twenty, with a lane or two each; members as many as work there; \
     series and bank accounts at most two hundred";
const ONCE: &str = "once after a migration it looks at every company";
const YEARS: &str = "a company has a fiscal year for each year of its life";
const CLOSINGS: &str = "a fiscal year is closed by three entries";
const CHART: &str = "a report, or what begins books anew, reads all accounts of a ledger: hundreds";
const SUMS: &str = "a report adds up the months of all accounts of a company";
const END: &str = "a subscription that is deleted takes all that it has with it";
const OPERATOR: &str = "a command of the operator, or the check of the whole log";
const DAILY: &str = "the cleaner looks through it once in a while";
const SUBQUERY: &str = "the name is that of rows that the statement selected itself";
const TYPES: &str =
    "one row of values has no type of its own where a text is prepared; the form for several rows has";

const ALLOWED: &[Walk] = &[
    walk(ONE_ROW, &["svc_key_check"], "svc_key_check"),
    walk(ONE_ROW, &["svc_authority"], "svc_authority"),
    walk(OWN_ROW, &["svc_request_budgets"], "svc_request_budgets"),
    walk(
        OWN_ROW,
        &["svc_group_members"],
        "svc_group_members USING INDEX sqlite_autoindex_svc_group_members_1",
    ),
    walk(OWN_ROW, &["svc_group_members"], "svc_group_members_pkey"),
    walk(OWN_ROW, &["svc_audit_heads"], "svc_audit_heads"),
    walk(OWN_ROW, &["svc_tax_profiles"], "svc_tax_profiles_pkey"),
    walk(OWN_ROW, &["svc_tax_profiles"], "sqlite_autoindex_svc_tax_profiles_1"),
    walk(OWN_ROW, &["FROM svc_tax_profiles", " OFFSET "], "svc_tax_profiles"),
    walk(FRONT, &["FROM svc_accounts LIMIT 1"], "svc_accounts"),
    walk(FRONT, &["FROM svc_outbox ORDER BY position LIMIT "], "svc_outbox"),
    walk(FRONT, &["FROM svc_deliveries ORDER BY id DESC LIMIT "], "svc_deliveries"),
    walk(FRONT, &["FROM svc_delivery_attempts_rest LIMIT 1"], "svc_delivery_attempts_rest"),
    walk(FRONT, &["ORDER BY due_at LIMIT "], "using svc_delivery_lanes_due"),
    walk(FRONT, &["ORDER BY due_at LIMIT "], "using svc_replays_due"),
    walk(FRONT, &["ORDER BY queued.due_at LIMIT 1"], "svc_delivery_queue_lane"),
    walk(FRONT, &["ORDER BY number LIMIT "], "svc_audit_records"),
    walk(FRONT, &["FROM svc_jobs WHERE ", " ORDER BY ran_at DESC LIMIT "], "svc_jobs_"),
    walk(FRONT, &["SELECT 1 FROM svc_journal_entries WHERE company_id = ", "LIMIT 1"], "svc_journal_entries"),
    walk(FRONT, &["SELECT 1 FROM svc_fixed_assets WHERE company_id = ", "LIMIT 1"], "svc_fixed_assets"),
    walk(FRONT, &["SELECT 1 FROM svc_sales_documents WHERE company_id = ", "LIMIT 1"], "svc_sales_documents"),
    walk(
        FRONT,
        &["SELECT 1 FROM svc_supplier_documents WHERE company_id = ", "LIMIT 1"],
        "svc_supplier_documents",
    ),
    walk(FRONT, &["SELECT 1 FROM svc_envelopes WHERE status = 1 ", "LIMIT 1"], "svc_envelopes"),
    walk(
        FRONT,
        &["FROM svc_tax_returns WHERE submitted_at IS NOT NULL ", "LIMIT 1"],
        "svc_tax_returns_filed",
    ),
    walk(FRONT, &["SELECT 1 FROM svc_journal_heads WHERE company_id = ", "LIMIT 1"], "svc_journal_heads"),
    walk(
        FRONT,
        &["FROM svc_verifactu_records WHERE company_id = ", " ORDER BY place DESC LIMIT 1"],
        "svc_verifactu_records",
    ),
    walk(ONCE, &["FROM svc_accounts WHERE status = 0 AND NOT EXISTS"], "svc_accounts"),
    walk(ONCE, &["FROM svc_accounts WHERE status = 0 AND NOT EXISTS"], "svc_books"),
    walk(ONCE, &["FROM svc_accounts WHERE status = 0 AND NOT EXISTS"], "svc_tax_profiles"),
    walk(YEARS, &["FROM svc_fiscal_years WHERE company_id = "], "svc_fiscal_years"),
    walk(CLOSINGS, &[" AND closes_year AND company_id = "], "svc_journal_lines_closings"),
    walk(CHART, &["FROM svc_ledger_accounts WHERE company_id = ", " ORDER BY code"], "svc_ledger_accounts"),
    walk(SUMS, &["FROM svc_balances WHERE company_id = "], "svc_balances"),
    walk(MOVE, &["UPDATE ", "company_id = ", " WHERE company_id = "], "company_id"),
    walk(PAGE, &[" ORDER BY ", " LIMIT ", " OFFSET "], "COVERING INDEX"),
    walk(PAGE, &[" ORDER BY ", " LIMIT ", " OFFSET $"], "Index Only Scan"),
    walk(PAGE, &["FROM svc_audit_records", " LIMIT ", " OFFSET "], "svc_audit_records_pkey"),
    walk(PAGE, &["FROM svc_cases", " LIMIT ", " OFFSET "], "using svc_cases_order"),
    walk(PAGE, &["FROM svc_contacts", " LIMIT ", " OFFSET "], "using svc_contacts_order"),
    walk(PAGE, &["FROM \"svc_events\"", " LIMIT ", " OFFSET "], "svc_events_log"),
    walk(COUNTS, &["sum(number)"], "_counts"),
    walk(TOTAL, &["SELECT count(*) FROM "], "COVERING INDEX"),
    walk(TOTAL, &["SELECT count(*) FROM "], "company_id = "),
    walk(TOTAL, &["SELECT count(*) FROM "], "account_id = "),
    walk(TOTAL, &["SELECT COUNT(*) FROM \"svc_events\""], "svc_events"),
    walk(SEARCH, &["(search_key || '') LIKE "], "company_id"),
    walk(SEARCH, &["search_key LIKE ", " ESCAPE "], "company_id"),
    walk(FEW, &["FROM svc_series WHERE "], "svc_series"),
    walk(FEW, &["FROM svc_bank_accounts WHERE "], "svc_bank_accounts"),
    walk(FEW, &["FROM \"svc_memberships\""], "svc_memberships"),
    walk(FEW, &["FROM \"svc_subscriptions\""], "svc_subscriptions"),
    walk(FEW, &["FROM svc_subscriptions"], "svc_subscriptions"),
    walk(OPERATOR, &["FROM \"svc_tokens\" WHERE "], "svc_tokens"),
    walk(OPERATOR, &["FROM \"svc_users\" WHERE "], "svc_users"),
    walk(OPERATOR, &["SELECT account_id FROM svc_audit_heads UNION "], "svc_"),
    walk(OPERATOR, &["FROM svc_passwords WHERE substr(hash"], "svc_passwords"),
    walk(OPERATOR, &["FROM svc_oauth_pairs WHERE refreshed_at IS NULL"], "svc_oauth_pairs"),
    walk(OPERATOR, &["FROM svc_second_factors WHERE substr(sealed"], "svc_second_factors"),
    walk(FEW, &["svc_delivery_lanes"], "Seq Scan on svc_delivery_lanes"),
    walk(END, &["DELETE FROM svc_delivery_attempts", "subscription_id = "], "svc_delivery_attempts"),
    walk(DAILY, &["DELETE FROM svc_sessions"], "svc_sessions"),
    walk(DAILY, &["DELETE FROM svc_sign_in_failures"], "svc_sign_in_failures"),
    walk(DAILY, &["DELETE FROM svc_password_resets WHERE expires_at"], "svc_password_resets"),
    walk(DAILY, &["DELETE FROM svc_idempotency"], "svc_idempotency"),
    walk(DAILY, &["DELETE FROM svc_oauth_clients"], "svc_"),
    walk(DAILY, &["FROM svc_oauth_grants WHERE code_until < "], "svc_"),
    walk(DAILY, &["DELETE FROM svc_delivery_lanes WHERE due_at IS NULL"], "svc_"),
    walk(DAILY, &["FROM svc_removed_subscriptions ORDER BY id LIMIT 1"], "svc_removed_subscriptions"),
    walk(DAILY, &["SELECT id FROM svc_events WHERE id < "], "Seq Scan on svc_"),
    walk(SUBQUERY, &[" AS svc_deliveries"], "SCAN svc_deliveries"),
    walk(TYPES, &["VALUES ("], "it cannot be prepared"),
];

/// What a statement says whose records are looked up: their ids are selected elsewhere, on either engine, or they are
/// those few that have not come to rest, which have an index of their own.
const FOUND: &[&str] = &[
    " AND id IN (SELECT ",
    " AND id = ANY(ARRAY(SELECT ",
    " AND version > 0",
    " AND status <> ",
    " AND payment_status IN (",
    " AND NOT handled",
];

/// Whether this step of this statement is a walk that is meant.
pub(super) fn is_allowed(sql: &str, step: &str) -> bool {
    let is_found = FOUND.iter().any(|part| sql.contains(part));
    ALLOWED
        .iter()
        .filter(|walk| !(is_found && [PAGE, TOTAL].contains(&walk.why)))
        .any(|walk| walk.sql.iter().all(|part| sql.contains(part)) && step.contains(walk.step))
}
