//! Documents with lines, rates and discounts from a sequence of numbers that is always the same.

use svc_einvoice::model::Invoice;

use super::builder::{Draft, Row};

const TAXES: [&str; 8] = [
    "es_vat_21",
    "es_vat_10",
    "es_vat_4",
    "es_vat_21_re",
    "es_vat_10_re",
    "es_exempt",
    "es_vat_0",
    "es_reverse",
];

/// The document of a seed.
pub(super) fn document(seed: u32) -> Invoice {
    let mut numbers = Numbers(seed.wrapping_mul(2_654_435_761));
    let count = numbers.below(6) + 1;
    let texts: Vec<[String; 4]> = (0..count)
        .map(|_| {
            let quantity = format!("{}.{:03}", numbers.below(90), numbers.below(999) + 1);
            let price = format!("{}.{:04}", numbers.below(900), numbers.below(10_000));
            let discount =
                if numbers.below(3) == 0 { format!("{}.5", numbers.below(60)) } else { "0".to_owned() };
            let withheld = if numbers.below(4) == 0 { "15" } else { "0" };
            [quantity, price, discount, withheld.to_owned()]
        })
        .collect();
    let rows: Vec<Row<'_>> = texts
        .iter()
        .map(|[quantity, price, discount, withheld]| {
            let tax =
                TAXES.iter().cycle().nth(usize::try_from(numbers.below(8)).expect("small")).expect("endless");
            ("Artículo", quantity.as_str(), "C62", price.as_str(), discount.as_str(), *tax, withheld.as_str())
        })
        .collect();
    let discount = if numbers.below(2) == 0 { "3.75%" } else { "" };
    let exemption = "Exenta por el art. 20 de la Ley 37/1992";
    let mut invoice = Draft { discount, exemption, ..Draft::new(rows) }.build();
    invoice.number = format!("V2025-{seed:05}");
    invoice
}

/// A sequence that looks random (Knuth's MMIX generator, upper bits).
struct Numbers(u32);

impl Numbers {
    fn below(&mut self, limit: u32) -> u32 {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (self.0 >> 8) % limit
    }
}
