//! Writes sealed files and certificates into a folder: `cargo run -p svc-seal --example sealed -- DIR`.

#[path = "../tests/seal/samples.rs"]
mod samples;

use std::error::Error;
use std::path::PathBuf;

use svc_seal::{Digest, Language, certificate, seal};

fn main() -> Result<(), Box<dyn Error>> {
    let folder = PathBuf::from(std::env::args_os().nth(1).ok_or("name the folder to write into")?);
    std::fs::create_dir_all(&folder)?;
    let key = samples::key();
    for (name, document) in [("table", samples::small()), ("stream", samples::modern())] {
        for (code, language) in [("es", Language::Es), ("en", Language::En)] {
            let mut evidence = samples::evidence(&document, language);
            let signatures = samples::signatures();
            let sealed = seal(&document, &samples::seal_of(&evidence, &signatures, &key))?;
            for file in &mut evidence.documents {
                file.after = Some(Digest::of(&sealed));
            }
            std::fs::write(folder.join(format!("{name}-{code}.pdf")), &sealed)?;
            std::fs::write(folder.join(format!("{name}-{code}-certificate.pdf")), certificate(&evidence)?)?;
        }
    }
    Ok(())
}
