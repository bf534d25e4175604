//! Code lists of Facturae.

use crate::model::{CorrectionReason, PaymentMethod, TaxCategory};

/// Countries, alpha-2 and alpha-3 code together (ISO 3166-1), as far as the schema has them.
const COUNTRIES: &str = "\
    ADAND AEARE AFAFG AGATG AIAIA ALALB AMARM AOAGO ARARG ASASM ATAUT AUAUS AWABW AZAZE BABIH BBBRB \
    BDBGD BEBEL BFBFA BGBGR BHBHR BIBDI BJBEN BMBMU BNBRN BOBOL BRBRA BSBHS BTBTN BWBWA BYBLR BZBLZ \
    CACAN CDCOD CFCAF CGCOG CHCHE CICIV CKCOK CLCHL CMCMR CNCHN COCOL CRCRI CUCUB CVCPV CYCYP CZCZE \
    DEDEU DJDJI DKDNK DMDMA DODOM DZDZA ECECU EEEST EGEGY EHESH ERERI ESESP ETETH FIFIN FJFJI FKFLK \
    FMFSM FOFRO FRFRA GAGAB GBGBR GDGRD GEGEO GFGUF GGGGY GHGHA GIGIB GLGRL GMGMB GNGIN GPGLP GQGNQ \
    GRGRC GTGTM GUGUM GWGNB GYGUY HKHKG HNHND HRHRV HTHTI HUHUN IDIDN IEIRL ILISR IMIMN ININD IQIRQ \
    IRIRN ISISL ITITA JEJEY JMJAM JOJOR JPJPN KEKEN KGKGZ KHKHM KIKIR KMCOM KNKNA KPPRK KRKOR KWKWT \
    KYCYM KZKAZ LALAO LBLBN LCLCA LILIE LKLKA LRLBR LSLSO LTLTU LULUX LVLVA LYLBY MAMAR MCMCO MDMDA \
    MEMNE MGMDG MHMHL MKMKD MLMLI MMMMR MNMNG MOMAC MPMNP MQMTQ MRMRT MSMSR MTMLT MUMUS MVMDV MWMWI \
    MXMEX MYMYS MZMOZ NANAM NCNCL NENER NFNFK NGNGA NINIC NLNLD NONOR NPNPL NRNRU NUNIU NZNZL OMOMN \
    PAPAN PEPER PFPYF PGPNG PHPHL PKPAK PLPOL PMSPM PNPCN PRPRI PSPSE PTPRT PWPLW PYPRY QAQAT REREU \
    ROROU RSSRB RURUS RWRWA SASAU SBSLB SCSYC SDSDN SESWE SGSGP SHSHN SISVN SJSJM SKSVK SLSLE SMSMR \
    SNSEN SOSOM SRSUR STSTP SVSLV SYSYR SZSWZ TCTCA TDTCD TGTGO THTHA TJTJK TKTKL TLTLS TMTKM TNTUN \
    TOTON TRTUR TTTTO TVTUV TWTWN TZTZA UAUKR UGUGA USUSA UYURY UZUZB VAVAT VCVCT VEVEN VGVGB VIVIR \
    VNVNM VUVUT WFWLF WSWSM YEYEM YTMYT ZAZAF ZMZMB ZWZWE";

/// Member states of the European Union.
const UNION: [&str; 27] = [
    "AT", "BE", "BG", "CY", "CZ", "DE", "DK", "EE", "ES", "FI", "FR", "GR", "HR", "HU", "IE", "IT", "LT",
    "LU", "LV", "MT", "NL", "PL", "PT", "RO", "SE", "SI", "SK",
];

/// Units of measure and their codes of UN/ECE recommendation 20.
const UNITS: [(&str, &str); 32] = [
    ("01", "C62"),
    ("02", "HUR"),
    ("03", "KGM"),
    ("04", "LTR"),
    ("06", "XBX"),
    ("07", "XDS"),
    ("08", "XBA"),
    ("09", "XJY"),
    ("10", "XBG"),
    ("11", "XCO"),
    ("12", "XBO"),
    ("13", "XCI"),
    ("15", "CLT"),
    ("16", "CMT"),
    ("17", "XBI"),
    ("18", "DZN"),
    ("19", "XCS"),
    ("20", "XDJ"),
    ("21", "GRM"),
    ("22", "KMT"),
    ("23", "XCA"),
    ("24", "XBH"),
    ("25", "MTR"),
    ("26", "MMT"),
    ("28", "XPK"),
    ("29", "PTN"),
    ("30", "XRO"),
    ("31", "XEN"),
    ("32", "XTB"),
    ("33", "MTQ"),
    ("35", "WTT"),
    ("36", "KWH"),
];
/// What units beyond the list become, there and here.
const OTHER_UNIT: (&str, &str) = ("05", "ZZ");

/// The three letters of a country's two.
pub(super) fn country(alpha_2: &str) -> Option<&'static str> {
    let found = COUNTRIES.split_whitespace().find(|pair| alpha_2.len() == 2 && pair.starts_with(alpha_2));
    found.and_then(|pair| pair.get(2..))
}

/// The two letters of a country's three.
pub(super) fn country_from(alpha_3: &str) -> Option<&'static str> {
    let found = COUNTRIES.split_whitespace().find(|pair| pair.get(2..) == Some(alpha_3));
    found.and_then(|pair| pair.get(..2))
}

/// Spain, the rest of the Union, the rest of the world.
pub(super) fn residence(country: &str) -> &'static str {
    match country {
        "ES" => "R",
        country if in_union(country) => "U",
        _ => "E",
    }
}

pub(super) fn in_union(country: &str) -> bool {
    UNION.contains(&country)
}

pub(super) fn unit(code: &str) -> &'static str {
    let code = if code.is_empty() { "C62" } else { code };
    UNITS.iter().find(|(_, rec20)| *rec20 == code).map_or(OTHER_UNIT.0, |(unit, _)| unit)
}

pub(super) fn unit_from(unit: &str) -> &'static str {
    UNITS.iter().find(|(code, _)| *code == unit).map_or(OTHER_UNIT.1, |(_, rec20)| rec20)
}

pub(super) const fn means(method: PaymentMethod) -> &'static str {
    match method {
        PaymentMethod::Cash => "01",
        PaymentMethod::DirectDebit => "02",
        PaymentMethod::Transfer => "04",
        PaymentMethod::Cheque => "11",
        PaymentMethod::Other => "13",
        PaymentMethod::Offset => "14",
        PaymentMethod::Card => "19",
    }
}

pub(super) fn means_from(code: &str) -> PaymentMethod {
    match code {
        "01" => PaymentMethod::Cash,
        "02" => PaymentMethod::DirectDebit,
        "04" => PaymentMethod::Transfer,
        "11" | "16" | "17" => PaymentMethod::Cheque,
        "14" => PaymentMethod::Offset,
        "19" => PaymentMethod::Card,
        _ => PaymentMethod::Other,
    }
}

/// The type of a tax.
pub(super) const fn tax_type(category: TaxCategory) -> &'static str {
    match category {
        TaxCategory::Ipsi => "02",
        TaxCategory::Igic => "03",
        TaxCategory::Standard
        | TaxCategory::Zero
        | TaxCategory::Exempt
        | TaxCategory::NotSubject
        | TaxCategory::ReverseCharge
        | TaxCategory::IntraCommunity
        | TaxCategory::Export => "01",
    }
}

/// The special taxable event: subject and exempt, or not subject.
pub(super) const fn event(category: TaxCategory) -> Option<&'static str> {
    match category {
        TaxCategory::Exempt | TaxCategory::IntraCommunity | TaxCategory::Export => Some("01"),
        TaxCategory::NotSubject => Some("02"),
        TaxCategory::ReverseCharge
        | TaxCategory::Standard
        | TaxCategory::Zero
        | TaxCategory::Igic
        | TaxCategory::Ipsi => None,
    }
}

/// Code and description of a reason; the schema knows no other texts.
pub(super) const fn reason(reason: Option<CorrectionReason>) -> (&'static str, &'static str) {
    match reason {
        Some(CorrectionReason::R1) => ("80", "Cálculo de cuotas repercutidas"),
        Some(CorrectionReason::R2 | CorrectionReason::R3) => (
            "85",
            "Base imponible modificada cuotas repercutidas no satisfechas. Auto de declaración de concurso",
        ),
        Some(CorrectionReason::R4 | CorrectionReason::R5) | None => ("16", "Base imponible"),
    }
}
