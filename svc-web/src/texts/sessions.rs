use super::texts;

texts! {
    /// Where one is signed in.
    Sessions {
        title: "Sessions", "Sesiones";
        lead: "Where you are signed in. Is there one that you do not know? End it, and change your password.", "Dónde ha iniciado sesión. ¿Hay alguna que no reconoce? Termínela y cambie su contraseña.";
        browser: "Browser", "Navegador";
        from: "Address", "Dirección";
        began: "Signed in", "Inicio";
        used: "Last used", "Último uso";
        ends: "Ends", "Termina";
        present: "This one", "Esta";
        end: "End", "Terminar";
        end_of: "End the session of {}", "Terminar la sesión de {}";
        ended: "The session has ended.", "La sesión ha terminado.";
        end_all: "Sign out everywhere", "Cerrar todas las sesiones";
        end_all_text: "Ends every session, this one included.", "Termina todas las sesiones, incluida esta.";
        connections: "Assistants", "Asistentes";
        connections_lead: "Assistants that you connected. One that you end is refused from its next call on, and does not come back.", "Asistentes que usted ha conectado. El que termine se rechaza desde su próxima llamada y no vuelve.";
        assistant: "Assistant", "Asistente";
        role: "May do", "Puede";
        company: "Company", "Empresa";
        state: "State", "Estado";
        disconnect: "Disconnect", "Desconectar";
        disconnect_of: "Disconnect {}", "Desconectar {}";
        disconnected: "The assistant is disconnected.", "El asistente está desconectado.";
        browser_on: "{} on {}", "{} en {}";
        unknown: "Unknown browser", "Navegador desconocido";
    }
}
