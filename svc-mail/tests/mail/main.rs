//! Mail as it arrives: in a folder, and at a real mail server.

mod envelope;
mod folder;
mod guest;
mod smtp;

use svc_business::mail::{Attachment, Mail};

fn mail(id: &str, to: &str) -> Mail {
    Mail {
        id: id.to_owned(),
        from_name: "Ferretería Sol SL".to_owned(),
        reply_to: Some("hola@sol.example".parse().expect("an address")),
        to: vec![to.parse().expect("an address")],
        cc: vec!["copia@luna.example".parse().expect("an address")],
        subject: "Factura F2025-00001 de Ferretería Sol SL".to_owned(),
        text: "Hola:\n\nLe enviamos la factura.\n.\nUn saludo\n".to_owned(),
        attachments: vec![Attachment {
            name: "F2025-00001.pdf".to_owned(),
            media_type: "application/pdf",
            content: b"%PDF-1.7 \r\n.\r\n\x00\xff".to_vec(),
        }],
    }
}
