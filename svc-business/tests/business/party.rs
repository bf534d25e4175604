//! Invariant I-26 of the specification: validators of tax ids, bank accounts, phones and other small texts.

use proptest::prelude::*;
use svc_business::party::{
    Bic, Country, Email, Iban, LanguageTag, Phone, TaxId, TaxIdKind, Website, check_spanish,
};
use svc_testkit::business::strategy;

#[test]
fn the_vectors_of_the_design_pass_and_fail() {
    for good in ["12345678Z", "X1234567L", "89890001K", "A58818501", "B12345674", "Q2826000H", "P2807900B"] {
        assert!(check_spanish(good), "{good}");
    }
    let bad = [
        "12345678A",
        "B12345670",
        "A5881850A",
        "00000000T",
        "",
        "1",
        "I12345674",
        "12345678",
        "ñ2345678Z",
        "Q28260008",
        "P28079002",
        "X12345678",
        "T1234567L",
        "B1234567x",
    ];
    for bad in bad {
        assert!(!check_spanish(bad), "{bad}");
    }
}

#[test]
fn persons_without_a_dni_have_its_letter() {
    for good in ["K1234567L", "L1234567L", "M1234567L"] {
        assert!(check_spanish(good), "{good}");
    }
    assert!(!check_spanish("M1234567T"));
}

#[test]
fn a_spanish_tax_id_is_normalised_before_it_is_checked() {
    for (text, kind, normal) in [
        ("es b-12.345 674", TaxIdKind::Nif, "B12345674"),
        ("12345678z", TaxIdKind::Nif, "12345678Z"),
        ("1234567L", TaxIdKind::Nif, "01234567L"),
        ("1R", TaxIdKind::Nif, "00000001R"),
        ("x-1234567-l", TaxIdKind::Nie, "X1234567L"),
        ("ES A58818501", TaxIdKind::VatEu, "ESA58818501"),
    ] {
        let parsed = TaxId::parse(text, kind);
        assert_eq!(parsed.as_ref().map(TaxId::as_str), Ok(normal), "{text}");
    }
    assert!(TaxId::parse("X1234567L", TaxIdKind::Nif).is_err(), "a nie is not a nif");
    assert!(TaxId::parse("12345678Z", TaxIdKind::Nie).is_err());
}

#[test]
fn a_vat_number_has_the_form_of_its_member_state() {
    let good = [
        "DE123456789",
        "FRXX999999999",
        "NL123456789B01",
        "ATU12345678",
        "IE1234567FA",
        "EL123456789",
        "XIGD123",
        "XIHA456",
        "SE123456789001",
        "ie 1b23456 c",
        "ESB12345674",
    ];
    for good in good {
        assert!(TaxId::parse(good, TaxIdKind::VatEu).is_ok(), "{good}");
    }
    let bad = [
        "DE12345678",
        "GR123456789",
        "GB123456789",
        "ES12345678A",
        "AT12345678",
        "US123456789",
        "D",
        "ñE",
        "NL123456789C01",
        "DE12345678A",
    ];
    for bad in bad {
        assert!(TaxId::parse(bad, TaxIdKind::VatEu).is_err(), "{bad}");
    }
}

#[test]
fn other_tax_ids_have_1_to_40_characters_and_none_has_none() {
    for kind in [TaxIdKind::Passport, TaxIdKind::ForeignId] {
        assert_eq!(TaxId::parse(" ab 12-3 ", kind).as_ref().map(TaxId::as_str), Ok("AB123"));
        assert!(TaxId::parse(&"9".repeat(40), kind).is_ok());
        for bad in ["", " - ", &"9".repeat(41), "A\u{0}B"] {
            assert!(TaxId::parse(bad, kind).is_err(), "{bad:?}");
        }
    }
    assert!(TaxId::parse("12345678Z", TaxIdKind::None).is_err());
}

#[test]
fn the_kind_of_a_tax_id_is_guessed() {
    let guess = |text, country: &str| {
        TaxId::guess(text, country.parse().expect("a country"))
            .map(|(id, kind)| (id.as_str().to_owned(), kind))
    };
    let is = |id: &str, kind| Ok((id.to_owned(), kind));
    assert_eq!(guess("12345678z", "ES"), is("12345678Z", TaxIdKind::Nif));
    assert_eq!(guess("X1234567L", "FR"), is("X1234567L", TaxIdKind::Nie));
    assert_eq!(guess("DE123456789", "ES"), is("DE123456789", TaxIdKind::VatEu));
    assert!(guess("B12345670", "ES").is_err());
    assert_eq!(guess("B12345670", "US"), is("B12345670", TaxIdKind::ForeignId));
}

#[test]
fn small_texts_have_their_syntax() {
    for good in ["a@b.es", "Ana.Núñez+x@sub.correo.example", "o'neil@x-y.example"] {
        assert!(good.parse::<Email>().is_ok(), "{good}");
    }
    let long = format!("{}@b.es", "a".repeat(65));
    for bad in [
        "",
        "a",
        "@b.es",
        "a@",
        "a@b",
        "a@@b.es",
        "a b@c.es",
        ".a@b.es",
        "a..b@c.es",
        "a@-b.es",
        "a@b.1",
        "a@b..es",
        "a@b.es\n@",
        "<a@b.es>",
        &long,
        &format!("a@{}.es", "b.".repeat(130)),
    ] {
        assert!(bad.parse::<Email>().is_err(), "{bad:?}");
    }
    for (text, tag) in [
        ("ES", "es"),
        ("es-es", "es-ES"),
        ("ZH-hant-tw", "zh-Hant-TW"),
        ("ca-valencia", "ca-valencia"),
        ("es-419", "es-419"),
        ("de-1996", "de-1996"),
    ] {
        assert_eq!(text.parse::<LanguageTag>().as_ref().map(LanguageTag::as_str), Ok(tag));
    }
    for bad in ["", "e", "spanish", "es_ES", "es-", "es-ES-ES", "es-ES-Latn", "12", "es-é"] {
        assert!(bad.parse::<LanguageTag>().is_err(), "{bad}");
    }
    for good in ["https://example.com", "HTTP://a.b:8080/x?y=z#ñ", "https://münchen.example"] {
        assert!(good.parse::<Website>().is_ok(), "{good}");
    }
    for bad in [
        "example.com",
        "ftp://a.b",
        "https://",
        "https://a",
        "https://u:p@a.b",
        "https://a.b:0",
        "https://a.b:99999",
        "https://a.b/ c",
        "javascript:alert(1)//a.b",
        "https://a.b:",
        "https://a.b:+1",
    ] {
        assert!(bad.parse::<Website>().is_err(), "{bad}");
    }
    for good in ["CAIXESBB", "caixesbbxxx", "NCBVXKPR"] {
        assert!(good.parse::<Bic>().is_ok(), "{good}");
    }
    for bad in ["CAIXESB", "CAIXESBBX", "CAIXZZBB", "CAIX SBB", "ññññESBB"] {
        assert!(bad.parse::<Bic>().is_err(), "{bad}");
    }
    assert_eq!(Country::SPAIN.code(), "ES");
}

#[test]
fn a_phone_is_kept_in_e164_form() {
    assert_eq!("+34 (600) 12-34.56".parse::<Phone>().as_ref().map(Phone::as_str), Ok("+34600123456"));
    for bad in [
        "",
        "600123456",
        "+0600123456",
        "+1234567",
        "+1234567890123456",
        "+34 60012345a",
        "++34600123456",
        "0034600123456",
        "+３４600123456",
    ] {
        assert!(bad.parse::<Phone>().is_err(), "{bad}");
    }
}

#[test]
fn an_iban_has_its_check_digits_and_length() {
    let good = "ES9121000418450200051332";
    for text in [good, "es91 2100 0418 4502 0005 1332", "ES91-2100-0418-4502-0005-1332"] {
        assert_eq!(text.parse::<Iban>().as_ref().map(Iban::as_str), Ok(good));
    }
    for bad in ["", "ES9121000418450200051333", "ES912100041845020005133", "ES00", "XX9121000418450200051332"]
    {
        assert!(bad.parse::<Iban>().is_err(), "{bad}");
    }
}

/// `text` with another digit at the place of its `nth` digit.
fn other_digit(text: &str, nth: usize, step: u8) -> Option<String> {
    let places: Vec<usize> =
        text.bytes().enumerate().filter(|(_, byte)| byte.is_ascii_digit()).map(|(at, _)| at).collect();
    let at = *places.get(nth % places.len())?;
    let mut bytes = text.as_bytes().to_vec();
    let digit = bytes.get_mut(at)?;
    *digit = b'0' + (*digit - b'0' + step) % 10;
    String::from_utf8(bytes).ok()
}

proptest! {
    #[test]
    fn every_generated_tax_id_passes((id, kind) in strategy::spanish_tax_id()) {
        prop_assert!(check_spanish(&id));
        let guessed = TaxId::guess(&id.to_lowercase(), Country::SPAIN);
        prop_assert_eq!(guessed.map(|(id, kind)| (id.as_str().to_owned(), kind)), Ok((id, kind)));
    }

    #[test]
    fn one_changed_digit_of_a_dni_or_nie_fails(id in prop_oneof![strategy::dni(), strategy::nie()], nth in 0_usize..8, step in 1_u8..10) {
        let changed = other_digit(&id, nth, step).expect("there are digits");
        prop_assert!(!check_spanish(&changed), "{changed}");
    }

    #[test]
    fn one_changed_digit_of_an_entity_fails(id in strategy::entity_nif(), nth in 0_usize..8, step in 1_u8..10) {
        // Doubling and summing digits is one to one, so every single change shows.
        let changed = other_digit(&id, nth, step).expect("there are digits");
        prop_assert!(!check_spanish(&changed), "{changed}");
    }

    #[test]
    fn another_check_character_fails((id, _) in strategy::spanish_tax_id(), letter in "[A-Z0-9]") {
        let (body, check) = id.split_at(8);
        prop_assume!(check != letter);
        // Entities of some kinds may write the same check as a digit or as a letter.
        let both = check.bytes().chain(letter.bytes()).map(|byte| b"JABCDEFGHI".iter().position(|l| *l == byte).map_or(byte, |at| b'0' + u8::try_from(at).expect("small"))).collect::<Vec<_>>();
        prop_assume!(!(id.starts_with(|c: char| "CDFGJUV".contains(c)) && both[0] == both[1]));
        let changed = format!("{body}{letter}");
        prop_assert!(!check_spanish(&changed), "{changed}");
    }

    #[test]
    fn every_generated_iban_passes_and_one_changed_digit_fails(iban in strategy::iban(), nth in 0_usize..24, step in 1_u8..10) {
        prop_assert!(iban.parse::<Iban>().is_ok());
        let changed = other_digit(&iban, nth, step).expect("there are digits");
        prop_assert!(changed.parse::<Iban>().is_err(), "{changed}");
    }

    #[test]
    fn no_text_makes_a_validator_panic(text in "\\PC{0,60}") {
        let _ = check_spanish(&text);
        let _ = TaxId::guess(&text, Country::SPAIN);
        let _ = (text.parse::<Iban>(), text.parse::<Bic>(), text.parse::<Phone>(), text.parse::<Email>());
        let _ = (text.parse::<Website>(), text.parse::<LanguageTag>(), text.parse::<Country>());
    }
}
