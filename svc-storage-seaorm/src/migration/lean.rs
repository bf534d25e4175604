//! What every insertion pays for and nothing needs.

use sea_orm::DatabaseBackend;

/// On PostgreSQL a contact does not lock its company any more. SQLite, with its one writer, locks nothing.
pub(crate) fn statements(engine: DatabaseBackend) -> Vec<String> {
    if engine == DatabaseBackend::Postgres { STATEMENTS.map(str::to_owned).to_vec() } else { Vec::new() }
}

// The foreign key takes a share lock of the one row of the company for each new contact. Insertions at the
// same time then write down who all shares it, again and again. Companies are never removed, and every
// insertion finds its company first: what is left to guard is a removal by hand.
const STATEMENTS: [&str; 3] = [
    "ALTER TABLE contacts DROP CONSTRAINT contacts_company_id_fkey",
    "CREATE FUNCTION svc_company_stays() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN \
     IF EXISTS (SELECT 1 FROM contacts WHERE company_id = OLD.id) THEN \
     RAISE foreign_key_violation USING MESSAGE = 'the company has contacts'; END IF; RETURN OLD; END $$",
    "CREATE TRIGGER accounts_stay BEFORE DELETE ON accounts FOR EACH ROW EXECUTE FUNCTION svc_company_stays()",
];
