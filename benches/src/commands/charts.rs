//! Draws the charts of `docs/performance.md` and writes its tables, from the figures beside them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use svc_benches::chart::{Chart, Row};
use svc_benches::growth::Growth;

const EXAMPLE: &str = "\
Example, after `growth --results docs/performance/growth-sqlite.json`:
  cargo run --release -p svc-benches -- charts

Each growth-*.json of the folder becomes a chart and a table of the same name.";

/// Draws a chart and writes a table of each measured growth.
#[derive(Args)]
#[command(after_help = EXAMPLE)]
pub(crate) struct Arguments {
    /// The folder of the figures, where charts and tables go too.
    #[arg(default_value = "docs/performance")]
    folder: PathBuf,
}

pub(crate) fn start(Arguments { folder }: Arguments) -> ExitCode {
    let mut files: Vec<PathBuf> = fs::read_dir(&folder)
        .unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
        .map(|entry| entry.expect("a file").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "json"))
        .collect();
    files.sort_unstable();
    for file in files {
        draw(&file);
    }
    ExitCode::SUCCESS
}

fn draw(file: &Path) {
    let read = |text: String| serde_json::from_str(&text).map_err(|error| error.to_string());
    let growth: Result<Growth, String> =
        fs::read_to_string(file).map_err(|error| error.to_string()).and_then(read);
    let growth = growth.unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    write(&file.with_extension("md"), &growth.page());
    let row = |times: svc_benches::growth::Times| Row { name: times.operation, figures: times.milliseconds };
    let chart = Chart {
        title: format!(
            "One call of each operation on {}, median, by the contacts of the company",
            growth.engine
        ),
        unit: "ms",
        marks: growth.companies(),
        rows: growth.operations.into_iter().map(row).collect(),
    };
    write(&file.with_extension("svg"), &chart.svg());
}

fn write(file: &Path, text: &str) {
    fs::write(file, text).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
}
