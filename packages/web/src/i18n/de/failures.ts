import type { Translation } from '../locale.ts'

export const failures: Translation<'failures', 'de'> = {
  why: 'Warum',
  next: 'Was jetzt hilft',
  classes: {
    timeout: {
      name: 'Hat zu lange gedauert',
      why: 'Es hat zu lange gedauert und wurde abgebrochen.',
      next: 'Der Assistent kann es noch einmal versuchen. Sonst frag später wieder.',
    },
    rate_limited: {
      name: 'Bitte langsamer',
      why: 'Der Dienst hat uns gebeten, langsamer zu machen.',
      next: 'Der Assistent kann es gleich noch einmal versuchen. Sonst frag später wieder.',
    },
    service_unavailable: {
      name: 'Dienst nicht verfügbar',
      why: 'Der Dienst ist gerade nicht erreichbar oder gestört.',
      next: 'Der Assistent kann es noch einmal versuchen. Sonst frag später wieder.',
    },
    model_unreachable: {
      name: 'KI-Modell nicht erreicht',
      why: 'Das KI-Modell war nicht erreichbar.',
      next: 'Prüfe deine Verbindung und die Einstellungen des Modells und versuch es dann noch einmal.',
    },
    quota_exhausted: {
      name: 'Aufgebraucht',
      why: 'Ein Tarif, ein Guthaben oder ein Budget ist aufgebraucht.',
      next: 'Lade es auf oder wähle einen anderen Tarif oder ein anderes Modell.',
    },
    bad_credentials: {
      name: 'Anmeldung nicht angenommen',
      why: 'Die Anmeldung fehlt, ist abgelaufen oder reicht dafür nicht aus.',
      next: 'Verbinde das Konto neu.',
    },
    not_connected: {
      name: 'Nicht verbunden',
      why: 'Diese App ist noch nicht verbunden.',
      next: 'Verbinde sie und frag dann noch einmal.',
    },
    missing_permission: {
      name: 'Berechtigung fehlt',
      why: 'Hier fehlt eine Berechtigung, oder das Element wurde nicht freigegeben.',
      next: 'Erteile die Berechtigung oder gib das Element frei und frag dann noch einmal.',
    },
    missing_app: {
      name: 'Programm fehlt',
      why: 'Ein Programm, das dafür nötig ist, ist nicht da.',
      next: 'Installiere oder starte das Programm und frag dann noch einmal.',
    },
    blocked_by_policy: {
      name: 'Von deinen Einstellungen nicht erlaubt',
      why: 'Deine Sicherheitseinstellungen erlauben das nicht.',
      next: 'Ändere die Sicherheitseinstellungen, wenn du es möchtest.',
    },
    denied_by_user: {
      name: 'Du hast Nein gesagt',
      why: 'Du hast dazu Nein gesagt.',
      next: 'Nichts zu tun. Frag noch einmal, wenn du es dir anders überlegst.',
    },
    approval_expired: {
      name: 'Keine Antwort in der Zeit',
      why: 'Niemand hat die Freigabe rechtzeitig beantwortet.',
      next: 'Frag noch einmal, wenn du es möchtest. Von selbst wird es nicht wiederholt.',
    },
    not_found: {
      name: 'Nicht gefunden',
      why: 'Was genannt wurde, gibt es nicht.',
      next: 'Nichts zu tun. Der Assistent sucht den richtigen Namen.',
    },
    invalid_input: {
      name: 'Angaben nicht angenommen',
      why: 'Die Angaben der Anfrage wurden nicht angenommen.',
      next: 'Nichts zu tun. Der Assistent berichtigt sie.',
    },
    conflict: {
      name: 'Widerspruch',
      why: 'Es passt nicht zum jetzigen Stand der Dinge.',
      next: 'Nichts zu tun. Der Assistent sieht sich den Stand noch einmal an.',
    },
    unsupported: {
      name: 'Hier nicht möglich',
      why: 'So geht es hier nicht.',
      next: 'Es braucht einen anderen Weg. Manches muss man von Hand machen.',
    },
    too_large: {
      name: 'Zu groß',
      why: 'Es ist zu groß.',
      next: 'Nichts zu tun. Der Assistent nimmt einen kleineren Teil.',
    },
    command_failed: {
      name: 'Befehl fehlgeschlagen',
      why: 'Der Befehl lief und meldete einen Fehler.',
      next: 'Nichts zu tun. Der Assistent liest, was gemeldet wurde.',
    },
    interrupted: {
      name: 'Unterbrochen',
      why: 'Es brach ab, bevor das Ergebnis feststand; vielleicht ist es geschehen, vielleicht nicht.',
      next: 'Sieh nach, bevor du es wiederholst.',
    },
    cancelled: {
      name: 'Angehalten',
      why: 'Es wurde angehalten.',
      next: 'Nichts zu tun.',
    },
    unknown: {
      name: 'Fehlgeschlagen',
      why: 'Etwas ist fehlgeschlagen, ohne zu sagen, warum.',
      next: 'Versuch es noch einmal. Wenn es weiter fehlschlägt, starte die Diagnose.',
    },
  },
  model: {
    timeout: {
      why: 'Das KI-Modell hat zu lange für die Antwort gebraucht.',
      next: 'Versuch es noch einmal. Wenn es öfter vorkommt, wähle ein schnelleres Modell.',
    },
    rate_limited: {
      why: 'Der Anbieter des KI-Modells hat uns gebeten, langsamer zu machen.',
      next: 'Warte einen Moment und versuch es dann noch einmal.',
    },
    quota_exhausted: {
      why: 'Das Guthaben oder der Tarif beim Anbieter des KI-Modells ist aufgebraucht.',
      next: 'Lade es auf oder wähle ein anderes Modell.',
    },
    bad_credentials: {
      why: 'Der Anbieter des KI-Modells hat den Schlüssel nicht angenommen.',
      next: 'Prüfe den Schlüssel in den Einstellungen des Modells.',
    },
    not_found: {
      why: 'Der Anbieter kennt dieses KI-Modell nicht.',
      next: 'Prüfe den Namen in den Einstellungen des Modells oder wähle ein anderes Modell.',
    },
    invalid_input: {
      why: 'Der Anbieter des KI-Modells hat die Anfrage nicht angenommen.',
      next: 'Versuch es in einer neuen Unterhaltung noch einmal oder wähle ein anderes Modell.',
    },
    too_large: {
      why: 'Die Unterhaltung ist zu lang für dieses KI-Modell.',
      next: 'Beginne eine neue Unterhaltung oder wähle ein Modell, das längere verträgt.',
    },
    unsupported: {
      why: 'Dieses KI-Modell kann das nicht.',
      next: 'Wähle ein Modell, das es kann.',
    },
    blocked_by_policy: {
      why: 'Der Anbieter des KI-Modells hat es abgelehnt, darauf zu antworten.',
      next: 'Formuliere die Bitte anders oder wähle ein anderes Modell.',
    },
  },
  details: {
    'agent-halted': {
      why: 'Der Agent {{agent}} wurde angehalten, weil er nicht vorankam.',
      next: 'Bitte anders darum oder um einen kleineren Teil.',
    },
    'agent-capped': {
      why: 'Der Agent {{agent}} erreichte seine Grenze, bevor er fertig war.',
      next: 'Lass ihn weitermachen oder bitte um einen kleineren Teil.',
    },
    'agent-nested': {
      why: 'Der Agent {{agent}} wurde nicht gestartet: So tief dürfen Agenten nicht verschachtelt sein.',
      next: 'Nichts zu tun. Der Assistent macht diesen Teil selbst.',
    },
    'empty-reply': {
      why: 'Das KI-Modell hat nichts geantwortet.',
      next: 'Versuch es noch einmal. Wenn es öfter vorkommt, wähle ein anderes Modell.',
    },
    limit: {
      why: 'Die Grenze für diese Anfrage ist erreicht.',
      next: 'Bitte um einen kleineren Teil oder erhöhe die Grenze.',
    },
    'model-address': {
      why: 'Die Adresse nennt kein Modell.',
      next: 'Schreiben Sie das Modell hinter ein #: http://127.0.0.1:4000/v1#llama.',
    },
    'model-name': {
      why: 'Das ist kein Name eines Modells.',
      next: 'Schreiben Sie anbieter/modell, zum Beispiel openai/gpt-6-sol, oder die Adresse eines Servers.',
    },
    'model-key': {
      why: 'Der Schlüssel für dieses KI-Modell fehlt.',
      next: 'Tragen Sie ihn in den Modelleinstellungen ein.',
    },
    'model-silent': {
      why: 'An der Adresse dieses KI-Modells antwortet nichts.',
      next: 'Prüfe, ob der Server läuft, und Host und Port.',
    },
    'model-host': {
      why: 'Der Name in der Adresse dieses KI-Modells ist im Netz nicht bekannt.',
      next: 'Prüfe, wie die Adresse geschrieben ist.',
    },
    'model-insecure': {
      why: 'Es gibt keine sichere Verbindung zu diesem KI-Modell: Sein Zertifikat wird nicht angenommen, oder es spricht kein TLS.',
      next: 'Prüfe das Zertifikat des Servers, oder ob die Adresse mit http:// beginnen soll.',
    },
    'model-page': {
      why: 'An dieser Adresse antwortet eine Webseite, kein KI-Modell.',
      next: 'Prüfe die Adresse: Sie endet oft auf /v1.',
    },
    'images-unsupported': {
      why: 'Dieses KI-Modell kann keine Bilder ansehen.',
      next: 'Wähle ein Modell, das Bilder sehen kann, oder beschreibe das Bild in Worten.',
    },
    'files-unsupported': {
      why: 'Dieses KI-Modell kann Dateien dieser Art nicht lesen.',
      next: 'Wähle ein Modell, das es kann, oder schicke den Inhalt als Text.',
    },
    'attachment-too-large': {
      why: 'Die Dateien dieser Nachricht sind zu groß oder zu viele.',
      next: 'Schick sie noch einmal mit weniger oder kleineren Dateien.',
    },
    'attachment-unreadable': {
      why: 'Eine Datei dieser Nachricht konnte nicht gelesen werden. Vielleicht ist sie beschädigt oder mit einem Passwort geschützt.',
      next: 'Speichere sie neu ohne Passwort oder schicke den Inhalt als Text.',
    },
    'day-limit': {
      why: 'Die hier festgelegte Grenze von {{amount}} pro Tag ist aufgebraucht.',
      next: 'Erhöhe sie in den Einstellungen unter Ausgaben oder warte bis morgen. Mitglieder können den Besitzer fragen.',
    },
    'month-limit': {
      why: 'Die hier festgelegte Grenze von {{amount}} pro Monat ist aufgebraucht.',
      next: 'Erhöhe sie in den Einstellungen unter Ausgaben oder warte auf den nächsten Monat. Mitglieder können den Besitzer fragen.',
    },
    'gave-up': {
      why: 'Das wurde immer wieder unterbrochen und deshalb nicht noch einmal versucht.',
      next: 'Sieh oben nach, was getan wurde, und bitte um den Rest in kleineren Teilen.',
    },
    'done-already': {
      why: 'Dasselbe ist bei dieser Anfrage schon geschehen und wurde darum nicht wiederholt.',
      next: 'Wenn es noch einmal geschehen soll, schreib das in einer neuen Nachricht.',
    },
  },
  tried: 'Es wurde {{tries}}-mal versucht.',
  ended: {
    later: 'Versuch es später noch einmal.',
    otherwise: 'Versuch es noch einmal oder bitte anders darum.',
  },
  allow: {
    why: '{{action}} gehört zu „{{kind}}“, und das ist in {{name}} ausgeschaltet.',
    next: 'Erlaube „{{kind}}“ in {{name}}, hier oder unter Verbindungen.',
    button: '„{{kind}}“ in {{name}} erlauben',
    done: '„{{kind}}“ ist jetzt in {{name}} erlaubt. Der nächste Versuch scheitert nicht mehr daran.',
  },
  buttons: {
    connect: 'Verbinden',
    reconnect: 'Neu verbinden',
    allow: 'Erlauben',
    retry: 'Noch einmal versuchen',
    openSettings: 'Einstellungen öffnen',
    runDiagnostics: 'Diagnose starten',
  },
}
