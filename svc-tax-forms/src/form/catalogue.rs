//! The forms that the crate has.

use std::sync::LazyLock;

use super::Form;

/// Every form, by model and year.
#[must_use]
pub fn catalogue() -> &'static [Form] {
    &FORMS
}

static FORMS: LazyLock<Vec<Form>> = LazyLock::new(|| {
    let parse = |file: &&str| Form::parse(file).expect("a test parses every file");
    FILES.iter().map(parse).collect()
});

const FILES: [&str; 13] = [
    include_str!("../../forms/111.json"),
    include_str!("../../forms/115.json"),
    include_str!("../../forms/130.json"),
    include_str!("../../forms/180.json"),
    include_str!("../../forms/190.json"),
    include_str!("../../forms/200.json"),
    include_str!("../../forms/303-2023.json"),
    include_str!("../../forms/303-2024.json"),
    include_str!("../../forms/303-2026.json"),
    include_str!("../../forms/347.json"),
    include_str!("../../forms/349.json"),
    include_str!("../../forms/390-2023.json"),
    include_str!("../../forms/390-2024.json"),
];
