//! Names that clients send.

use proptest::prelude::*;
use svc_core::text::is_hidden;
use svc_files::{attachment, safe_name};

#[test]
fn a_name_keeps_what_people_gave_it() {
    for name in [
        "Factura nº 1.pdf",
        "报告.docx",
        "a.tar.gz",
        "ESCRITURA (copia).PDF",
        "no extension",
        "COM10.txt",
        "📄.txt",
    ] {
        assert_eq!(safe_name(name), name);
    }
}

#[test]
fn what_could_do_harm_is_taken_out() {
    for (sent, safe) in [
        ("", "file"),
        (".", "file"),
        ("..", "file"),
        ("/", "file"),
        ("\u{202e}", "file"),
        ("../../etc/passwd", "passwd"),
        ("C:\\Users\\Ada\\a.pdf", "a.pdf"),
        ("folder/", "file"),
        ("invoice\u{202e}fdp.exe", "invoicefdp.exe"),
        ("a\0b\r\nSet-Cookie: x.pdf", "ab Set-Cookie_ x.pdf"),
        (".htaccess", "htaccess"),
        ("report.pdf. . ", "report.pdf"),
        ("nul", "_nul"),
        ("Com1.pdf", "_Com1.pdf"),
        ("aux .tar.gz", "_aux .tar.gz"),
        ("a\"b<c>|d?*.txt", "a_b_c__d__.txt"),
    ] {
        assert_eq!(safe_name(sent), safe, "{sent:?}");
    }
}

#[test]
fn a_long_name_is_cut_before_its_extension() {
    let long = safe_name(&format!("{}.pdf", "ñ".repeat(300)));
    assert!(long.ends_with("ñ.pdf") && long.len() >= 253 && long.len() <= 255, "{long}");
    let no_extension = safe_name(&format!("a.{}", "x".repeat(300)));
    assert_eq!(no_extension.len(), 255);
}

#[test]
fn a_disposition_has_the_name_in_both_forms() {
    assert_eq!(attachment("a.pdf"), "attachment; filename=\"a.pdf\"; filename*=UTF-8''a.pdf");
    assert_eq!(
        attachment("100 % \u{20ac}.txt"),
        "attachment; filename=\"100 _ _.txt\"; filename*=UTF-8''100%20%25%20%E2%82%AC.txt"
    );
    let hostile = attachment("a\"; filename=evil.exe; x=\".pdf\r\nX-Evil: 1");
    assert_eq!(hostile.matches('"').count(), 2, "{hostile}");
}

/// Names with more of what does harm than chance has.
fn names() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        any::<String>(),
        any::<char>().prop_map(String::from),
        prop::sample::select(vec![
            "..", "/", "\\", ".", " ", "\u{202e}", "\0", "\"", "%", "nul", "com1", ".pdf", ";"
        ])
        .prop_map(str::to_owned),
        (1..300_usize).prop_map(|count| "ñ".repeat(count)),
    ];
    prop::collection::vec(piece, 0..8).prop_map(|pieces| pieces.concat())
}

/// The plain form and the other one, read back as RFC 6266 and RFC 8187 say.
fn read_back(value: &str) -> Option<(String, String)> {
    let rest = value.strip_prefix("attachment; filename=\"")?;
    let (plain, rest) = rest.split_once('"')?;
    let mut encoded = rest.strip_prefix("; filename*=UTF-8''")?.bytes();
    let mut bytes = Vec::new();
    while let Some(byte) = encoded.next() {
        bytes.push(if byte == b'%' {
            let digits = [encoded.next()?, encoded.next()?];
            u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()?
        } else {
            byte
        });
    }
    Some((plain.to_owned(), String::from_utf8(bytes).ok()?))
}

proptest! {
    #[test]
    fn any_name_becomes_one_that_is_safe(sent in names()) {
        let name = safe_name(&sent);
        prop_assert!((1..=255).contains(&name.len()), "{name:?}");
        prop_assert!(!name.contains(['/', '\\', '<', '>', ':', '"', '|', '?', '*']), "{name:?}");
        prop_assert!(!name.chars().any(is_hidden), "{name:?}");
        prop_assert!(!name.starts_with([' ', '.']) && !name.ends_with([' ', '.']), "{name:?}");
        prop_assert_eq!(safe_name(&name), name.clone(), "it is safe already");
    }

    #[test]
    fn any_name_is_read_back_from_its_disposition(sent in names()) {
        let value = attachment(&sent);
        prop_assert!(value.bytes().all(|byte| byte == b' ' || byte.is_ascii_graphic()), "{value:?}");
        let (plain, whole) = read_back(&value).expect("both forms");
        prop_assert_eq!(whole, safe_name(&sent));
        prop_assert!(!plain.contains(['\\', '%']), "{plain:?}");
    }
}
