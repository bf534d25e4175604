use super::texts;
use svc_business::account::LegalForm;

texts! {
    /// The data of a company.
    CompanyData {
        title: "Company data", "Datos de la empresa";
        lead: "They stand on invoices and other documents from now on. What was issued keeps what it had.", "Figuran en facturas y demás documentos desde ahora. Lo ya emitido conserva lo que tenía.";
        legal_name: "Registered name", "Razón social";
        trade_name: "Trade name", "Nombre comercial";
        legal_form: "Legal form", "Forma jurídica";
        tax_id: "Tax ID", "NIF";
        address: "Fiscal address", "Domicilio fiscal";
        line1: "Street and number", "Calle y número";
        line2: "Floor, door", "Piso, puerta";
        postal_code: "Postal code", "Código postal";
        city: "City", "Población";
        province: "Province", "Provincia";
        country: "Country", "País";
        country_hint: "Two letters, such as ES.", "Dos letras, como ES.";
        contact: "How it is reached", "Contacto";
        phone: "Phone", "Teléfono";
        phone_hint: "With the code of the country: +34600123456.", "Con el prefijo del país: +34600123456.";
        email: "E-mail address", "Correo electrónico";
        website: "Web site", "Sitio web";
        settings: "Settings", "Ajustes";
        language: "Language of documents", "Idioma de los documentos";
        language_hint: "A tag such as es or en.", "Un código como es o en.";
        timezone: "Time zone", "Zona horaria";
        timezone_hint: "A name such as Europe/Madrid.", "Un nombre como Europe/Madrid.";
        base_currency: "Currency of the books", "Moneda de la contabilidad";
        base_currency_hint: "Three letters. It stays once something is posted, issued or approved.", "Tres letras. Ya no cambia cuando hay algo contabilizado, emitido o aprobado.";
        external_id: "Own id", "Identificador propio";
        external_id_hint: "By which another program knows the company.", "Con el que otro programa conoce la empresa.";
        currency_frozen: "It stays as it is: something is posted, issued or approved in it.", "Ya no cambia: hay algo contabilizado, emitido o aprobado.";
        save: "Save", "Guardar";
        saved: "The data are saved.", "Los datos se han guardado.";
        conflict: "Another person or program changed the company meanwhile. Nothing was saved. Below is what you typed: save again to put it over the change, or open the page anew to see that first.", "Otra persona o programa cambió la empresa mientras tanto. No se ha guardado nada. Abajo está lo que escribió: guarde de nuevo para imponerlo o abra la página otra vez para ver antes el cambio.";
        masked: "Your role sees tax ID and phone masked, and no address.", "Su rol ve el NIF y el teléfono enmascarados, y no ve el domicilio.";
        closed: "The company is deactivated: it can be read and not changed.", "La empresa está desactivada: se puede leer, pero no cambiar.";
        none: "–", "–";
        sole_trader: "Sole trader", "Autónomo";
        sl: "Limited company (SL)", "Sociedad limitada (SL)";
        sa: "Public limited company (SA)", "Sociedad anónima (SA)";
        cooperative: "Cooperative", "Cooperativa";
        civil_partnership: "Civil partnership", "Sociedad civil";
        association: "Association", "Asociación";
        foundation: "Foundation", "Fundación";
        community_of_property: "Community of property", "Comunidad de bienes";
        other: "Other", "Otra";
    }
}

impl CompanyData {
    /// What a legal form is called.
    pub(crate) const fn form(&self, form: LegalForm) -> &'static str {
        match form {
            LegalForm::SoleTrader => self.sole_trader,
            LegalForm::Sl => self.sl,
            LegalForm::Sa => self.sa,
            LegalForm::Cooperative => self.cooperative,
            LegalForm::CivilPartnership => self.civil_partnership,
            LegalForm::Association => self.association,
            LegalForm::Foundation => self.foundation,
            LegalForm::CommunityOfProperty => self.community_of_property,
            LegalForm::Other => self.other,
        }
    }
}
