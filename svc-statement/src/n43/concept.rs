//! The common concepts of the norm.

/// What a common concept is called, by its two digits.
pub(super) fn name(code: &str) -> Option<&'static str> {
    Some(match code {
        "01" => "Talones y reintegros",
        "02" => "Abonarés, entregas e ingresos",
        "03" => "Domiciliaciones, recibos, letras y pagos por su cuenta",
        "04" => "Giros, transferencias, traspasos y cheques",
        "05" => "Amortización de préstamos y créditos",
        "06" => "Remesas de efectos",
        "07" => "Suscripciones, dividendos pasivos y canjes",
        "08" => "Dividendos y cupones, prima de junta y amortizaciones",
        "09" => "Operaciones de bolsa y compraventa de valores",
        "10" => "Cheques gasolina",
        "11" => "Cajero automático",
        "12" => "Tarjetas de crédito y de débito",
        "13" => "Operaciones con el extranjero",
        "14" => "Devoluciones e impagados",
        "15" => "Nóminas y seguros sociales",
        "16" => "Timbres, corretaje y póliza",
        "17" => "Intereses, comisiones, custodia, gastos e impuestos",
        "98" => "Anulaciones y correcciones de asiento",
        "99" => "Varios",
        _ => return None,
    })
}
