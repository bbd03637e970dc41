import type { Translation } from '../locale.ts'

export const people: Translation<'people', 'de'> = {
  logins: {
    title: 'Anmeldungen',
    description: 'Browser, die in deinem Namen angemeldet sind. Melde die ab, die du nicht kennst.',
    unknown: 'Unbekanntes Gerät',
    thisOne: 'Dieser Browser',
    lastUse: 'Zuletzt benutzt:',
    firstUse: 'Erste Anmeldung:',
    end: '{{device}} abmelden',
    ended: '{{device}} wurde abgemeldet.',
    endOthers: 'Alle anderen abmelden',
    othersEnded: 'Alle anderen Browser wurden abgemeldet.',
  },
  members: {
    title: 'Personen',
    description:
      'Mitglieder haben eigene Unterhaltungen und Verbindungen. Einen Ordner oder Server von dir können sie nur benutzen, wenn du ihn teilst.',
    empty: 'Außer dir benutzt niemand diese Installation.',
    name: 'Name des neuen Mitglieds',
    add: 'Mitglied hinzufügen',
    link: 'Schick diesen Link an {{user}}. Er funktioniert einmal, innerhalb einer Stunde.',
    linkLocalOnly:
      'Eine andere Adresse dieses Servers ist nicht bekannt, deshalb funktioniert der Link nur auf diesem Computer. Starte Capstan mit --origin, um eine Adresse anzugeben.',
    newLink: 'Neuer Anmeldelink für {{user}}',
    neverUsed: 'noch nie angemeldet',
    remove: '{{user}} entfernen',
    removeTitle: '{{user}} entfernen?',
    removeText:
      '{{user}} wird sofort abgemeldet, und laufende Aufgaben werden gestoppt. Die Unterhaltungen bleiben gespeichert.',
    removeConfirm: 'Entfernen',
    removed: '{{user}} wurde entfernt.',
    limits: 'Grenzen für {{user}}',
    turnsAtOnce: 'Gleichzeitige Aufgaben',
    messagesPerMinute: 'Nachrichten pro Minute',
    threads: 'Gespeicherte Unterhaltungen',
    storedMegabytes: 'Gespeicherte Daten in Megabyte',
    stored: '{{size}} gespeichert',
    save: 'Grenzen speichern',
    saved: 'Die Grenzen für {{user}} wurden gespeichert.',
  },
  spending: {
    title: 'Ausgaben',
    description:
      'Was alle Unterhaltungen zusammen für KI-Modelle ausgeben dürfen, Unteragenten eingeschlossen. Tage und Monate gelten in UTC.',
    usdPerDay: 'US-Dollar pro Tag',
    usdPerMonth: 'US-Dollar pro Monat',
    tokensPerDay: 'Tokens pro Tag',
    tokensPerMonth: 'Tokens pro Monat',
    used: 'Heute: {{day}}. Diesen Monat: {{month}}.',
    empty: 'Leer: keine Grenze',
    save: 'Grenzen speichern',
    saved: 'Die Grenzen wurden gespeichert.',
    byOwner: 'Der Besitzer dieser Installation legt diese Grenzen fest.',
  },
  loginAgain: {
    title: 'Erneut anmelden',
    text: 'Diese Änderung betrifft den Computer, auf dem Capstan läuft. Um zu zeigen, dass du es bist, führe dort diesen Befehl aus:',
    paste: 'Er gibt einen Link aus. Füge den Link hier ein, oder öffne ihn in diesem Browser.',
    field: 'Anmeldelink',
    submit: 'Anmelden und fortfahren',
    opened: 'Ich habe den Link geöffnet',
    wrong:
      'Dieser Link funktioniert nicht mehr oder gehört jemand anderem. Führe den Befehl noch einmal aus.',
  },
  ofOwner: {
    model: 'Das Modell wählt der Besitzer dieser Installation.',
    folders: 'Der Besitzer teilt diese Ordner mit dir.',
    noFolders: 'Der Besitzer teilt keine Ordner mit dir.',
    fullMode: 'Nur der Besitzer kann diesen Modus benutzen.',
  },
  share: {
    folder: '{{folder}} mit Mitgliedern teilen',
    server: 'Mit Mitgliedern teilen',
    serverHint: 'Mitglieder können diesen Server dann mit den Rechten dieses Computers benutzen.',
    failed: 'Das konnte nicht geteilt werden. {{reason}}',
  },
}
