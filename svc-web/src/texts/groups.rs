use super::texts;

texts! {
    /// Groups of companies.
    Groups {
        title: "Groups", "Grupos";
        none: "None of your companies is in a group.", "Ninguna de sus empresas está en un grupo.";
        none_text: "A group has a company at its top and others below. Tokens can name a group, and reach what joins it later.", "Un grupo tiene una empresa en cabeza y otras por debajo. Los tokens pueden nombrar un grupo y alcanzan lo que se incorpore después.";
        new: "Make a group", "Crear un grupo";
        name: "Name", "Nombre";
        parent: "Company at its top", "Empresa en cabeza";
        parent_hint: "It is in no group yet, and decides about this one from now on.", "Todavía no está en ningún grupo y decidirá sobre este desde ahora.";
        companies: "Companies", "Empresas";
        share: "Share of the group, in percent", "Participación del grupo, en porcentaje";
        share_short: "Share", "Participación";
        share_hint: "May be left out. At most two decimals.", "Puede dejarse en blanco. Como mucho dos decimales.";
        since: "Since", "Desde";
        top: "At the top", "En cabeza";
        choose: "Choose a company", "Elija una empresa";
        no_company: "Choose a company.", "Elija una empresa.";
        add: "Add a company", "Añadir una empresa";
        add_hint: "Tokens that name the group reach it from then on.", "Los tokens que nombran el grupo la alcanzan desde entonces.";
        add_none: "You hold or administer no other company.", "No es titular ni administrador de otra empresa.";
        remove: "Take out", "Sacar";
        remove_hint: "Tokens that name the group stop reaching a company that is taken out. The company at the top leaves last.", "Los tokens que nombran el grupo dejan de alcanzar la empresa que se saca. La empresa en cabeza sale la última.";
        rename: "Rename", "Cambiar el nombre";
        dissolve: "Dissolve the group", "Disolver el grupo";
        dissolve_text: "Every company leaves it and stays as it is. Tokens that name the group reach none of them by it any more. There is no way back but to make it anew.", "Todas las empresas salen y siguen como están. Los tokens que nombran el grupo ya no las alcanzan por él. Solo se deshace creándolo de nuevo.";
        decides: "Holders and administrators of the company at the top decide about the group.", "Sobre el grupo deciden los titulares y administradores de la empresa en cabeza.";
    }
}
