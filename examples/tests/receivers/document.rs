//! `docs/verify.md` shows the files that are tested, word for word.

use std::collections::BTreeSet;
use std::fs;

use crate::languages::project;

/// The line before a block names its file, from `docs`.
const MARK: &str = "<!-- shows ";

/// The files that the document shows, each with the text of its block.
fn shown(document: &str) -> Vec<(&str, String)> {
    document
        .split(MARK)
        .skip(1)
        .map(|rest| {
            let (file, rest) = rest.split_once(" -->\n").expect("the mark ends its line");
            let (fence, rest) = rest.split_once('\n').expect("a block follows the mark");
            assert!(fence.starts_with("```"), "{file}: a block follows its mark");
            let (text, _) = rest.split_once("\n```\n").expect("the block ends");
            (file, format!("{text}\n"))
        })
        .collect()
}

#[test]
fn the_document_shows_every_tested_receiver_word_for_word() {
    let document = fs::read_to_string(project("docs/verify.md")).expect("docs/verify.md");
    let mut seen = BTreeSet::new();
    for (file, text) in shown(&document) {
        let kept = fs::read_to_string(project("docs").join(file)).expect(file);
        assert!(text == kept, "docs/verify.md does not show {file} as it is; copy the file into its block");
        seen.insert(file.to_owned());
    }
    let tested = fs::read_dir(project("docs/verify")).expect("a folder").map(|entry| {
        let name = entry.expect("an entry").file_name();
        format!("verify/{}", name.to_str().expect("a name"))
    });
    let expected: BTreeSet<String> =
        tested.chain(["../examples/src/bin/receive_axum.rs".to_owned()]).collect();
    assert_eq!(seen, expected);
}
