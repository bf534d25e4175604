//! Every figure of random documents, beside the implementation in `reference.py`.

use std::env;
use std::io::{self, BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use proptest::strategy::{Strategy as _, ValueTree as _};
use serde_json::{Value, json};
use svc_business::trade::calculation::{Calculation, Document, Line};
use svc_core::money::Amount;
use svc_testkit::property::{SEED, runner};

use super::documents::{any_document, figures};

#[test]
fn a_second_implementation_has_the_same_figures() {
    let Some(python) = python() else { return };
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/calculation/reference.py");
    let mut reference = Reference::start(&python, &script);
    let (mut runner, seed) = runner(2_000);
    let (mut lines, mut compared, mut different) = (0, 0, Vec::new());
    for _ in 0..runner.config().cases {
        let document = any_document().new_tree(&mut runner).expect("a document").current();
        let question = wire(&document);
        let (answer, expected) = (shown(&figures(&document)), reference.ask(&question));
        lines += document.lines.len();
        compared += numbers(&answer);
        if answer != expected {
            different.push(format!("{question}\n  here      {answer}\n  reference {expected}"));
        }
    }
    reference.end();
    let cases = runner.config().cases;
    let first = different.iter().take(3).cloned().collect::<Vec<_>>().join("\n");
    let told = format!(
        "{cases} documents, {lines} lines, {compared} figures, {} differences, {SEED}={seed}",
        different.len()
    );
    writeln!(io::stdout(), "{told}").expect("written");
    assert!(different.is_empty(), "{told}\n{first}");
}

/// The interpreter; else one line tells that this test did not run. With `CI` set it must be there.
fn python() -> Option<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    let found = env::split_paths(&path).map(|folder| folder.join("python3")).find(|file| file.is_file());
    if found.is_none() {
        let message = "the calculation was not compared with its reference: install python3";
        assert!(env::var_os("CI").is_none(), "{message}");
        // Past the capture of the test harness, which only sees what the macros print.
        writeln!(io::stderr(), "{message}").expect("written");
    }
    found
}

/// The running script, which answers each line with a line.
struct Reference {
    child: Child,
    answers: BufReader<std::process::ChildStdout>,
}

impl Reference {
    fn start(python: &Path, script: &Path) -> Self {
        let mut command = Command::new(python);
        command.arg(script).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().expect("python3 starts");
        let answers = BufReader::new(child.stdout.take().expect("piped"));
        Self { child, answers }
    }

    fn ask(&mut self, document: &Value) -> Value {
        let questions = self.child.stdin.as_mut().expect("piped");
        writeln!(questions, "{document}").expect("the script reads");
        let mut answer = String::new();
        self.answers.read_line(&mut answer).expect("the script answers");
        serde_json::from_str(&answer).unwrap_or_else(|_| panic!("the script failed at {document}"))
    }

    fn end(mut self) {
        drop(self.child.stdin.take());
        assert!(self.child.wait().expect("it ends").success());
    }
}

fn wire(document: &Document) -> Value {
    let line = |line: &Line| {
        json!({
            "quantity": line.quantity.to_string(),
            "unitPrice": line.unit_price.to_string(),
            "discountPercent": line.discount_percent.to_string(),
            "withholdingRate": line.withholding_rate.to_string(),
            "tax": {
                "code": line.tax.code,
                "category": line.tax.category.name(),
                "rate": line.tax.rate.to_string(),
                "surcharge": line.tax.surcharge.to_string(),
                "selfAssessed": line.tax.self_assessed,
            },
        })
    };
    let discount = document.discount.map(|one| json!({ "type": one.kind().name(), "value": one.value() }));
    json!({
        "digits": document.currency.digits(),
        "pricesIncludeTax": document.prices_include_tax,
        "discount": discount,
        "lines": document.lines.iter().map(line).collect::<Vec<_>>(),
    })
}

/// The figures in minor units, as the script writes them.
fn shown(calculation: &Calculation) -> Value {
    let minor = |amounts: &[Amount]| amounts.iter().copied().map(Amount::minor).collect::<Vec<_>>();
    let lines = calculation.lines.iter();
    let taxes = calculation.taxes.iter();
    let withholdings = calculation.withholdings.iter();
    let sums = calculation.totals;
    let sums =
        [sums.lines, sums.discount, sums.taxable, sums.tax, sums.total, sums.withholding, sums.payable];
    json!({
        "lines": lines
            .map(|line| minor(&[line.gross, line.net, line.document_discount_share, line.tax_base]))
            .collect::<Vec<_>>(),
        "taxes": taxes
            .map(|tax| json!([
                tax.tax.code,
                tax.base.minor(),
                tax.quota.minor(),
                tax.surcharge_quota.minor(),
                tax.self_assessed_quota.minor(),
            ]))
            .collect::<Vec<_>>(),
        "withholdings": withholdings.map(|one| minor(&[one.base, one.amount])).collect::<Vec<_>>(),
        "totals": minor(&sums),
    })
}

/// How many numbers there are in it.
fn numbers(value: &Value) -> usize {
    match value {
        Value::Number(_) => 1,
        Value::Array(items) => items.iter().map(numbers).sum(),
        Value::Object(members) => members.values().map(numbers).sum(),
        Value::Null | Value::Bool(_) | Value::String(_) => 0,
    }
}
