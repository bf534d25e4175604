//! Files as banks send them, written by us. No person, company or account in them exists.

/// Norma 43: a transfer with texts, a direct debit without, and a fee with its equivalent. Trailing spaces are cut off, as
/// many banks do.
pub(crate) const N43: &str = "\
112100041802000513322601012601312000000001000009783TALLERES EJEMPLO SL
22    0418260105260105042052000000001210000000000123F2025-00042 CLIENTE 0001
2301TRANSFERENCIA DE COMERCIAL INVENTADA  S.L. FACTURA F2025-00042
2302                                      GRACIAS
22    0418260110260111030381000000000080100000000000
22    0418260131260131177121000000000004500000000000            LIQ 31/01
2301COMISION MANTENIMIENTO
240184000000000000490
3321000418020005133200002000000000084600000100000000121000200000000212540978
88999999999999999999000009
";

/// camt.053.001.02: a transfer received, a direct debit paid, a batch of two, and one that is not booked yet.
pub(crate) const CAMT_02: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02">
 <BkToCstmrStmt>
  <GrpHdr><MsgId>20260131-1</MsgId><CreDtTm>2026-02-01T06:00:00</CreDtTm></GrpHdr>
  <Stmt>
   <Id>1</Id>
   <FrToDt><FrDtTm>2026-01-01T00:00:00</FrDtTm><ToDtTm>2026-01-31T23:59:59</ToDtTm></FrToDt>
   <Acct>
    <Id><IBAN>ES9121000418450200051332</IBAN></Id><Ccy>EUR</Ccy><Ownr><Nm>Talleres Ejemplo SL</Nm></Ownr>
   </Acct>
   <Bal>
    <Tp><CdOrPrtry><Cd>PRCD</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">1000.00</Amt><CdtDbtInd>CRDT</CdtDbtInd>
    <Dt><Dt>2025-12-31</Dt></Dt>
   </Bal>
   <Bal>
    <Tp><CdOrPrtry><Cd>CLBD</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">2459.90</Amt><CdtDbtInd>CRDT</CdtDbtInd>
    <Dt><Dt>2026-01-31</Dt></Dt>
   </Bal>
   <Ntry>
    <NtryRef>0001</NtryRef><Amt Ccy="EUR">1210.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts>
    <BookgDt><Dt>2026-01-05</Dt></BookgDt><ValDt><DtTm>2026-01-06T00:00:00+01:00</DtTm></ValDt>
    <AcctSvcrRef>SRV1</AcctSvcrRef>
    <BkTxCd>
     <Domn><Cd>PMNT</Cd><Fmly><Cd>RCDT</Cd><SubFmlyCd>ESCT</SubFmlyCd></Fmly></Domn><Prtry><Cd>04-205</Cd></Prtry>
    </BkTxCd>
    <NtryDtls><TxDtls>
     <Refs><EndToEndId>NOTPROVIDED</EndToEndId><TxId>TX1</TxId></Refs>
     <RltdPties>
      <Dbtr><Nm>Comercial Inventada &amp; Cía</Nm></Dbtr>
      <DbtrAcct><Id><IBAN>DE89370400440532013000</IBAN></Id></DbtrAcct>
      <Cdtr><Nm>Talleres Ejemplo SL</Nm></Cdtr>
      <CdtrAcct><Id><IBAN>ES9121000418450200051332</IBAN></Id></CdtrAcct>
     </RltdPties>
     <RmtInf>
      <Ustrd>Factura</Ustrd><Ustrd>F2025-00042</Ustrd>
      <Strd><CdtrRefInf><Ref>RF18539007547034</Ref></CdtrRefInf></Strd>
     </RmtInf>
    </TxDtls></NtryDtls>
    <AddtlNtryInf>Transferencia recibida</AddtlNtryInf>
   </Ntry>
   <Ntry>
    <Amt Ccy="EUR">50.1</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>2026-01-10</Dt></BookgDt>
    <BkTxCd><Prtry><Cd>03-038</Cd></Prtry></BkTxCd><AddtlNtryInf>Recibo luz</AddtlNtryInf>
   </Ntry>
   <Ntry>
    <Amt Ccy="EUR">300</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts><ValDt><Dt>2026-01-12</Dt></ValDt>
    <BkTxCd><Domn><Cd>PMNT</Cd><Fmly><Cd>RDDT</Cd><SubFmlyCd>ESDD</SubFmlyCd></Fmly></Domn></BkTxCd>
    <NtryDtls>
     <Btch><NbOfTxs>2</NbOfTxs></Btch>
     <TxDtls>
      <Refs><EndToEndId>E1</EndToEndId><MndtId>M1</MndtId></Refs>
      <AmtDtls><TxAmt><Amt Ccy="EUR">100.00</Amt></TxAmt></AmtDtls>
      <RltdPties><Dbtr><Nm>Socia Una</Nm></Dbtr></RltdPties>
     </TxDtls>
     <TxDtls>
      <Refs><EndToEndId>E2</EndToEndId></Refs>
      <AmtDtls><TxAmt><Amt Ccy="EUR">200.00</Amt></TxAmt></AmtDtls>
      <RltdPties><Dbtr><Nm>Socio Dos</Nm></Dbtr></RltdPties>
     </TxDtls>
    </NtryDtls>
   </Ntry>
   <Ntry>
    <Amt Ccy="EUR">9.99</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts>PDNG</Sts><BookgDt><Dt>2026-01-31</Dt></BookgDt>
   </Ntry>
  </Stmt>
 </BkToCstmrStmt>
</Document>
"#;

/// The same statement in camt.053.001.08.
pub(crate) fn camt_08() -> String {
    CAMT_02
        .replace("camt.053.001.02", "camt.053.001.08")
        .replace("<Sts>BOOK</Sts>", "<Sts><Cd>BOOK</Cd></Sts>")
        .replace("<Sts>PDNG</Sts>", "<Sts><Cd>PDNG</Cd></Sts>")
        .replace("<Dbtr><Nm>", "<Dbtr><Pty><Nm>")
        .replace("</Nm></Dbtr>", "</Nm></Pty></Dbtr>")
        .replace("<AmtDtls><TxAmt>", "")
        .replace("</TxAmt></AmtDtls>", "<CdtDbtInd>CRDT</CdtDbtInd>")
}

/// A table of a Spanish bank, newest first, with remarks above and below.
pub(crate) const CSV: &str = r#"Movimientos de la cuenta;;;;
Titular: TALLERES EJEMPLO SL;;;;

Fecha operación;Fecha valor;Concepto;Importe;Saldo
31/01/2026;31/01/2026;Comisión mantenimiento;-4,50;2.205,40
10/01/2026;11/01/2026;"Recibo ""luz""; enero";-0,10;2.209,90
05/01/2026;05/01/2026;Transferencia recibida;+1.210,00 €;2.210,00
;;;;
Saldos sujetos a revisión;;;;
"#;
