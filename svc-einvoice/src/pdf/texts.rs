//! The texts of a page, in each language.

use crate::model::{CorrectionMethod, Kind, Language, PaymentMethod, TaxCategory};

/// All texts of one language.
pub(super) struct Texts {
    pub(super) invoice: &'static str,
    pub(super) simplified: &'static str,
    pub(super) corrective: &'static str,
    pub(super) proforma: &'static str,
    pub(super) quote: &'static str,
    pub(super) draft: &'static str,
    pub(super) voided: &'static str,
    pub(super) buyer: &'static str,
    pub(super) tax_number: &'static str,
    pub(super) number: &'static str,
    pub(super) issued: &'static str,
    pub(super) operation: &'static str,
    pub(super) period: &'static str,
    pub(super) due: &'static str,
    pub(super) order: &'static str,
    pub(super) contract: &'static str,
    pub(super) reference: &'static str,
    pub(super) corrects: &'static str,
    pub(super) differences: &'static str,
    pub(super) substitution: &'static str,
    pub(super) description: &'static str,
    pub(super) quantity: &'static str,
    pub(super) price: &'static str,
    pub(super) price_with_tax: &'static str,
    pub(super) discount: &'static str,
    pub(super) tax: &'static str,
    pub(super) amount: &'static str,
    pub(super) carried: &'static str,
    pub(super) brought: &'static str,
    pub(super) rate: &'static str,
    pub(super) base: &'static str,
    pub(super) quota: &'static str,
    pub(super) surcharge: &'static str,
    pub(super) lines: &'static str,
    pub(super) document_discount: &'static str,
    pub(super) charges: &'static str,
    pub(super) taxable: &'static str,
    pub(super) taxes: &'static str,
    pub(super) total: &'static str,
    pub(super) withholding: &'static str,
    pub(super) rounding: &'static str,
    pub(super) paid: &'static str,
    pub(super) to_pay: &'static str,
    pub(super) exchange: &'static str,
    pub(super) payment: &'static str,
    pub(super) remittance: &'static str,
    pub(super) notes: &'static str,
    pub(super) page: &'static str,
    pub(super) of: &'static str,
    /// Above and below the QR code. These are fixed by law, in Spanish.
    pub(super) qr_above: &'static str,
    pub(super) qr_below: &'static str,
}

const SPANISH: Texts = Texts {
    invoice: "Factura",
    simplified: "Factura simplificada",
    corrective: "Factura rectificativa",
    proforma: "Factura proforma",
    quote: "Presupuesto",
    draft: "BORRADOR",
    voided: "ANULADA",
    buyer: "Cliente",
    tax_number: "NIF",
    number: "Número",
    issued: "Fecha",
    operation: "Fecha de operación",
    period: "Periodo",
    due: "Vencimiento",
    order: "Pedido",
    contract: "Contrato",
    reference: "Referencia",
    corrects: "Rectifica",
    differences: "por diferencias",
    substitution: "por sustitución",
    description: "Descripción",
    quantity: "Cantidad",
    price: "Precio",
    price_with_tax: "Precio (imp. incl.)",
    discount: "Dto.",
    tax: "Impuesto",
    amount: "Importe",
    carried: "Suma y sigue",
    brought: "Suma anterior",
    rate: "Tipo",
    base: "Base imponible",
    quota: "Cuota",
    surcharge: "Rec. equiv.",
    lines: "Suma de líneas",
    document_discount: "Descuento",
    charges: "Cargos",
    taxable: "Base imponible",
    taxes: "Impuestos",
    total: "Total",
    withholding: "Retención IRPF",
    rounding: "Redondeo",
    paid: "Pagado",
    to_pay: "A pagar",
    exchange: "Tipo de cambio",
    payment: "Forma de pago",
    remittance: "Concepto",
    notes: "Observaciones",
    page: "Página",
    of: "de",
    qr_above: "QR tributario:",
    qr_below: "VERI*FACTU",
};

const ENGLISH: Texts = Texts {
    invoice: "Invoice",
    simplified: "Simplified invoice",
    corrective: "Corrective invoice",
    proforma: "Proforma invoice",
    quote: "Quote",
    draft: "DRAFT",
    voided: "VOID",
    buyer: "Bill to",
    tax_number: "Tax no.",
    number: "Number",
    issued: "Date",
    operation: "Date of supply",
    period: "Period",
    due: "Due",
    order: "Your order",
    contract: "Contract",
    reference: "Your reference",
    corrects: "Corrects",
    differences: "by differences",
    substitution: "by substitution",
    description: "Description",
    quantity: "Quantity",
    price: "Price",
    price_with_tax: "Price (tax incl.)",
    discount: "Disc.",
    tax: "Tax",
    amount: "Amount",
    carried: "Carried forward",
    brought: "Brought forward",
    rate: "Rate",
    base: "Taxable",
    quota: "Tax",
    surcharge: "Surcharge",
    lines: "Sum of lines",
    document_discount: "Discount",
    charges: "Charges",
    taxable: "Taxable amount",
    taxes: "Tax",
    total: "Total",
    withholding: "Withholding (IRPF)",
    rounding: "Rounding",
    paid: "Paid",
    to_pay: "Amount due",
    exchange: "Exchange rate",
    payment: "Payment",
    remittance: "Reference",
    notes: "Notes",
    page: "Page",
    of: "of",
    qr_above: "QR tributario:",
    qr_below: "VERI*FACTU",
};

impl Texts {
    pub(super) const fn of(language: Language) -> &'static Self {
        match language {
            Language::Spanish => &SPANISH,
            Language::English => &ENGLISH,
        }
    }

    pub(super) const fn title(&self, kind: &Kind) -> &'static str {
        match kind {
            Kind::Invoice => self.invoice,
            Kind::Simplified => self.simplified,
            Kind::Corrective(_) => self.corrective,
            Kind::Proforma => self.proforma,
            Kind::Quote => self.quote,
        }
    }

    pub(super) const fn method(&self, method: CorrectionMethod) -> &'static str {
        match method {
            CorrectionMethod::Differences => self.differences,
            CorrectionMethod::Substitution => self.substitution,
        }
    }
}

/// What a tax is called.
pub(super) const fn category(language: Language, category: TaxCategory) -> &'static str {
    let (spanish, english) = match category {
        TaxCategory::Standard | TaxCategory::Zero => ("IVA", "VAT"),
        TaxCategory::Exempt => ("Exento", "Exempt"),
        TaxCategory::NotSubject => ("No sujeto", "Not subject"),
        TaxCategory::ReverseCharge => ("Inv. s. pasivo", "Reverse charge"),
        TaxCategory::IntraCommunity => ("Intracom.", "Intra-EU"),
        TaxCategory::Export => ("Exportación", "Export"),
        TaxCategory::Igic => ("IGIC", "IGIC"),
        TaxCategory::Ipsi => ("IPSI", "IPSI"),
    };
    match language {
        Language::Spanish => spanish,
        Language::English => english,
    }
}

/// What a means of payment is called.
pub(super) const fn means(language: Language, method: PaymentMethod) -> &'static str {
    let (spanish, english) = match method {
        PaymentMethod::Cash => ("Efectivo", "Cash"),
        PaymentMethod::Cheque => ("Cheque", "Cheque"),
        PaymentMethod::Transfer => ("Transferencia", "Bank transfer"),
        PaymentMethod::Card => ("Tarjeta", "Card"),
        PaymentMethod::DirectDebit => ("Domiciliación", "Direct debit"),
        PaymentMethod::Offset => ("Compensación", "Set-off"),
        PaymentMethod::Other => ("Otra", "Other"),
    };
    match language {
        Language::Spanish => spanish,
        Language::English => english,
    }
}
