use super::*;

#[test]
fn a_rate_is_more_than_zero_with_8_decimals_at_most() {
    for (text, canonical) in [("1", "1"), ("1.0800", "1.08"), ("0.00000001", "0.00000001"), ("180", "180")] {
        assert_eq!(text.parse::<FxRate>().map(|rate| rate.to_string()).as_deref(), Ok(canonical));
    }
    for text in ["", "0", "0.0", "-1", "+1", "1.", ".5", "01", "1e3", "1.000000001", "1,08", "1234567890123"]
    {
        assert_eq!(text.parse::<FxRate>(), Err(FxRateError), "{text}");
    }
}

#[test]
fn a_source_has_three_plain_parts() {
    let source = Source::new("invoice", "inv_01", "issue").expect("plain");
    assert_eq!(source.to_string(), "invoice/inv_01/issue");
    assert_eq!(Source::new("", "1", "x"), Err(SourceError { part: "type" }));
    assert_eq!(Source::new("a", "1/2", "x"), Err(SourceError { part: "id" }));
    assert_eq!(Source::new("a", "1", "x y"), Err(SourceError { part: "role" }));
}

#[test]
fn a_tax_code_is_lower_case() {
    assert_eq!("es_vat_21".parse::<TaxCode>().map(|code| code.to_string()).as_deref(), Ok("es_vat_21"));
    for text in ["", "ES_VAT", "es vat", &"a".repeat(41)] {
        assert_eq!(text.parse::<TaxCode>(), Err(TaxCodeError), "{text}");
    }
}

#[test]
fn a_hash_survives_its_text_form() {
    let hash = EntryHash::from_bytes([0xa7; 32]);
    assert_eq!(hash.to_string().parse(), Ok(hash));
    for text in ["", "a7", &"A7".repeat(32), &"g7".repeat(32), &"a7".repeat(33)] {
        assert_eq!(text.parse::<EntryHash>(), Err(EntryHashError), "{text}");
    }
}
