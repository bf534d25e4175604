//! Writes sealed files, certificates and stamped files into a folder, of two documents of its own and of those that are named:
//! `cargo run -p svc-seal --example sealed -- DIR [FILE...]`.

#![expect(clippy::print_stdout, reason = "a program for people")]

#[path = "../tests/seal/samples.rs"]
mod samples;

use std::error::Error;
use std::path::{Path, PathBuf};

use svc_seal::{Digest, Language, Watermark, certificate, seal, verify, watermark};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args_os().skip(1).map(PathBuf::from);
    let folder = arguments.next().ok_or("name the folder to write into")?;
    std::fs::create_dir_all(&folder)?;
    write(&folder, "table", &samples::small())?;
    write(&folder, "stream", &samples::modern())?;
    for file in arguments {
        let name = file.file_stem().ok_or("name a file")?.to_string_lossy().into_owned();
        if let Err(error) = write(&folder, &name, &std::fs::read(&file)?) {
            println!("{name}: {error}");
        }
    }
    Ok(())
}

fn write(folder: &Path, name: &str, document: &[u8]) -> Result<(), Box<dyn Error>> {
    let (key, signatures) = (samples::key(), samples::signatures());
    for (code, language) in [("es", Language::Es), ("en", Language::En)] {
        let mut evidence = samples::evidence(document, language);
        let sealed = seal(document, &samples::seal_of(&evidence, &signatures, &key))?;
        verify(&sealed, &key)?;
        for file in &mut evidence.documents {
            file.after = Some(Digest::of(&sealed));
        }
        let with = Watermark { reader: "maria.lopez@buyer.example", at: samples::at(0), language };
        std::fs::write(folder.join(format!("{name}-{code}-stamped.pdf")), watermark(document, &with)?)?;
        std::fs::write(folder.join(format!("{name}-{code}.pdf")), &sealed)?;
        std::fs::write(folder.join(format!("{name}-{code}-certificate.pdf")), certificate(&evidence)?)?;
    }
    Ok(())
}
