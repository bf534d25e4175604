use super::texts;

texts! {
    /// What assistants wait for.
    Approvals {
        title: "Approvals", "Aprobaciones";
        lead: "What your assistants ask you to approve. Each is for one call, just as it is shown, and ends after five minutes.", "Lo que sus asistentes le piden aprobar. Cada una vale para una sola acción, tal como se muestra, y caduca a los cinco minutos.";
        none: "No assistant waits for you.", "Ningún asistente le espera.";
        what: "What", "Qué";
        company: "Company", "Empresa";
        client: "Assistant", "Asistente";
        until: "Until", "Hasta";
        asks: "{} asks you to approve this:", "{} le pide aprobar esto:";
        record: "What it is about", "De qué se trata";
        added: "What the assistant gives", "Lo que indica el asistente";
        asked_at: "Asked at", "Pedido a las";
        warning: "It is done as it is shown, once. What strangers wrote may stand among it: it decides nothing.", "Se hace tal como se muestra, una vez. Puede contener textos escritos por otros: no deciden nada.";
        approve: "Approve", "Aprobar";
        decline: "Decline", "Rechazar";
        choose: "Approve it or decline it.", "Apruébelo o rechácelo.";
        approved: "You approved it. Tell the assistant to go on: it has five minutes from your approval.", "Lo ha aprobado. Diga al asistente que continúe: tiene cinco minutos desde su aprobación.";
        declined: "You declined it. Nothing was done.", "Lo ha rechazado. No se ha hecho nada.";
        used: "It was approved, and the assistant went on.", "Se aprobó y el asistente continuó.";
        ended: "It has ended, and nothing was done. The assistant can ask again.", "Ha caducado y no se ha hecho nada. El asistente puede pedirlo de nuevo.";
        invoice_issue: "Issue a sales document", "Emitir un documento de venta";
        invoice_cancel: "Void a sales document", "Anular un documento de venta";
        journal_entry_post: "Post a journal entry", "Contabilizar un asiento";
        webhook_manage: "Change a webhook subscription", "Cambiar una suscripción de webhook";
        record_delete: "Erase a record", "Borrar un registro";
        tax_return_submit: "Say that a tax return was filed", "Anotar que se presentó una declaración";
        data_room_share: "Add a file to the data room", "Añadir un archivo a la sala de datos";
        envelope_send: "Send an envelope to be signed", "Enviar un sobre a firmar";
        way: "What exactly", "Qué exactamente";
        create: "Create", "Crear";
        update: "Change", "Cambiar";
        delete: "Delete", "Borrar";
        contact: "A contact", "Un contacto";
        invoice: "A draft of a sales document", "Un borrador de documento de venta";
        journal_entry: "A draft of a journal entry", "Un borrador de asiento";
        fixed_asset: "A draft of a fixed asset", "Un borrador de inmovilizado";
        doc_type: "Type of document", "Tipo de documento";
        number: "Number", "Número";
        customer: "Customer", "Cliente";
        total: "Total", "Total";
        payable: "To pay", "A pagar";
        issue_date: "Date of issue", "Fecha de emisión";
        due_date: "Due date", "Vencimiento";
        reference: "Reference", "Referencia";
        line: "Line", "Línea";
        address: "Postal address", "Domicilio";
        date: "Date", "Fecha";
        description: "Description", "Descripción";
        amount: "Amount", "Importe";
        name: "Name", "Nombre";
        url: "Address", "Dirección";
        events: "Events", "Eventos";
        active: "Switched on", "Activado";
        kind: "Kind", "Clase";
        roles: "Roles", "Roles";
        tax_id: "Tax number", "NIF";
        email: "E-mail", "Correo electrónico";
        code: "Code", "Código";
        asset_class: "Class of asset", "Clase de inmovilizado";
        acquisition_date: "Bought on", "Fecha de adquisición";
        cost: "Cost", "Coste";
        reason: "Reason", "Motivo";
        series: "Series", "Serie";
        late_tax: "Tax of a declared period is declared late", "Impuesto de un periodo declarado, fuera de plazo";
        model: "Model", "Modelo";
        period: "Period", "Periodo";
        days: "Days", "Días";
        result: "Result", "Resultado";
        parties: "Parties declared", "Terceros declarados";
        stale: "The books changed since", "Los libros han cambiado desde entonces";
        notice: "To be looked at", "A revisar";
        channel: "Filed by", "Presentada por";
        receipt: "Receipt number", "Número de justificante";
        submitted_at: "Filed at", "Presentada el";
        media_type: "Type of file", "Tipo de archivo";
        size: "Bytes", "Bytes";
        version: "Version", "Versión";
        personal: "Contains personal data", "Contiene datos personales";
        section: "Section", "Sección";
        title_of: "Title", "Título";
        downloadable: "Can be downloaded", "Se puede descargar";
        expires_at: "Until", "Hasta";
        subject: "Subject", "Asunto";
        message: "Message", "Mensaje";
        order: "Order of signing", "Orden de firma";
        language: "Language", "Idioma";
        reminders: "Days between reminders", "Días entre recordatorios";
        signer: "Signer", "Firmante";
        file: "File", "Archivo";
        in_flight: "Attempts at a time", "Intentos a la vez";
    }
}

impl Approvals {
    /// What a tool does, in words; its name where the pages do not know it.
    pub(crate) fn tool(&self, name: &str) -> String {
        let told = match name {
            "invoice_issue" => self.invoice_issue,
            "invoice_cancel" => self.invoice_cancel,
            "journal_entry_post" => self.journal_entry_post,
            "webhook_manage" => self.webhook_manage,
            "record_delete" => self.record_delete,
            "tax_return_submit" => self.tax_return_submit,
            "data_room_share" => self.data_room_share,
            "envelope_send" => self.envelope_send,
            other => other,
        };
        told.to_owned()
    }

    /// Which of several things a tool does.
    pub(crate) fn way<'a>(&self, name: &'a str) -> &'a str {
        match name {
            "create" => self.create,
            "update" => self.update,
            "delete" => self.delete,
            "contact" => self.contact,
            "invoice" => self.invoice,
            "journal_entry" => self.journal_entry,
            "fixed_asset" => self.fixed_asset,
            other => other,
        }
    }

    /// What a member is called; its own name where the pages do not know it.
    pub(crate) fn label<'a>(&self, name: &'a str) -> &'a str {
        match name {
            "company" => self.company,
            "way" => self.way,
            "docType" => self.doc_type,
            "number" => self.number,
            "customer.name" => self.customer,
            "customer.address.line1" => self.address,
            "totals.total" => self.total,
            "totals.payable" => self.payable,
            "issueDate" => self.issue_date,
            "dueDate" => self.due_date,
            "reference" => self.reference,
            "line" => self.line,
            "date" => self.date,
            "description" => self.description,
            "totalDebit" => self.amount,
            "name" => self.name,
            "url" => self.url,
            "events" => self.events,
            "active" => self.active,
            "kind" => self.kind,
            "roles" => self.roles,
            "taxId" | "customer.taxId" => self.tax_id,
            "email" => self.email,
            "code" => self.code,
            "assetClass" => self.asset_class,
            "acquisitionDate" => self.acquisition_date,
            "cost" => self.cost,
            "reason" => self.reason,
            "seriesId" => self.series,
            "acceptLateTax" => self.late_tax,
            "maxInFlight" => self.in_flight,
            other => self.label_of_file(other),
        }
    }
    /// What a member of a return, a file or an envelope is called.
    fn label_of_file<'a>(&self, name: &'a str) -> &'a str {
        match name {
            "model" => self.model,
            "period" => self.period,
            "from" => self.days,
            "result.type" => self.result,
            "partyCount" => self.parties,
            "isStale" => self.stale,
            "warning" => self.notice,
            "channel" => self.channel,
            "receiptNumber" => self.receipt,
            "submittedAt" => self.submitted_at,
            "mimeType" => self.media_type,
            "size" => self.size,
            "versionNumber" | "fileVersion" => self.version,
            "containsPersonalData" => self.personal,
            "section" => self.section,
            "title" => self.title_of,
            "downloadable" => self.downloadable,
            "expiresAt" => self.expires_at,
            "subject" => self.subject,
            "message" => self.message,
            "order" => self.order,
            "language" => self.language,
            "reminderEveryDays" => self.reminders,
            "signer" => self.signer,
            "file" | "fileId" => self.file,
            other => other,
        }
    }
}
