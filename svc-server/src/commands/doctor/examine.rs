//! How requests come in, key, certificate and database, each looked at.

mod lateness;

use std::path::Path;

use serde::Serialize;
use svc_core::clock::Clock as _;
use svc_core::error::chain;
use svc_core::system::SystemClock;
use svc_storage_seaorm::{Database, KeyUse, Keys};

use crate::config::{DatabaseUrl, PemFiles, Settings, WebhookSettings};
use crate::failure::Failure;
use crate::sealer;
use crate::store;
use crate::tls::Pair;
use crate::wiring;

/// One look at how things are.
#[derive(Serialize)]
pub(super) struct Check {
    pub(super) name: &'static str,
    pub(super) ok: bool,
    /// Worth a look, although nothing is broken.
    pub(super) warning: bool,
    pub(super) detail: String,
}

/// Looks at everything that the settings name; changes nothing.
pub(super) async fn examine(settings: &Settings) -> Vec<Check> {
    let mut checks = vec![serving(settings), key(settings)];
    checks.extend(settings.tls.as_ref().map(certificate));
    checks.extend(authorities(&settings.webhooks));
    checks.extend(settings.seal.as_ref().map(seal));
    match &settings.database {
        DatabaseUrl::Sqlite(path) if !path.exists() => {
            let detail = format!("{} does not exist yet: `bootstrap` or `serve` makes it", path.display());
            checks.push(Check::good("database", &detail));
        }
        DatabaseUrl::Sqlite(_) | DatabaseUrl::Postgres(_) => checks.extend(database(settings).await),
    }
    checks
}

/// Whether `serve` would start, and what keeps the API's requests secret.
fn serving(settings: &Settings) -> Check {
    let by = match (settings.may_serve(), &settings.tls, settings.trusted_proxies.is_empty()) {
        (Err(failure), _, _) => return Check::bad("https", &failure),
        (Ok(()), Some(_), _) => "TLS of this server",
        (Ok(()), None, false) => "the proxies of SVC_TRUSTED_PROXIES, which must say `https`",
        (Ok(()), None, true) => {
            "none: for this machine alone, and a proxy on it that adds no header is taken for it: list every \
             proxy in SVC_TRUSTED_PROXIES"
        }
    };
    Check::good("https", by)
}

fn key(settings: &Settings) -> Check {
    let fresh = matches!(&settings.database, DatabaseUrl::Sqlite(path) if !path.exists());
    let open = settings.other_keys.path().filter(|path| is_open(path));
    if let Some(path) = open {
        return exposed(path);
    }
    match settings.key.path() {
        Some(path) if fresh && !path.exists() => {
            Check::good("master key", &format!("{} is made with the database", path.display()))
        }
        Some(path) => match settings.keys() {
            Ok(_) if is_open(path) => exposed(path),
            Ok(_) => Check::good("master key", &format!("{} is readable by its owner alone", path.display())),
            Err(failure) => Check::bad("master key", &failure),
        },
        None => match settings.keys() {
            Ok(_) => Check::good("master key", "comes from the settings"),
            Err(failure) => Check::bad("master key", &failure),
        },
    }
}

fn exposed(path: &Path) -> Check {
    let detail = format!("others can read {0}: run `chmod 600 {0}`", path.display());
    Check::failed("master key", detail)
}

fn certificate(files: &PemFiles) -> Check {
    let pair = match Pair::read(files) {
        Ok(pair) => pair,
        Err(broken) => return Check::bad("certificate", &broken.into()),
    };
    let until = pair.until.map(|until| format!(" until {until}")).unwrap_or_default();
    if pair.has_ended(SystemClock.now()) {
        let detail = format!("was valid{until}: put a new one in its place");
        return Check::failed("certificate", detail);
    }
    Check::good("certificate", &format!("usable{until}"))
}

/// The certificate that signed files are sealed with.
fn seal(files: &PemFiles) -> Check {
    let sealer = match sealer::read(files) {
        Ok(sealer) => sealer,
        Err(failure) => return Check::bad("seal", &failure),
    };
    let until = sealer.until().map(|until| format!(" until {until}")).unwrap_or_default();
    if sealer.covers(SystemClock.now()) {
        Check::good("seal", &format!("signed files are sealed by {}{until}", sealer.subject()))
    } else {
        let subject = sealer.subject();
        let detail = format!(
            "the certificate of {subject} is not valid now{until}: signed files get the seal without it"
        );
        Check::failed("seal", detail)
    }
}

/// Those that webhooks trust beside the public ones.
fn authorities(settings: &WebhookSettings) -> Option<Check> {
    let path = settings.extra_roots.as_deref()?;
    Some(match wiring::sender(settings) {
        Ok(_) => Check::good("webhook authorities", &format!("those of {} are trusted", path.display())),
        Err(failure) => Check::bad("webhook authorities", &failure),
    })
}

/// Whether a user other than the owner may read the file.
fn is_open(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    std::fs::metadata(path).is_ok_and(|found| found.permissions().mode() & 0o077 != 0)
}

async fn database(settings: &Settings) -> Vec<Check> {
    let keys = match settings.keys() {
        Ok(keys) => keys,
        Err(failure) => return vec![Check::bad("database", &failure)],
    };
    let database = match store::look(settings, &keys).await {
        Ok(database) => database,
        Err(failure) => return vec![Check::bad("database", &failure)],
    };
    let answers = match database.ping().await {
        Ok(()) => Check::good("database", "answers"),
        Err(error) => Check::failed("database", chain(&error)),
    };
    let mut checks = vec![answers];
    match database.pending_migrations().await {
        Ok(pending) if pending.is_empty() => {
            checks.push(Check::good("schema", "up to date"));
            checks.push(key_uses(&database, &keys).await);
            checks.push(lateness::examine(&database).await);
        }
        Ok(pending) => checks.push(Check::failed(
            "schema",
            format!("{} migrations are pending: run `svc-server migrate`", pending.len()),
        )),
        Err(error) => checks.push(Check::failed("schema", chain(&error))),
    }
    database.close().await;
    checks
}

/// What still needs which master key; an old one that nothing needs may go.
async fn key_uses(database: &Database, keys: &Keys) -> Check {
    let uses = match database.key_uses().await {
        Ok(uses) => uses,
        Err(error) => return Check::failed("master keys", chain(&error)),
    };
    let known: Vec<u32> = keys.ids().collect();
    let of = |id: u32| uses.iter().find(|used| used.id == id);
    let needed = |used: &KeyUse| {
        let KeyUse { tokens, secrets, passwords, factors, connections, records, .. } = used;
        format!(
            "{tokens} tokens, {secrets} webhook secrets, {passwords} passwords, {factors} second factors, \
             {connections} connections and {records} audit records"
        )
    };
    let missing: Vec<_> = uses.iter().filter(|used| !known.contains(&used.id)).collect();
    let told = known.iter().enumerate().map(|(at, id)| match (at, of(*id)) {
        (0, own) => format!("{id} is in use, {} need it", own.map_or("no tokens".to_owned(), needed)),
        (_, Some(old)) => format!("{id} is needed by {}", needed(old)),
        (_, None) => format!("{id} is needed by nothing that lasts: after a day it may go"),
    });
    let lost = missing.iter().map(|used| {
        format!("{} is missing, and {} need it: list it in SVC_MASTER_KEYS_OLD", used.id, needed(used))
    });
    let detail = told.chain(lost).collect::<Vec<_>>().join("; ");
    if missing.is_empty() {
        Check::good("master keys", &detail)
    } else {
        Check::failed("master keys", detail)
    }
}

impl Check {
    pub(super) fn good(name: &'static str, detail: &str) -> Self {
        Self { name, ok: true, warning: false, detail: detail.to_owned() }
    }

    fn warning(name: &'static str, detail: String) -> Self {
        Self { name, ok: true, warning: true, detail }
    }

    fn failed(name: &'static str, detail: String) -> Self {
        Self { name, ok: false, warning: false, detail }
    }

    pub(super) fn bad(name: &'static str, failure: &Failure) -> Self {
        let hint = failure.hint_text().map(|hint| format!(" ({hint})")).unwrap_or_default();
        Self::failed(name, format!("{}{hint}", failure.message()))
    }
}
