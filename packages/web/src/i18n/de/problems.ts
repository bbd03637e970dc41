import type { Translation } from '../locale.ts'

export const problems: Translation<'problems', 'de'> = {
  codes: {
    invalid: 'Etwas an deiner Eingabe wurde nicht angenommen.',
    signed_out: 'Du bist abgemeldet. Öffne den Anmeldelink noch einmal.',
    forbidden: 'Das ist nicht erlaubt.',
    login_again: 'Melde dich zuerst erneut an: Diese Änderung betrifft den Computer, auf dem Capstan läuft.',
    not_found: 'Das gibt es nicht oder nicht mehr.',
    conflict: 'Es hat sich inzwischen geändert. Sieh noch einmal nach und versuch es dann erneut.',
    held: 'Alles ist angehalten. Gib es frei und sende die Nachricht dann noch einmal.',
    too_large: 'Es ist zu groß.',
    rate_limited: 'Das war etwas zu schnell. Warte einen Moment und versuch es dann noch einmal.',
    limit_reached: 'Du hast eine Grenze erreicht, die der Besitzer für dich festgelegt hat.',
    unavailable: 'Das ist gerade nicht verfügbar. Versuch es gleich noch einmal.',
    internal:
      'Bei uns ist etwas schiefgegangen. Versuch es noch einmal; wenn es öfter vorkommt, starte die Diagnose.',
  },
  other: 'Das hat nicht geklappt. Versuch es noch einmal.',
  offline: 'Capstan ist nicht erreichbar. Prüfe, ob es läuft.',
  'needs-card': 'Für diese Frage reicht ein Wort nicht. Beantworte sie auf ihrer Karte.',
  'storage-full':
    'Du hast allen Platz verbraucht, den dir der Besitzer gibt. Lösche Unterhaltungen, die du nicht mehr brauchst; Dateien und lange Ausgaben brauchen am meisten.',
  fields: {
    'not-absolute': 'Gib den ganzen Pfad ein, zum Beispiel /home/du/Dokumente.',
    'not-a-folder': '„{{value}}“ ist kein Ordner, der gelesen werden kann.',
    'own-data': '„{{value}}“ enthält die eigenen Daten von Capstan. Wähle einen anderen Ordner.',
    'not-a-host': '„{{value}}“ ist kein Host. Gib einen wie example.com oder *.example.com ein.',
    'host-too-wide': '„{{value}}“ umfasst Hosts von jedermann. Nenne eine eigene Domain.',
    'no-host': 'Nenne mindestens einen Host.',
    'too-many': 'Höchstens {{most}} sind möglich.',
    length: 'Gib {{least}} bis {{most}} Zeichen ein.',
    'bad-name': 'Nur Buchstaben, Ziffern, Punkte, Bindestriche und Unterstriche, höchstens {{most}}.',
    taken: '„{{value}}“ gibt es schon.',
    'not-a-key': 'Das sieht nicht wie ein Schlüssel aus.',
    'when-unclear':
      'Das ist nicht klar. Schreib es auf Englisch, etwa „every weekday at 8“ oder „every 2 hours“, oder gib eine Cron-Zeile mit fünf Feldern ein.',
    'when-no-time': 'Schreib dazu, um welche Uhrzeit, etwa „at 8:00“.',
    'when-mixed': 'Die Uhrzeiten haben verschiedene Minuten. Leg für jede einen eigenen Zeitplan an.',
    'when-often': 'Das ist zu oft. Häufiger als alle 15 Minuten geht es nicht.',
    'when-never': 'Diese Zeit kommt nie.',
    'bad-zone': 'Diese Zeitzone gibt es nicht. Gib einen Namen wie Europe/Berlin ein.',
    'not-a-variable': '„{{value}}“ ist kein Name einer Variable. Gib nur den Namen ein, ohne den Wert.',
  },
  checks: {
    node: {
      name: 'Node.js',
      about: 'Die Version, auf der Capstan läuft.',
    },
    store: {
      name: 'Gespeicherte Daten',
      about: 'Ob Unterhaltungen gelesen und geschrieben werden können.',
    },
    disk: {
      name: 'Speicherplatz',
      about: 'Ob Platz für neue Daten da ist.',
    },
    model: {
      name: 'KI-Modell',
      about: 'Ob das gewählte Modell benutzt werden kann.',
    },
    apps: {
      name: 'Verbundene Apps',
      about: 'Ob deine Apps erreichbar sind.',
    },
    sandbox: {
      name: 'Abschottung',
      about: 'Ob sich Befehle und Programme auf diesem Computer abschotten lassen.',
    },
    'demo-app': {
      name: 'Demo-App',
      about: 'Ob die mitgelieferte App Notes läuft.',
    },
    'web-app': {
      name: 'Web-App',
      about: 'Ob diese Seiten vollständig sind.',
    },
    embeddings: {
      name: 'Einbettungsmodell',
      about: 'Ob das Gedächtnis auch nach der Bedeutung durchsucht wird.',
    },
    clock: {
      name: 'Uhr',
      about: 'Ob die Zeit dieses Computers stimmt.',
    },
  },
  states: {
    ok: 'Alles gut',
    warning: 'Einen Blick wert',
    failed: 'Braucht Aufmerksamkeit',
  },
  findings: {
    node: 'Node {{version}}.',
    store: 'Die Daten in {{folder}} können gelesen und geschrieben werden.',
    'store-replaced': 'Die gespeicherten Daten wurden beim Start ersetzt: {{detail}}',
    disk: '{{size}} frei.',
    model: '{{model}} ist eingerichtet.',
    'model-demo': 'Das Demomodell mit festem Text ist in Gebrauch.',
    'model-unusable': 'Das gewählte Modell kann nicht benutzt werden: {{detail}}',
    apps: 'Bekannte Apps: {{known}}, verbunden: {{connected}}.',
    'apps-unsure': 'Bekannte Apps: {{known}}, verbunden: {{connected}}. Einige konnten nicht gefragt werden.',
    'apps-broken': 'Bekannte Apps: {{known}}, verbunden: {{connected}}. Nicht benutzbar: {{names}}.',
    sandbox: 'Programme sind eingeschränkt: Ein Testprogramm konnte den Datenordner nicht sehen.',
    'sandbox-off': 'Programme laufen uneingeschränkt, mit allen Rechten dieses Benutzers.',
    'sandbox-unavailable': 'Programme können hier nicht eingeschränkt werden: {{detail}}',
    'sandbox-unlimited':
      'Programme sind eingeschränkt, aber nichts begrenzt, wie viele Prozesse sie auf einmal starten.',
    demo: 'Notes antwortet unter {{address}}.',
    'demo-off': 'Sie ist ausgeschaltet.',
    'demo-silent': 'Notes antwortet nicht.',
    web: 'Sie ist gebaut.',
    'web-elsewhere': 'Sie wird nicht von hier ausgeliefert.',
    'web-missing': 'Sie ist nicht gebaut.',
    embeddings: '{{model}} ist eingerichtet. {{done}} von {{total}} Einträgen im Gedächtnis haben Vektoren.',
    'embeddings-off': 'Keines ist gewählt. Das Gedächtnis wird nach Wörtern durchsucht.',
    'embeddings-failing':
      '{{done}} von {{total}} Einträgen im Gedächtnis haben Vektoren von {{model}}. Der letzte Versuch ist gescheitert: {{detail}}',
    'embeddings-unusable': 'Das gewählte Einbettungsmodell kann nicht verwendet werden: {{detail}}',
    clock: 'Die Uhr zeigt {{time}}.',
    'clock-behind': 'Die Uhr zeigt {{time}}, aber eine Unterhaltung stammt von später.',
    unchecked: 'Das konnte nicht geprüft werden: {{detail}}',
  },
  remedies: {
    node: 'Installiere Node {{oldest}} oder neuer.',
    store: 'Sieh in den Ordner „backups“, wenn etwas fehlt.',
    'disk-soon': 'Schaffe Platz auf der Festplatte, bevor sie voll ist.',
    'disk-now': 'Schaffe Platz auf der Festplatte: Bald kann nichts mehr gespeichert werden.',
    model: 'In den Einstellungen kannst du es testen.',
    'model-demo':
      'Gib in den Einstellungen den Schlüssel eines Anbieters ein oder starte Ollama, um mit einem echten Modell zu sprechen.',
    'model-unusable': 'Wähle in den Einstellungen ein anderes Modell oder gib seinen Schlüssel ein.',
    'apps-unsure': 'Versuche es gleich noch einmal.',
    'apps-broken': 'Verbinde sie unter Verbindungen neu.',
    sandbox:
      'Bis bubblewrap funktioniert, werden Befehle und Programme abgelehnt. „npx capstan doctor“ sagt, was fehlt.',
    'sandbox-unlimited':
      'Capstan als normaler Benutzer ausführen, ihm eine beschreibbare cgroup geben (systemd: Delegate=yes) oder Linux ab 6.14 verwenden.',
    restart: 'Starte den Server neu.',
    'embeddings-unusable':
      'Wählen Sie in den Einstellungen ein anderes Einbettungsmodell, oder geben Sie seinen Schlüssel ein.',
    clock: 'Stelle die Uhr dieses Computers: Anmeldungen und Freigaben richten sich nach ihr.',
  },
}
