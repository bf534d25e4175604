use super::texts;

texts! {
    /// Deactivating a company, and making it work again.
    CompanyLife {
        deactivate: "Deactivate the company", "Desactivar la empresa";
        lead: "A deactivated company is kept as it is. This follows:", "Una empresa desactivada se conserva como está. Esto es lo que ocurre:";
        data: "Nothing of it can be added or changed any more, by people or by programs. All of it can be read.", "Nada suyo se puede añadir ni cambiar, ni por personas ni por programas. Todo se puede leer.";
        members: "Members: {}. They stay what they are, and see it as before.", "Miembros: {}. Siguen siendo lo que son y la ven como antes.";
        tokens: "Tokens and connections of assistants: {}. Those that have not ended go on reading; what they write is refused (409).", "Tokens y conexiones de asistentes: {}. Los que no hayan terminado siguen leyendo; lo que escriban se rechaza (409).";
        webhooks: "Webhooks: {}. Those that want account.delete are told of it, and then nothing happens that they could be told.", "Webhooks: {}. Los que piden account.delete reciben ese aviso y después ya no ocurre nada de lo que avisar.";
        books: "Its books are kept: the law asks for six years at least. A company is never erased.", "Su contabilidad se conserva: la ley exige al menos seis años. Una empresa nunca se borra.";
        back: "A holder or administrator can reactivate it at any time.", "Un titular o administrador puede reactivarla en cualquier momento.";
        is_off: "This company is deactivated.", "Esta empresa está desactivada.";
        reactivate: "Reactivate the company", "Reactivar la empresa";
        reactivate_lead: "It works as before: people, tokens, connections and webhooks are the same.", "Funcionará como antes: las personas, los tokens, las conexiones y los webhooks son los mismos.";
    }
}
