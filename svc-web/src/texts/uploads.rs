use super::texts;

texts! {
    /// The page behind a link for an upload.
    Uploads {
        title: "Upload a file", "Subir un archivo";
        asks: "{} asked for a file of this company.", "{} pidió un archivo de esta empresa.";
        name: "It will be called", "Se llamará";
        until: "The address works until", "La dirección vale hasta las";
        file: "File", "Archivo";
        most: "At most {}.", "Como máximo, {}.";
        submit: "Upload", "Subir";
        stored: "The file is stored. You can close this page.", "El archivo está guardado. Puede cerrar esta página.";
        too_large: "The file is too large.", "El archivo es demasiado grande.";
        empty: "Choose a file that is not empty. If it is not, ask your assistant for another address.", "Elija un archivo que no esté vacío. Si no lo está, pida otra dirección a su asistente.";
        used: "Another file was uploaded here already. Ask your assistant for another address.", "Aquí ya se subió otro archivo. Pida otra dirección a su asistente.";
        not_taken: "The file was not taken. Try again, or ask your assistant for another address.", "El archivo no se aceptó. Inténtelo de nuevo o pida otra dirección a su asistente.";
        over_title: "This address takes no file", "Esta dirección no acepta archivos";
        over_text: "It works for fifteen minutes, and only while the assistant that asked for it is connected. Ask your assistant for another one.", "Vale quince minutos, y solo mientras el asistente que la pidió está conectado. Pida otra a su asistente.";
    }
}
