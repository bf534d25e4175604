//! Makes a document from its lines: the calculation of svc-business gives the figures.

use std::collections::BTreeMap;

use svc_business::trade::calculation::{self, Calculation, calculate};
use svc_business::trade::{Discount, TaxCategory as Category, TaxCode};
use svc_core::money::{Amount, Currency};
use svc_einvoice::model::{
    Address, Adjustment, BaseCurrency, Exemption, Invoice, Kind, Language, Line, Party, Payment,
    PaymentMethod, Tax, TaxCategory, TaxRate, Withholding,
};
use time::macros::date;

/// A line: description, quantity, unit, price, discount percent, tax code, withholding.
pub(super) type Row<'a> = (&'a str, &'a str, &'a str, &'a str, &'a str, &'a str, &'a str);

/// What a document is made of.
pub(super) struct Draft<'a> {
    pub(super) kind: Kind,
    pub(super) currency: &'a str,
    pub(super) rate: &'a str,
    pub(super) prices_include_tax: bool,
    pub(super) rows: Vec<Row<'a>>,
    /// `5%`, or an amount; empty for none.
    pub(super) discount: &'a str,
    pub(super) exemption: &'a str,
}

impl Draft<'_> {
    pub(super) fn new(rows: Vec<Row<'_>>) -> Draft<'_> {
        let kind = Kind::Invoice;
        Draft {
            kind,
            currency: "EUR",
            rate: "1",
            prices_include_tax: false,
            rows,
            discount: "",
            exemption: "",
        }
    }

    pub(super) fn build(self) -> Invoice {
        let currency: Currency = self.currency.parse().expect("a currency");
        let calculation = self.calculated(currency);
        let mut invoice = Invoice::empty(self.kind.clone(), currency);
        "F2025-00042".clone_into(&mut invoice.number);
        invoice.issue_date = Some(date!(2025 - 03 - 14));
        invoice.seller = seller();
        invoice.buyer = Some(buyer());
        invoice.prices_include_tax = self.prices_include_tax;
        invoice.lines = self.lines(&calculation);
        invoice.discounts = self.discounts(&calculation);
        invoice.taxes = calculation.taxes.iter().map(|figures| self.tax(figures)).collect();
        invoice.withholdings = calculation
            .withholdings
            .iter()
            .map(|one| Withholding {
                rate: decimal(&one.rate.to_string()),
                base: one.base,
                amount: one.amount,
            })
            .collect();
        let totals = &calculation.totals;
        invoice.totals.lines = totals.lines;
        invoice.totals.discount = totals.discount;
        invoice.totals.taxable = totals.taxable;
        invoice.totals.tax = totals.tax;
        invoice.totals.total = totals.total;
        invoice.totals.withholding = totals.withholding;
        invoice.totals.payable = totals.payable;
        invoice.totals.due = totals.payable;
        if currency != Currency::EUR {
            let base = BaseCurrency {
                currency: Currency::EUR,
                rate: decimal(self.rate),
                tax: Amount::zero(Currency::EUR),
            };
            invoice.base = Some(BaseCurrency { tax: base.convert(totals.tax).expect("in range"), ..base });
        }
        invoice.payment = Payment {
            due_date: Some(date!(2025 - 04 - 13)),
            method: Some(PaymentMethod::Transfer),
            iban: Some("ES9121000418450200051332".to_owned()),
            ..Payment::default()
        };
        invoice
    }

    fn calculated(&self, currency: Currency) -> Calculation {
        let line = |row: &Row<'_>| calculation::Line {
            quantity: row.1.parse().expect("a quantity"),
            unit_price: row.3.parse().expect("a price"),
            discount_percent: row.4.parse().expect("a rate"),
            tax: TaxCode::find(row.5, date!(2025 - 03 - 14)).expect("a tax"),
            withholding_rate: row.6.parse().expect("a rate"),
        };
        let discount = match (self.discount, self.discount.strip_suffix('%')) {
            ("", _) => None,
            (_, Some(percent)) => Some(Discount::Percent(percent.parse().expect("a rate"))),
            (amount, None) => Some(Discount::Amount(Amount::parse(amount, currency).expect("an amount"))),
        };
        let lines = self.rows.iter().map(line).collect();
        let document =
            calculation::Document { currency, prices_include_tax: self.prices_include_tax, lines, discount };
        calculate(&document).expect("a document that can be computed")
    }

    fn lines(&self, calculation: &Calculation) -> Vec<Line> {
        let line = |(row, figures): (&Row<'_>, &calculation::LineFigures)| Line {
            description: row.0.to_owned(),
            quantity: decimal(row.1),
            unit: row.2.to_owned(),
            unit_price: decimal(row.3),
            price_quantity: decimal("1"),
            discount_percent: Some(decimal(row.4)).filter(|percent| !percent.is_zero()),
            discount: figures.gross.minus(figures.net).expect("in range"),
            charge: Amount::zero(calculation.currency),
            net: figures.net,
            net_without_tax: self.prices_include_tax.then_some(figures.tax_base),
            tax: rate(figures.tax),
            withholding_rate: decimal(row.6),
        };
        self.rows.iter().zip(&calculation.lines).map(line).collect()
    }

    fn discounts(&self, calculation: &Calculation) -> Vec<Adjustment> {
        let mut shares = BTreeMap::new();
        for line in &calculation.lines {
            let share = shares.entry(line.tax).or_insert(Amount::zero(calculation.currency));
            *share = share.plus(line.document_discount_share).expect("in range");
        }
        let given = shares.into_iter().filter(|(_, amount)| amount.minor() != 0);
        let adjustment = |(tax, amount)| Adjustment {
            reason: "Descuento".to_owned(),
            percent: self.discount.strip_suffix('%').map(decimal),
            amount,
            tax: rate(tax),
        };
        given.map(adjustment).collect()
    }

    fn tax(&self, figures: &calculation::TaxFigures) -> Tax {
        let tax = rate(figures.tax);
        let (code, reason) = match tax.category {
            TaxCategory::ReverseCharge => {
                ("VATEX-EU-AE", "Inversión del sujeto pasivo, art. 84.uno.2.º Ley 37/1992")
            }
            TaxCategory::IntraCommunity => {
                ("VATEX-EU-IC", "Entrega intracomunitaria exenta, art. 25 Ley 37/1992")
            }
            TaxCategory::Export => ("VATEX-EU-G", "Exportación exenta, art. 21 Ley 37/1992"),
            TaxCategory::NotSubject => ("VATEX-EU-O", "Operación no sujeta, art. 7 Ley 37/1992"),
            TaxCategory::Exempt => ("VATEX-EU-132", self.exemption),
            TaxCategory::Standard | TaxCategory::Zero | TaxCategory::Igic | TaxCategory::Ipsi => ("", ""),
        };
        let exemption = Exemption { code: code.to_owned(), reason: reason.to_owned() };
        Tax {
            tax,
            base: figures.base,
            quota: figures.quota,
            surcharge: figures.surcharge_quota,
            exemption: tax.category.needs_reason().then_some(exemption),
        }
    }
}

fn rate(tax: &TaxCode) -> TaxRate {
    let category = match tax.category {
        Category::Standard => TaxCategory::Standard,
        Category::Zero => TaxCategory::Zero,
        Category::Exempt => TaxCategory::Exempt,
        Category::NotSubject => TaxCategory::NotSubject,
        Category::ReverseCharge => TaxCategory::ReverseCharge,
        Category::IntraCommunity => TaxCategory::IntraCommunity,
        Category::Export => TaxCategory::Export,
        Category::Igic => TaxCategory::Igic,
        Category::Ipsi => TaxCategory::Ipsi,
    };
    TaxRate {
        category,
        rate: decimal(&tax.charged_rate().to_string()),
        surcharge_rate: decimal(&tax.surcharge.to_string()),
    }
}

pub(super) fn decimal(text: &str) -> rust_decimal::Decimal {
    text.parse().expect("a decimal")
}

pub(super) fn address(street: &str, postcode: &str, city: &str, province: &str, country: &str) -> Address {
    let some = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
    Address {
        street: some(street),
        extra: None,
        city: some(city),
        postcode: some(postcode),
        province: some(province),
        country: country.to_owned(),
    }
}

fn seller() -> Party {
    Party {
        name: "Asesoría Núñez & Compañía, S.L.".to_owned(),
        trade_name: Some("Núñez Asesores".to_owned()),
        is_person: false,
        vat_number: Some("ESB12345674".to_owned()),
        registration: None,
        address: address("Calle Mayor, 12, 3.º B", "28013", "Madrid", "Madrid", "ES"),
        email: Some("facturas@example.com".to_owned()),
        phone: Some("+34910000000".to_owned()),
    }
}

fn buyer() -> Party {
    Party {
        name: "Industrias del Ebro, S.A.".to_owned(),
        trade_name: None,
        is_person: false,
        vat_number: Some("ESA58818501".to_owned()),
        registration: None,
        address: address("Polígono Malpica, nave 7", "50016", "Zaragoza", "Zaragoza", "ES"),
        email: Some("proveedores@example.org".to_owned()),
        phone: None,
    }
}

/// The buyer of an invoice in English.
pub(super) fn abroad(name: &str, vat: Option<&str>, registration: Option<&str>, country: &str) -> Party {
    Party {
        name: name.to_owned(),
        vat_number: vat.map(str::to_owned),
        registration: registration.map(str::to_owned),
        address: address("12 Harbour Street", "10115", "Newport", "Region", country),
        ..Party::default()
    }
}

/// The language of what goes abroad.
pub(super) fn in_english(mut invoice: Invoice) -> Invoice {
    invoice.language = Language::English;
    invoice
}
