import type { Vocabulary } from './vocabulary.ts'

export const GERMAN: Vocabulary = {
  approvalExpired: String.raw`
    (?:genehmigung|freigabe|bestätigung).{0,48}(?:abgelaufen|nicht rechtzeitig|zeitüberschreitung|verfallen|unbeantwortet)`,
  deniedByUser: String.raw`
    (?:benutzer|nutzer|anwender)\S* (?:hat |haben )?.{0,40}(?:abgelehnt|verweigert|zurückgewiesen|nicht zugestimmt)
    (?:vom|durch den|von der) (?:be)?(?:nutzer|person)\S* (?:abgelehnt|verweigert)`,
  policy: String.raw`
    richtlinie.{0,68}(?:blockiert|gesperrt|untersagt|verboten|verhindert|nicht (?:erlaubt|zulässig))
    (?:blockiert|gesperrt|untersagt|verhindert|verboten).{0,60}(?:richtlinie|administrator)
    vom administrator (?:deaktiviert|blockiert|gesperrt)`,
  missingApp: String.raw`
    (?:befehl|kommando|programm).{0,68}nicht gefunden
    befehl .{0,80}falsch geschrieben
    (?:befehl|kommando) nicht gefunden
    nicht installiert
    muss (?:erst |zuerst )?installiert werden`,
  certificate: 'zertifikat\nssl-verbindung',
  timeout: String.raw`
    zeitüberschreitung
    wartezeit.{0,40}abgelaufen
    zeit(?:limit|vorgabe|rahmen)?\b.{0,20}(?:überschritten|abgelaufen|erreicht)
    nicht rechtzeitig (?:geantwortet|abgeschlossen|reagiert)
    (?:dauert|dauerte) zu lange
    zu lange gedauert`,
  quota: String.raw`
    guthaben.{0,40}(?:aufgebraucht|nicht aus|erschöpft|zu niedrig|leer|reicht)
    (?:kontingent|monatslimit|tageslimit|speicherplatz|plattenplatz|quota).{0,40}(?:erschöpft|aufgebraucht|überschritten|erreicht|voll)
    zahlung erforderlich`,
  rateLimit: String.raw`
    zu viele (?:anfragen|aufrufe|versuche|nachrichten|anforderungen)
    (?:anfrage|raten|abruf|anforderungs)limit`,
  tooLarge: String.raw`
    zu (?:groß|gross|lang\b|umfangreich)
    (?:größe|länge|kontext).{0,48}(?:überschr|übersteigt)
    (?:übersteigt|überschreitet).{0,40}(?:größe|limit|länge|maxim)
    (?:haupt|arbeits)?speicher .{0,20}(?:verfügbar|aufgebraucht|erschöpft|voll)`,
  notConnected: String.raw`
    (?:konto|app|dienst|arbeitsbereich|integration|postfach).{0,38}nicht (?:verbunden|verknüpft)
    (?:ist|sind|wurde) (?:noch )?nicht (?:verbunden|verknüpft)
    (?:verbinde|verknüpfe).{0,48}(?:konto|zuerst|zunächst)
    (?:zuerst|zunächst|bitte) .{0,30}(?:verbinden|verknüpfen)`,
  credentials: String.raw`
    (?:token|sitzung|anmelde|passwor|kennwor|zugangsdaten|schlüssel|authentifizierung).{0,58}(?:abgelaufen|ungültig|falsch|fehlgeschlagen|widerrufen|erforderlich|nicht (?:mehr )?gültig|inkorrekt)
    anmeldung (?:fehlgeschlagen|erforderlich)
    fehler bei der (?:authentifizierung|anmeldung)
    (?:ungültige|falsche)\S* (?:anmelde|zugangs|passwor|kennwor|token|api-|schlüssel)
    nicht (?:angemeldet|authentifiziert|autorisiert)
    (?:erneut|neu|wieder) an(?:melden|zumelden)
    melden sie sich`,
  syntax: 'syntaxfehler',
  clash: 'serialisieren\nverklemmung\nfremdschlüssel',
  permission: String.raw`
    (?:keine?|fehlende?|unzureichende?|nicht genügend|ohne|nicht die)[nr]? (?:\S+ ){0,2}(?:berechtigung|rechte|zugriff)
    berechtigung.{0,38}(?:verweigert|fehlt|nur für|erforderlich)
    zugriff .{0,40}(?:verweigert|abgelehnt|nicht (?:erlaubt|gestattet))
    operation (?:ist )?nicht (?:erlaubt|gestattet|zulässig)
    nicht (?:die )?berechtigt
    nur lesbar
    schreibgeschützt
    read-only-transaktion
    nicht freigegeben`,
  conflict: String.raw`
    bereits (?:ausgeführt|verbunden|definiert|gestartet|geöffnet)
    nicht eindeutig
    veraltet
    nicht vollständig zusammengeführt
    existier\S* (?:bereits|schon)
    (?:bereits|schon) (?:vorhanden|vergeben|belegt|verwendet|in verwendung|registriert|benutzt|existiert)
    doppelte[rs]? schlüssel
    \bkonflikt
    nicht leer
    (?:ist|wird|sind) (?:gerade )?(?:gesperrt|belegt)
    \(busy\)
    überschrieben werden
    gleichzeitige[rn]? (?:aktualisierung|änderung)
    überschneidet
    nicht zusammen(?:geführte|hängende)`,
  unreachable: String.raw`
    abbruch der verbindung
    unbekannter (?:rechner|host)
    \bsocket\b.{0,20}nicht verbunden
    nicht an das netz
    verbindung.{0,68}(?:fehlgeschlagen|abgelehnt|verweigert|zurückgesetzt|unterbrochen|getrennt|nicht (?:möglich|hergestellt)|verloren)
    verbindungsaufbau.{0,60}(?:abgelehnt|fehlgeschlagen|verweigert)
    nicht (?:erreichbar|verfügbar|auflös|aufgelöst|aktiv)
    (?:vorübergehend|zur ?zeit|derzeit|momentan) (?:nicht|außer)
    wartungs
    namensauflösung
    name oder der dienst
    keine route
    interner (?:server)?fehler
    keine daten empfangen
    datenbanksystem startet`,
  notFound: String.raw`
    kein verzeichnis
    ist kein(?:e|en)? (?:git-repository|verzeichnis)
    keine regel
    kein(?:e)? (?:remote|server)
    nicht (?:gefunden|auffindbar|vorhanden)
    existier\S* nicht
    (?:gibt es|existiert) (?:hier )?(?:kein|nicht)
    kein(?:e|en)? .{0,40}gefunden
    kein(?:e|en)? solche
    unbekannter commit
    stimmt mit keinen
    kein git-repository
    ist kein verzeichnis`,
  unsupported: String.raw`
    gerätegrenzen
    unpassender
    nicht (?:\S+ )?(?:unterstützt|implementiert)
    nicht unterstützt
    (?:binärdatei|datei) nicht ausführen
    format der programmdatei
    kein git-befehl`,
  cancelled: String.raw`
    unterbroch
    unterbrechung
    ^\W*beendet\W*$
    (?:vorgang|operation|anfrage|ausführung|aktion|aufgabe|übertragung).{0,32}(?:abgebrochen|storniert)
    abgebrochen\W*$
    abbruch durch
    wegen benutzeraufforderung`,
  invalid: String.raw`
    wird benötigt
    (?:ist|sind) (?:\S+ ){0,2}notwendig
    (?:benötigt|erfordert|verlangt) (?:ein|genau|mindestens)
    zu viele (?!anfragen|aufrufe|versuche|nachrichten|anforderungen)
    außerhalb des (?:gültigen|zulässigen)
    muss (?:\S+ ){0,6}(?:sein|haben|enthalten|angegeben)
    mehrdeutig
    nicht definiert
    passt nicht
    ist kein(?:e)? gültig
    ist ein verzeichnis
    fehlende[rs]?\b
    unbekannt(?!e[rn]? (?:fehler|ausnahme))
    nicht erkannt
    ungültig
    fehlerhaft
    syntaxfehler
    pflichtfeld
    (?:muss|müssen) (?:\S+ ){0,4}(?:angegeben|ausgefüllt|sein|enthalten)
    erforderlich
    falsches format
    unbekannte option
    \bfehlt\b
    fehlende[rs]? (?:parameter|argument|wert|feld)
    verletzt (?:not-null|check)
    mehrdeutig`,
}
