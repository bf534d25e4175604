//! Who sells, who buys, where to, and how it is paid.

use super::Sheet;
use crate::error::WriteError;
use crate::means;
use crate::model::{Address, Delivery, Party, PaymentMethod, TaxCategory};
use crate::xml::XmlWriter;

impl Sheet<'_> {
    pub(super) fn parties(&self, xml: &mut XmlWriter) -> Result<(), WriteError> {
        let seller = &self.invoice.seller;
        named(seller, "BT-27", "BT-40", "the name of the seller", "the country of the seller")?;
        if seller.tax_id().is_none() {
            return Err(WriteError::Missing { term: "BT-31", what: "the tax number of the seller" });
        }
        let buyer = self.invoice.buyer.as_ref();
        let buyer = buyer.ok_or(WriteError::Missing { term: "BT-44", what: "the buyer" })?;
        named(buyer, "BT-44", "BT-55", "the name of the buyer", "the country of the buyer")?;
        self.party(xml, "cac:AccountingSupplierParty", seller);
        self.party(xml, "cac:AccountingCustomerParty", buyer);
        Ok(())
    }

    fn party(&self, xml: &mut XmlWriter, role: &str, party: &Party) {
        let vat_number = party.vat_number.as_deref().filter(|_| !self.outside_vat);
        let registration = party.registration.as_deref();
        let registration = registration.or(if self.outside_vat { party.vat_number.as_deref() } else { None });
        xml.open(role);
        xml.open("cac:Party");
        if let Some(name) = &party.trade_name {
            xml.open("cac:PartyName");
            xml.leaf("cbc:Name", name);
            xml.close("cac:PartyName");
        }
        address(xml, &party.address);
        if let Some(number) = vat_number {
            xml.open("cac:PartyTaxScheme");
            xml.leaf("cbc:CompanyID", number);
            vat_scheme(xml);
            xml.close("cac:PartyTaxScheme");
        }
        xml.open("cac:PartyLegalEntity");
        xml.leaf("cbc:RegistrationName", &party.name);
        xml.optional("cbc:CompanyID", registration);
        xml.close("cac:PartyLegalEntity");
        if party.email.is_some() || party.phone.is_some() {
            xml.open("cac:Contact");
            xml.optional("cbc:Telephone", party.phone.as_deref());
            xml.optional("cbc:ElectronicMail", party.email.as_deref());
            xml.close("cac:Contact");
        }
        xml.close("cac:Party");
        xml.close(role);
    }

    /// A supply within the Union must say when and where to (BR-IC-11, BR-IC-12).
    pub(super) fn delivery(&self, xml: &mut XmlWriter) -> Result<(), WriteError> {
        let invoice = self.invoice;
        let within = invoice.taxes.iter().any(|tax| tax.tax.category == TaxCategory::IntraCommunity);
        let Delivery { mut date, mut country } = invoice.delivery.clone().unwrap_or_default();
        if within {
            date = date.or(invoice.operation_date).or(Some(self.issued));
            country = country.or_else(|| invoice.buyer.as_ref().map(|buyer| buyer.address.country.clone()));
            if country.as_ref().is_none_or(String::is_empty) {
                return Err(WriteError::Missing { term: "BT-80", what: "the country of the delivery" });
            }
        }
        if date.is_none() && country.is_none() {
            return Ok(());
        }
        xml.open("cac:Delivery");
        xml.optional("cbc:ActualDeliveryDate", date.map(|date| date.to_string()).as_deref());
        if let Some(country) = country {
            xml.open("cac:DeliveryLocation");
            xml.open("cac:Address");
            country_of(xml, &country);
            xml.close("cac:Address");
            xml.close("cac:DeliveryLocation");
        }
        xml.close("cac:Delivery");
        Ok(())
    }

    pub(super) fn payment(&self, xml: &mut XmlWriter) {
        let payment = &self.invoice.payment;
        let due = payment.due_date.filter(|_| self.is_credit).map(|date| date.to_string());
        // A transfer without an account has no code of its own (BR-61).
        let method =
            payment.method.filter(|method| *method != PaymentMethod::Transfer || payment.iban.is_some());
        if payment.method.is_some() || payment.iban.is_some() || payment.remittance.is_some() || due.is_some()
        {
            xml.open("cac:PaymentMeans");
            xml.leaf("cbc:PaymentMeansCode", means::code(method.unwrap_or(PaymentMethod::Other)));
            xml.optional("cbc:PaymentDueDate", due.as_deref());
            xml.optional("cbc:PaymentID", payment.remittance.as_deref());
            if let Some(iban) = &payment.iban {
                xml.open("cac:PayeeFinancialAccount");
                xml.leaf("cbc:ID", iban);
                if let Some(bic) = &payment.bic {
                    xml.open("cac:FinancialInstitutionBranch");
                    xml.leaf("cbc:ID", bic);
                    xml.close("cac:FinancialInstitutionBranch");
                }
                xml.close("cac:PayeeFinancialAccount");
            }
            xml.close("cac:PaymentMeans");
        }
        if let Some(terms) = &payment.terms {
            xml.open("cac:PaymentTerms");
            xml.leaf("cbc:Note", terms);
            xml.close("cac:PaymentTerms");
        }
    }
}

fn named(
    party: &Party,
    name: &'static str,
    country: &'static str,
    what_name: &'static str,
    what_country: &'static str,
) -> Result<(), WriteError> {
    if party.name.is_empty() {
        return Err(WriteError::Missing { term: name, what: what_name });
    }
    if party.address.country.is_empty() {
        return Err(WriteError::Missing { term: country, what: what_country });
    }
    Ok(())
}

fn address(xml: &mut XmlWriter, address: &Address) {
    xml.open("cac:PostalAddress");
    xml.optional("cbc:StreetName", address.street.as_deref());
    xml.optional("cbc:AdditionalStreetName", address.extra.as_deref());
    xml.optional("cbc:CityName", address.city.as_deref());
    xml.optional("cbc:PostalZone", address.postcode.as_deref());
    xml.optional("cbc:CountrySubentity", address.province.as_deref());
    country_of(xml, &address.country);
    xml.close("cac:PostalAddress");
}

fn country_of(xml: &mut XmlWriter, country: &str) {
    xml.open("cac:Country");
    xml.leaf("cbc:IdentificationCode", country);
    xml.close("cac:Country");
}

pub(super) fn vat_scheme(xml: &mut XmlWriter) {
    xml.open("cac:TaxScheme");
    xml.leaf("cbc:ID", "VAT");
    xml.close("cac:TaxScheme");
}
