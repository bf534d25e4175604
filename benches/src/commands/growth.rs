//! What each operation of the API takes as a company grows, see [`svc_benches::growth`].

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use svc_benches::faults::{Common, Engine};
use svc_benches::growth::{Plan, Size, run};

const EXAMPLE: &str = "\
Examples, with a server built before:
  cargo run --release -p svc-benches -- growth --sizes 1000,100000
  cargo run --release -p svc-benches -- growth --engine postgres --results postgres.json
  cargo run --release -p svc-benches -- growth --sizes 1000,100000 --invoices 200,200000
  cargo run --release -p svc-benches -- growth --sizes 1000,1000000 --invoices 1,1 --named tool:
  cargo run --release -p svc-benches -- growth --sizes 1000,100000 --invoices 200,200000 --unpaid 200000 --named proposals

A million contacts take a few minutes to fill in. A time above its bound is told, and ends the command with 0: other
work of the machine changes it. An answer that is not the expected one ends it at once.";

/// Measures each operation of the API in companies with more and more contacts.
#[derive(Args)]
#[command(after_help = EXAMPLE)]
pub(crate) struct Arguments {
    #[command(flatten)]
    common: Common,
    /// The databases of the servers.
    #[arg(long, default_value = "sqlite")]
    engine: Engine,
    /// Contacts of each company, from few to many.
    #[arg(long, value_delimiter = ',', default_values_t = [1_000, 100_000, 1_000_000])]
    sizes: Vec<u32>,
    /// Invoices of each company, in the same order; a fifth of its contacts where left out.
    #[arg(long, value_delimiter = ',', value_parser = clap::value_parser!(u32).range(1..))]
    invoices: Vec<u32>,
    /// Invoices of each company that wait for their payment; 200 where left out, but no more than half.
    #[arg(long)]
    unpaid: Option<u32>,
    /// Calls of each operation to each company.
    #[arg(long, default_value_t = 21)]
    calls: u32,
    /// Measures the operations alone whose names have this in them.
    #[arg(long, default_value = "")]
    named: String,
    /// Where to write the times, as JSON.
    #[arg(long)]
    results: Option<PathBuf>,
}

#[tokio::main]
pub(crate) async fn start(
    Arguments { common, engine, sizes, invoices, unpaid, calls, named, results }: Arguments,
) -> ExitCode {
    let invoices = invoices.into_iter().map(Some).chain(std::iter::repeat(None));
    let size = |(contacts, invoices): (u32, Option<u32>)| {
        let invoices = invoices.unwrap_or(contacts / 5).max(1);
        Size { contacts, invoices, unpaid: unpaid.unwrap_or((invoices / 2).min(200)) }
    };
    let sizes = sizes.into_iter().zip(invoices).map(size).collect();
    let growth = run(engine, &common.server(), &Plan { sizes, calls, named }).await;
    if let Some(file) = results {
        fs::write(file, serde_json::to_string_pretty(&growth).expect("text and numbers")).expect("written");
    }
    growth.report().print(common.json);
    ExitCode::SUCCESS
}
