import type { Vocabulary } from './vocabulary.ts'

export const ITALIAN: Vocabulary = {
  approvalExpired: String.raw`
    (?:approvazione|conferma).{0,40}scadut`,
  deniedByUser: String.raw`
    l'utente ha (?:rifiutato|negato)
    (?:rifiutat|negat)[oa] dall'utente`,
  policy: String.raw`
    (?:bloccat|vietat|negat|impedit).{0,68}(?:criteri|politica|policy|amministratore)
    politica.{0,68}(?:blocca|vieta|impedisce|non consente)`,
  missingApp: String.raw`
    non installat
    comando non trovato
    non è installat
    non è riconosciuto come
    deve essere installat`,
  certificate: 'certificato\nconnessione ssl',
  timeout: String.raw`
    tempo.{0,30}(?:scadut|esaurit|superat)
    (?:connessione|richiesta|operazione) (?:è )?scaduta
    a causa di timeout`,
  quota: String.raw`
    (?:credito|saldo|quota|crediti|limite (?:mensile|giornaliero)).{0,40}(?:insufficient|esaurit|superat|raggiunt)
    pagamento richiesto`,
  rateLimit: String.raw`
    troppe (?:richieste|chiamate)
    troppi tentativi
    limite di (?:richieste|frequenza)`,
  tooLarge: String.raw`
    troppo (?:grande|lung|grosso|estes)
    (?:supera|eccede).{0,40}(?:dimension|massim|limite)
    memoria (?:esaurita|insufficiente)
    allocare memoria`,
  notConnected: String.raw`
    non (?:è |è ancora )?(?:stato )?(?:connesso|connessa|collegat)
    (?:collega|connetti).{0,38}(?:account|prima)
    nessun account (?:connesso|collegato)`,
  credentials: String.raw`
    (?:token|sessione|password|credenziali|chiave|autenticazione).{0,58}(?:scadut|non valid|errat|fallit|non riuscit|revocat|richiest)
    errore di autenticazione
    non autenticat
    non autorizzat[oa]\W*$
    (?:accedi|effettua).{0,20}(?:di nuovo|nuovamente|accesso|login)`,
  syntax: 'errore di sintassi',
  clash: 'serializzazione\nchiave esterna\ndeadlock',
  permission: String.raw`
    permess[oi] (?:negat|insufficient)
    accesso (?:negat|non consentit|vietat)
    autorizzazion\S+ (?:insufficient|negat|mancant)
    operazione non (?:permessa|consentita)
    non (?:hai|ha|dispone|si dispone) (?:\S+ ){0,4}(?:permess|autorizzazion|accesso|diritti)
    non (?:sei )?autorizzat[oa] a
    sola lettura
    essere proprietari
    non (?:è )?(?:stato )?condivis`,
  conflict: String.raw`
    già (?:in corso|conness|definit|in esecuzione)
    non è univoc|non univoc
    obsolet
    non è stato sottoposto completamente
    esist\S+ già
    già (?:in uso|esistent|presente|registrat|utilizzat)
    chiave duplicat
    valore chiave duplicato
    occupat[oa]
    non vuota
    conflitt
    sovrascritt
    non è stato eseguito il merge
    cronologie non correlate`,
  unreachable: String.raw`
    socket .{0,30}non è connesso
    pipe interrotta
    (?:abort|interruzion)\w* (?:della |di )?connession
    host sconosciuto
    connessione .{0,40}(?:rifiutat|interrott|fallit|non riuscit|persa|chius)
    impossibile (?:connettersi|contattare|raggiungere|risolvere|stabilire|recuperare)
    non (?:è )?(?:disponibile|raggiungibile|attivo)
    in manutenzione
    errore interno
    nome o servizio
    risoluzione del nome
    nessun instradamento
    si sta avviando`,
  notFound: String.raw`
    nessun\S* \S+ trovat
    non è una directory
    nessuna regola
    revisione sconosciuta
    non (?:trovat|esist|è stat\S+ trovat|corrisponde ad alcun)
    inesistente
    impossibile trovare
    nessun (?:file|risultato|elemento|processo)
    non è un(?:a)? (?:repository|directory)`,
  unsupported: String.raw`
    non appropriat
    non (?:è )?(?:supportat|gestit|implementat|compatibile)
    eseguire il file binario
    formato eseguibile
    non è un comando`,
  cancelled: String.raw`
    interrott
    ^\W*terminato\W*$
    (?:operazione|richiesta|attività).{0,28}annullat
    annullat[oa]\W*$
    su richiesta dell'utente`,
  invalid: String.raw`
    \berrat[oaie]\b
    (?:è |sono )?(?:richiest|necessari)[oaie]\b
    tropp[ie] (?!richieste|tentativi|chiamate)
    fuori (?:dall'intervallo|dai limiti|intervallo|dei limiti)
    deve (?:essere|avere|contenere)
    ambigu
    non definit
    non è un .{0,30}valid
    è una directory
    \bmanca\b
    (?<!errore )sconosciut
    non riconosciut
    non valid
    (?:campo|parametro|argomento|valore).{0,38}(?:obbligatori|richiest|mancant|errat)
    errore di sintassi
    opzione (?:sconosciuta|non)
    viola il vincolo
    formato .{0,20}errato`,
}
