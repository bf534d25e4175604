//! Writes sixty documents of every kind into a folder: `cargo run -p svc-einvoice --example documents -- DIR`.

#![expect(clippy::print_stdout, reason = "a program for people")]

#[path = "../tests/documents/all.rs"]
mod documents;

use std::error::Error;
use std::path::PathBuf;

use svc_einvoice::{WriteError, facturae, pdf, ubl};

fn main() -> Result<(), Box<dyn Error>> {
    let folder = PathBuf::from(std::env::args_os().nth(1).ok_or("name the folder to write into")?);
    std::fs::create_dir_all(&folder)?;
    for named in documents::all() {
        let save = |suffix: &str, file: Result<Vec<u8>, WriteError>| match file {
            Ok(bytes) => std::fs::write(folder.join(format!("{}.{suffix}", named.name)), bytes),
            Err(error) => {
                println!("{}.{suffix}: {error}", named.name);
                Ok(())
            }
        };
        save("ubl.xml", ubl::write(&named.invoice))?;
        save("facturae.xml", facturae::write(&named.invoice))?;
        save("pdf", pdf::render(&named.invoice, pdf::Options::default()))?;
    }
    let draft = documents::all().into_iter().find(|named| named.name == "vector").ok_or("no vector")?;
    let mut draft = draft.invoice;
    draft.number.clear();
    for (name, standing) in [("draft.pdf", pdf::Standing::Draft), ("voided.pdf", pdf::Standing::Voided)] {
        std::fs::write(folder.join(name), pdf::render(&draft, pdf::Options { standing })?)?;
    }
    Ok(())
}
