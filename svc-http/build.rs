//! Unpacks the files of the reference page: Swagger UI, as a crate holds it in an archive.

use std::error::Error;
use std::io::{self, Cursor};
use std::path::Path;
use std::{env, fs};

use utoipa_swagger_ui_vendored::SWAGGER_UI_VENDORED;
use zip::ZipArchive;
use zip::result::ZipError;

const FILES: [&str; 7] = [
    "favicon-16x16.png",
    "favicon-32x32.png",
    "index.css",
    "index.html",
    "swagger-ui-bundle.js",
    "swagger-ui-standalone-preset.js",
    "swagger-ui.css",
];

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    let to = env::var_os("OUT_DIR").ok_or("cargo names the folder")?;
    let mut archive = ZipArchive::new(Cursor::new(SWAGGER_UI_VENDORED))?;
    let names =
        archive.file_names().map(|name| Ok(name?.into_owned())).collect::<Result<Vec<String>, ZipError>>()?;
    for file in FILES {
        let end = format!("/dist/{file}");
        // Those of the plain distribution: a flavor has a folder of the same name further down.
        let name = names.iter().filter(|name| name.ends_with(&end)).min_by_key(|name| name.len());
        let name = name.ok_or_else(|| format!("{file} is not in the archive"))?;
        io::copy(&mut archive.by_name(name)?, &mut fs::File::create(Path::new(&to).join(file))?)?;
    }
    Ok(())
}
