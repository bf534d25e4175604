//! `doctor`: what the settings are, where they come from, and whether they work.

use clap::Args;
use serde::Serialize;

use crate::commands::Context;
use crate::config::keys::{KEYS, Key};
use crate::config::sources::Sources;
use crate::config::{DatabaseUrl, Settings};
use crate::failure::{Failure, chain};
use crate::output::{self, Output, Tone};
use crate::{logging, store};

/// `doctor`
#[derive(Args, Debug)]
#[command(
    after_help = "Changes nothing. Ends with 1 when a check fails.\n\nExample:\n  svc-server doctor --json"
)]
pub(crate) struct Doctor {}

#[derive(Serialize)]
struct Report {
    settings: Vec<Row>,
    checks: Vec<Check>,
}

/// A setting as it is in effect.
#[derive(Serialize)]
struct Row {
    name: &'static str,
    variable: String,
    value: Option<String>,
    origin: String,
    about: &'static str,
}

/// One look at how things are.
#[derive(Serialize)]
struct Check {
    name: &'static str,
    ok: bool,
    detail: String,
}

impl Doctor {
    pub(crate) async fn run(self, context: &Context) -> Result<(), Failure> {
        let sources = context.sources(Vec::new())?;
        let mut report =
            Report { settings: KEYS.iter().map(|key| row(key, &sources)).collect(), checks: Vec::new() };
        match Settings::check(&sources) {
            Ok(settings) => {
                logging::start(&settings.log);
                report.checks.push(Check::good("settings", "every setting is valid"));
                report.checks.extend(examine(&settings).await);
            }
            Err(failure) => report.checks.push(Check::bad("settings", &failure)),
        }
        report.print(context.output);
        match report.checks.iter().filter(|check| !check.ok).count() {
            0 => Ok(()),
            failed => Err(Failure::new("unhealthy", format!("{failed} of the checks failed"))
                .hint("each failed check above says what to do")),
        }
    }
}

async fn examine(settings: &Settings) -> Vec<Check> {
    let mut checks = vec![key(settings)];
    match &settings.database {
        DatabaseUrl::Sqlite(path) if !path.exists() => {
            let detail = format!("{} does not exist yet: `bootstrap` or `serve` makes it", path.display());
            checks.push(Check::good("database", &detail));
        }
        DatabaseUrl::Sqlite(_) | DatabaseUrl::Postgres(_) => checks.extend(database(settings).await),
    }
    checks
}

fn key(settings: &Settings) -> Check {
    let fresh = matches!(&settings.database, DatabaseUrl::Sqlite(path) if !path.exists());
    match settings.key.path() {
        Some(path) if fresh && !path.exists() => {
            Check::good("master key", &format!("{} is made with the database", path.display()))
        }
        Some(path) => match settings.keys() {
            Ok(_) if is_open(path) => Check {
                name: "master key",
                ok: false,
                detail: format!("others can read {0}: run `chmod 600 {0}`", path.display()),
            },
            Ok(_) => Check::good("master key", &format!("{} is readable by its owner alone", path.display())),
            Err(failure) => Check::bad("master key", &failure),
        },
        None => Check::good("master key", "comes from the settings"),
    }
}

/// Whether anybody but the owner may read the file.
fn is_open(path: &std::path::Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    std::fs::metadata(path).is_ok_and(|found| found.permissions().mode() & 0o077 != 0)
}

async fn database(settings: &Settings) -> Vec<Check> {
    let keys = match settings.keys() {
        Ok(keys) => keys,
        Err(failure) => return vec![Check::bad("database", &failure)],
    };
    let database = match store::connect(settings, &keys).await {
        Ok(database) => database,
        Err(failure) if failure.code() == "database_in_use" => {
            return vec![Check::good("database", "in use by a running server: its /readyz tells more")];
        }
        Err(failure) => return vec![Check::bad("database", &failure)],
    };
    let answers = match database.ping().await {
        Ok(()) => Check::good("database", "answers"),
        Err(error) => Check { name: "database", ok: false, detail: chain(&error) },
    };
    let schema = match database.pending_migrations().await {
        Ok(pending) if pending.is_empty() => Check::good("schema", "up to date"),
        Ok(pending) => Check {
            name: "schema",
            ok: false,
            detail: format!("{} migrations are pending: run `svc-server migrate`", pending.len()),
        },
        Err(error) => Check { name: "schema", ok: false, detail: chain(&error) },
    };
    database.close().await;
    vec![answers, schema]
}

fn row(key: &Key, sources: &Sources) -> Row {
    let written = sources.written(key);
    Row {
        name: key.name,
        variable: key.variable(),
        origin: written.as_ref().map_or_else(|| "not set".to_owned(), |written| written.origin.clone()),
        value: written.map(|written| shown(key, &written.texts.join(","))),
        about: key.about,
    }
}

/// A value as it may be shown: a URL loses its password, a key everything.
fn shown(key: &Key, value: &str) -> String {
    if !key.secret {
        return value.to_owned();
    }
    match url::Url::parse(value) {
        Ok(mut url) if key.name == "database_url" => {
            // SQLite paths have no host and so nothing to hide.
            if url.password().is_some() && url.set_password(Some("***")).is_err() {
                return "***".to_owned();
            }
            if url.query().is_some_and(|query| query.contains("password")) {
                url.set_query(Some("***"));
            }
            url.to_string()
        }
        Ok(_) | Err(_) => "***".to_owned(),
    }
}

impl Check {
    fn good(name: &'static str, detail: &str) -> Self {
        Self { name, ok: true, detail: detail.to_owned() }
    }

    fn bad(name: &'static str, failure: &Failure) -> Self {
        let hint = failure.hint_text().map(|hint| format!(" ({hint})")).unwrap_or_default();
        Self { name, ok: false, detail: format!("{}{hint}", failure.message()) }
    }
}

impl Report {
    fn print(&self, output: Output) {
        let rows = self.settings.iter().map(|row| {
            let value = row.value.clone().unwrap_or_else(|| "-".to_owned());
            vec![row.name.to_owned(), value, row.origin.clone(), row.variable.clone()]
        });
        output.table(self, &["setting", "value", "origin", "variable"], rows.collect());
        if output.is_json() {
            return;
        }
        for check in &self.checks {
            let mark = if check.ok { output.tone(Tone::Good, "✓") } else { output.tone(Tone::Bad, "✗") };
            output::line(format!("{mark} {}: {}", check.name, check.detail));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::keys::find;

    #[test]
    fn secrets_are_not_shown() {
        let url = find("database_url").expect("known");
        assert_eq!(shown(url, "postgres://svc:hunter2@db/svc"), "postgres://svc:***@db/svc");
        assert!(!shown(url, "postgres://db/svc?user=svc&password=hunter2").contains("hunter2"));
        assert_eq!(shown(url, "sqlite://data/svc.db"), "sqlite://data/svc.db");
        assert_eq!(shown(find("master_key").expect("known"), "sqlite://hunter2"), "***");
    }
}
