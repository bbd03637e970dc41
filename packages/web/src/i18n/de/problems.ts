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
}
