//! Who sells, who buys, when, and how it is paid.

use rust_decimal::Decimal;
use svc_core::money::Amount;

use super::{AGREEMENT, DELIVERY, SETTLEMENT};
use crate::assembly::is_person;
use crate::error::ReadError;
use crate::means;
use crate::model::{Address, BaseCurrency, Delivery, Invoice, Party, Payment, Period, Preceding, References};
use crate::xml::Place;

pub(super) fn read(root: &Place<'_>, invoice: &mut Invoice) -> Result<(), ReadError> {
    invoice.seller = party(root, "SellerTradeParty", ["BG-4", "BT-27", "BT-40"]).unwrap_or_default();
    if invoice.seller.tax_id().is_none() {
        root.lacks(&format!("{AGREEMENT}/SellerTradeParty/SpecifiedTaxRegistration/ID"), "BT-31");
    }
    invoice.buyer = party(root, "BuyerTradeParty", ["BG-7", "BT-44", "BT-55"]);
    invoice.references = References {
        buyer: root.text(&format!("{AGREEMENT}/BuyerReference")),
        order: root.text(&format!("{AGREEMENT}/BuyerOrderReferencedDocument/IssuerAssignedID")),
        contract: root.text(&format!("{AGREEMENT}/ContractReferencedDocument/IssuerAssignedID")),
    };
    let date =
        root.date(&format!("{DELIVERY}/ActualDeliverySupplyChainEvent/OccurrenceDateTime/DateTimeString"))?;
    let country = root.text(&format!("{DELIVERY}/ShipToTradeParty/PostalTradeAddress/CountryID"));
    invoice.delivery = (date.is_some() || country.is_some()).then_some(Delivery { date, country });
    if let Some(settlement) = root.at(SETTLEMENT) {
        settle(&settlement, invoice)?;
    } else {
        root.lacks(SETTLEMENT, "BG-22");
    }
    Ok(())
}

fn settle(place: &Place<'_>, invoice: &mut Invoice) -> Result<(), ReadError> {
    let period = "BillingSpecifiedPeriod";
    let start = place.date(&format!("{period}/StartDateTime/DateTimeString"))?;
    let end = place.date(&format!("{period}/EndDateTime/DateTimeString"))?;
    invoice.period = start.zip(end).map(|(start, end)| Period { start, end });
    invoice.operation_date = place.date("ApplicableTradeTax/TaxPointDate/DateString")?;
    let means = "SpecifiedTradeSettlementPaymentMeans";
    let account = format!("{means}/PayeePartyCreditorFinancialAccount");
    let iban =
        place.text(&format!("{account}/IBANID")).or_else(|| place.text(&format!("{account}/ProprietaryID")));
    invoice.payment = Payment {
        due_date: place.date("SpecifiedTradePaymentTerms/DueDateDateTime/DateTimeString")?,
        terms: place.text("SpecifiedTradePaymentTerms/Description"),
        method: place.text(&format!("{means}/TypeCode")).map(|code| means::method(&code)),
        iban: iban.map(|account| account.replace(' ', "")),
        bic: place.text(&format!("{means}/PayeeSpecifiedCreditorFinancialInstitution/BICID")),
        remittance: place.text("PaymentReference"),
    };
    if let Some(base) = place.currency("TaxCurrencyCode")?.filter(|base| *base != invoice.currency) {
        let sums = place.all_in("SpecifiedTradeSettlementHeaderMonetarySummation", "TaxTotalAmount");
        let own = sums.iter().find(|sum| sum.node.attribute("currencyID") == Some(base.code()));
        let tax = match own {
            Some(sum) => sum.own_amount(base)?,
            None => Amount::zero(base),
        };
        invoice.base = Some(BaseCurrency { currency: base, rate: Decimal::ZERO, tax });
    }
    Ok(())
}

/// A party, and the terms of itself, its name and its country.
fn party(root: &Place<'_>, name: &str, terms: [&'static str; 3]) -> Option<Party> {
    let [term, name_term, country_term] = terms;
    let path = format!("{AGREEMENT}/{name}");
    let Some(place) = root.at(&path) else {
        root.lacks(&path, term);
        return None;
    };
    let registrations = place.all("SpecifiedTaxRegistration");
    let number = |scheme: &str| {
        let id = registrations
            .iter()
            .filter_map(|one| one.at("ID"))
            .find(|id| id.node.attribute("schemeID") == Some(scheme));
        id.and_then(|id| id.node.text().map(str::to_owned))
    };
    let contact = "DefinedTradeContact";
    let mut party = Party {
        name: place.needed("Name", name_term),
        trade_name: place.text("SpecifiedLegalOrganization/TradingBusinessName"),
        is_person: false,
        vat_number: number("VA"),
        registration: place.text("SpecifiedLegalOrganization/ID").or_else(|| number("FC")),
        address: Address {
            street: place.text("PostalTradeAddress/LineOne"),
            extra: place.text("PostalTradeAddress/LineTwo"),
            city: place.text("PostalTradeAddress/CityName"),
            postcode: place.text("PostalTradeAddress/PostcodeCode"),
            province: place.text("PostalTradeAddress/CountrySubDivisionName"),
            country: place.needed("PostalTradeAddress/CountryID", country_term),
        },
        email: place.text(&format!("{contact}/EmailURIUniversalCommunication/URIID")),
        phone: place.text(&format!("{contact}/TelephoneUniversalCommunication/CompleteNumber")),
    };
    party.is_person = is_person(&party);
    Some(party)
}

pub(super) fn preceding(root: &Place<'_>) -> Result<Vec<Preceding>, ReadError> {
    let mut all = Vec::new();
    for place in root.all_in(SETTLEMENT, "InvoiceReferencedDocument") {
        let number = place.needed("IssuerAssignedID", "BT-25");
        all.push(Preceding { number, date: place.date("FormattedIssueDateTime/DateTimeString")? });
    }
    Ok(all)
}
