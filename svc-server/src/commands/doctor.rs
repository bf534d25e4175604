//! `doctor`: what the settings are, where they come from, and whether they work.

mod examine;

use clap::Args;
use serde::Serialize;

use self::examine::{Check, examine};
use crate::commands::Context;
use crate::config::Settings;
use crate::config::keys::{KEYS, Key};
use crate::config::sources::Sources;
use crate::failure::Failure;
use crate::logging;
use crate::output::{self, Output, Tone};

/// `doctor`
#[derive(Args, Debug)]
#[command(
    after_help = "Changes nothing. Ends with 1 when a check fails; a warning (!) is no failure.\n\nExample:\n  svc-server doctor --json"
)]
pub(crate) struct Doctor {}

/// The setting that is worked out when it is left out.
const PUBLIC_URL: &str = "public_url";

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

impl Doctor {
    pub(crate) async fn run(self, context: &Context) -> Result<(), Failure> {
        let sources = context.sources(Vec::new())?;
        let mut report =
            Report { settings: KEYS.iter().map(|key| row(key, &sources)).collect(), checks: Vec::new() };
        match Settings::check(&sources) {
            Ok(settings) => {
                logging::start(&settings.log);
                report.resolve(&settings);
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

/// A value as it may be shown: a URL loses its password, and one of files its user; a key everything. An empty secret is none, and stays so.
fn shown(key: &Key, value: &str) -> String {
    if !key.secret || value.is_empty() {
        return value.to_owned();
    }
    match url::Url::parse(value) {
        Ok(mut url) if matches!(key.name, "database_url" | "files.url") => {
            // A bucket has no user: what stands there is half of a key.
            if key.name == "files.url" && !url.username().is_empty() && url.set_username("***").is_err() {
                return "***".to_owned();
            }
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

impl Report {
    /// Puts in what valid settings come to: the base of links, which is made from the address when it is not set.
    fn resolve(&mut self, settings: &Settings) {
        let bases = self.settings.iter_mut().filter(|row| row.name == PUBLIC_URL);
        for row in bases {
            if settings.public_url.is_none() {
                "made from `listen`".clone_into(&mut row.origin);
            }
            row.value = Some(settings.public_url(settings.listen));
        }
    }

    fn print(&self, output: Output) {
        let rows = self.settings.iter().map(|row| {
            let value = row.value.clone().filter(|value| !value.is_empty());
            let value = value.unwrap_or_else(|| "-".to_owned());
            vec![row.name.to_owned(), value, row.origin.clone(), row.variable.clone()]
        });
        output.table(self, &["setting", "value", "origin", "variable"], rows.collect());
        if output.is_json() {
            return;
        }
        for check in &self.checks {
            let mark = match (check.ok, check.warning) {
                (true, false) => output.tone(Tone::Good, "✓"),
                (true, true) => output.tone(Tone::Bad, "!"),
                (false, _) => output.tone(Tone::Bad, "✗"),
            };
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
        let files = find("files.url").expect("known");
        assert_eq!(shown(files, "s3://AKIA:hunter2@bucket/x"), "s3://***:***@bucket/x");
        assert_eq!(shown(files, "file:///var/files"), "file:///var/files");
        assert_eq!(shown(find("master_key").expect("known"), "sqlite://hunter2"), "***");
    }

    #[test]
    fn a_secret_that_is_empty_does_not_look_like_one() {
        assert_eq!(shown(find("secret_scanning.key").expect("known"), ""), "");
    }

    #[test]
    fn the_base_of_links_is_the_one_that_links_have() {
        let resolved = |pairs: &[(&str, &str)]| {
            let variables = pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
            let sources = Sources::read(None, variables, Vec::new()).expect("known");
            let rows = KEYS.iter().map(|key| row(key, &sources)).collect();
            let mut report = Report { settings: rows, checks: Vec::new() };
            report.resolve(&Settings::check(&sources).expect("valid"));
            let row = report.settings.into_iter().find(|row| row.name == PUBLIC_URL).expect("a row");
            (row.value.expect("a value"), row.origin)
        };
        let made = "made from `listen`".to_owned();
        assert_eq!(resolved(&[]), ("http://127.0.0.1:8080".to_owned(), made.clone()));
        let tls = [("SVC_LISTEN", "127.0.0.1:8443"), ("SVC_TLS__CERT", "c.pem"), ("SVC_TLS__KEY", "k.pem")];
        assert_eq!(resolved(&tls), ("https://127.0.0.1:8443".to_owned(), made));
        let set = [("SVC_PUBLIC_URL", "https://api.example.com/")];
        assert_eq!(resolved(&set).0, "https://api.example.com");
    }
}
