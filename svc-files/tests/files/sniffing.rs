//! What bytes are taken for.

use proptest::prelude::*;
use svc_files::sniff;

#[test]
fn known_kinds_are_told_by_their_first_bytes() {
    let cases: [(&[u8], &str); 22] = [
        (b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n", "application/pdf"),
        (b"%PDF-1.4 in plain ASCII", "application/pdf"),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "image/png"),
        (b"\xff\xd8\xff\xe0\0\x10JFIF", "image/jpeg"),
        (b"PK\x03\x04\x14\0\0\0\0\0", "application/zip"),
        (b"{\\rtf1 text}", "application/rtf"),
        (b"MZ\x90\0\x03\0\0\0", "application/vnd.microsoft.portable-executable"),
        (b"<?xml version=\"1.0\"?>\n<Invoice xmlns=\"urn:x\"/>", "application/xml"),
        (b"<fe:Facturae xmlns:fe=\"urn:x\"></fe:Facturae>", "application/xml"),
        (b"<Acta xmlns=\"urn:x\">Ni&#241;o &amp; &#xD1;and&#250;</Acta>", "application/xml"),
        (b"<BaseImponible>10</BaseImponible>", "application/xml"),
        (b"<?xml version=\"1.0\"?><m><Header/><Body><link>x</link></Body></m>", "application/xml"),
        (b" {\"a\": [1, 2]}\n", "application/json"),
        (b"[]", "application/json"),
        (b"id,name\r\n1,\"Sol, SL\"\r\n2,Luna\r\n", "text/csv"),
        (b"fecha;importe\n01/02/2025;1.200,50\n", "text/csv"),
        (b"Hello, Ada.\nHow are you?\n", "text/plain"),
        ("Señor:\n\tle escribimos…".as_bytes(), "text/plain"),
        (b"\xff\xfeH\0i\0!\0", "text/plain"),
        (b"BM is how this text begins", "text/plain"),
        (b"", "application/octet-stream"),
        (b"\0\x01\x02\x03", "application/octet-stream"),
    ];
    for (bytes, kind) in cases {
        assert_eq!(sniff(bytes), kind, "{}", String::from_utf8_lossy(bytes));
    }
}

#[test]
fn what_is_not_whole_is_taken_for_less() {
    for bytes in ["{\"a\": ", "{not json}", "[1, 2"] {
        assert_eq!(sniff(bytes.as_bytes()), "text/plain", "{bytes}");
    }
    assert_eq!(sniff("Se\u{f1}or".as_bytes().get(..3).expect("half a letter")), "application/octet-stream");
    // Longer than what is looked at, so that it may be whole.
    let long = format!("[{}", "\"ñandú\",".repeat(4_000));
    assert_eq!(sniff(long.as_bytes()), "application/json");
    assert_eq!(sniff(long.as_bytes().get(..9_000).expect("a part")), "application/json");
}

#[test]
fn what_a_browser_may_run_is_no_harmless_text() {
    for (text, kind) in [
        ("<?xml-stylesheet href=\"data:,x\"?><a/>", "application/octet-stream"),
        ("<!DOCTYPE a [<!ENTITY b \"c\">]><a>&b;</a>", "application/octet-stream"),
        ("<a xmlns:b='http://www.w3.org/1999/&#120;html'/>", "application/octet-stream"),
        ("<!DOCTYPE html><p>Hi", "text/html"),
        ("\u{feff}  \n<HTML>", "text/html"),
        ("<!-- --><b>x</b>", "text/html"),
        ("id,name\n1,<ScRiPt>alert(1)</script>\n", "text/html"),
        ("{\"a\": \"<img src=x onerror=alert(1)>\"}", "text/html"),
        ("<?xml version=\"1.0\"?><svg xmlns=\"http://www.w3.org/2000/svg\"/>", "image/svg+xml"),
        ("<SVG onload=alert(1)>", "image/svg+xml"),
        ("<?xml version=\"1.0\"?><s:svg xmlns:s=\"http://www.w3.org/2000/svg\"/>", "image/svg+xml"),
        (
            "<?xml version=\"1.0\"?><x><h:b xmlns:h=\"http://www.w3.org/1999/xhtml\"/></x>",
            "application/xhtml+xml",
        ),
    ] {
        assert_eq!(sniff(text.as_bytes()), kind, "{text}");
        let wide: Vec<u8> =
            "\u{feff}".encode_utf16().chain(text.encode_utf16()).flat_map(u16::to_be_bytes).collect();
        assert_eq!(sniff(&wide), kind, "{text} in UTF-16");
    }
}

proptest! {
    #[test]
    fn active_content_is_never_taken_for_harmless_text(
        before in "[ a-z0-9,;\n{}\\[\\]\"]{0,60}",
        mark in prop::sample::select(vec!["<script>", "<SVG/", "<Html\n", "<iframe ", "<!DocType hTml>", "<img\t"]),
        after in any::<String>(),
    ) {
        let kind = sniff(format!("{before}{mark}{after}").as_bytes());
        let is_harmless = ["text/plain", "text/csv", "application/json", "application/xml"].contains(&kind);
        prop_assert!(!is_harmless, "{kind}");
    }

    #[test]
    fn any_bytes_have_a_kind(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        prop_assert!(sniff(&bytes).contains('/'));
    }
}
