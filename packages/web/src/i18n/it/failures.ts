import type { Translation } from '../locale.ts'

export const failures: Translation<'failures', 'it'> = {
  why: 'Perché',
  next: 'Che cosa fare ora',
  classes: {
    timeout: {
      name: 'Troppo tempo',
      why: 'Ci è voluto troppo tempo ed è stato fermato.',
      next: 'L’assistente può riprovare. Altrimenti chiedi di nuovo più tardi.',
    },
    rate_limited: {
      name: 'Richiesto di rallentare',
      why: 'Il servizio ci ha chiesto di rallentare.',
      next: 'L’assistente può riprovare tra poco. Altrimenti chiedi di nuovo più tardi.',
    },
    service_unavailable: {
      name: 'Servizio non disponibile',
      why: 'Il servizio non è raggiungibile o al momento non funziona.',
      next: 'L’assistente può riprovare. Altrimenti chiedi di nuovo più tardi.',
    },
    model_unreachable: {
      name: 'Modello di IA non raggiunto',
      why: 'Non è stato possibile raggiungere il modello di IA.',
      next: 'Controlla la connessione e le impostazioni del modello, poi riprova.',
    },
    quota_exhausted: {
      name: 'Esaurito',
      why: 'Un piano, un credito o un budget è esaurito.',
      next: 'Ricaricalo, oppure scegli un altro piano o un altro modello.',
    },
    bad_credentials: {
      name: 'Accesso non accettato',
      why: 'L’accesso manca, è scaduto o non consente questa azione.',
      next: 'Ricollega l’account.',
    },
    not_connected: {
      name: 'Non collegata',
      why: 'Questa app non è ancora collegata.',
      next: 'Collegala, poi chiedi di nuovo.',
    },
    missing_permission: {
      name: 'Permesso mancante',
      why: 'Manca un permesso, oppure l’elemento non è stato condiviso.',
      next: 'Concedi il permesso o condividi l’elemento, poi chiedi di nuovo.',
    },
    missing_app: {
      name: 'Programma mancante',
      why: 'Manca un programma che serve.',
      next: 'Installa o avvia il programma, poi chiedi di nuovo.',
    },
    blocked_by_policy: {
      name: 'Non consentito dalle impostazioni',
      why: 'Le tue impostazioni di sicurezza non lo consentono.',
      next: 'Cambia le impostazioni di sicurezza, se lo desideri.',
    },
    denied_by_user: {
      name: 'Hai detto di no',
      why: 'A questo hai detto di no.',
      next: 'Niente da fare. Chiedi di nuovo se cambi idea.',
    },
    approval_expired: {
      name: 'Nessuna risposta in tempo',
      why: 'Nessuno ha risposto in tempo alla richiesta di approvazione.',
      next: 'Chiedi di nuovo quando vuoi. Non verrà ripetuto da solo.',
    },
    not_found: {
      name: 'Non trovato',
      why: 'Quello che è stato nominato non esiste.',
      next: 'Niente da fare. L’assistente cerca il nome giusto.',
    },
    invalid_input: {
      name: 'Dettagli non accettati',
      why: 'I dettagli della richiesta non sono stati accettati.',
      next: 'Niente da fare. L’assistente li corregge.',
    },
    conflict: {
      name: 'Contrasto',
      why: 'È in contrasto con lo stato attuale delle cose.',
      next: 'Niente da fare. L’assistente guarda di nuovo come stanno le cose.',
    },
    unsupported: {
      name: 'Qui non si può',
      why: 'Qui non si può fare in questo modo.',
      next: 'Serve un’altra strada. Alcune cose vanno fatte a mano.',
    },
    too_large: {
      name: 'Troppo grande',
      why: 'È troppo grande.',
      next: 'Niente da fare. L’assistente ne prende una parte più piccola.',
    },
    command_failed: {
      name: 'Comando non riuscito',
      why: 'Il comando è stato eseguito e ha segnalato un errore.',
      next: 'Niente da fare. L’assistente legge che cosa ha segnalato.',
    },
    interrupted: {
      name: 'Interrotto',
      why: 'Si è interrotto prima che si conoscesse il risultato: potrebbe essere avvenuto oppure no.',
      next: 'Controlla prima di ripetere.',
    },
    cancelled: {
      name: 'Fermato',
      why: 'È stato fermato.',
      next: 'Niente da fare.',
    },
    unknown: {
      name: 'Non riuscito',
      why: 'Qualcosa non è riuscito, senza dire perché.',
      next: 'Riprova. Se continua a non riuscire, avvia la diagnostica.',
    },
  },
  model: {
    timeout: {
      why: 'Il modello di IA ha impiegato troppo tempo a rispondere.',
      next: 'Riprova. Se succede ancora, scegli un modello più veloce.',
    },
    rate_limited: {
      why: 'Il fornitore del modello di IA ci ha chiesto di rallentare.',
      next: 'Aspetta un momento, poi riprova.',
    },
    quota_exhausted: {
      why: 'Il credito o il piano presso il fornitore del modello di IA è esaurito.',
      next: 'Ricaricalo, oppure scegli un altro modello.',
    },
    bad_credentials: {
      why: 'Il fornitore del modello di IA non ha accettato la chiave.',
      next: 'Controlla la chiave nelle impostazioni del modello.',
    },
    not_found: {
      why: 'Il fornitore non conosce questo modello di IA.',
      next: 'Controlla il nome nelle impostazioni del modello, oppure scegli un altro modello.',
    },
    invalid_input: {
      why: 'Il fornitore del modello di IA non ha accettato la richiesta.',
      next: 'Riprova in una nuova conversazione, oppure scegli un altro modello.',
    },
    too_large: {
      why: 'La conversazione è troppo lunga per questo modello di IA.',
      next: 'Inizia una nuova conversazione, oppure scegli un modello che ne regge di più lunghe.',
    },
    unsupported: {
      why: 'Questo modello di IA non può farlo.',
      next: 'Scegli un modello che possa farlo.',
    },
    blocked_by_policy: {
      why: 'Il fornitore del modello di IA si è rifiutato di rispondere.',
      next: 'Formula la richiesta in un altro modo, oppure scegli un altro modello.',
    },
  },
  details: {
    'agent-halted': {
      why: 'L’agente {{agent}} è stato fermato perché non faceva progressi.',
      next: 'Chiedilo in un altro modo, o chiedine una parte più piccola.',
    },
    'agent-capped': {
      why: 'L’agente {{agent}} ha raggiunto il suo limite prima di finire.',
      next: 'Lascialo continuare, o chiedine una parte più piccola.',
    },
    'agent-nested': {
      why: 'L’agente {{agent}} non è stato avviato: gli agenti non possono essere annidati così in profondità.',
      next: 'Niente da fare. L’assistente svolge questa parte da sé.',
    },
    'empty-reply': {
      why: 'Il modello di IA non ha risposto nulla.',
      next: 'Riprova. Se succede ancora, scegli un altro modello.',
    },
    limit: {
      why: 'Il limite di questa richiesta è stato raggiunto.',
      next: 'Chiedine una parte più piccola, o alza il limite.',
    },
    'model-address': {
      why: 'L’indirizzo non indica alcun modello.',
      next: 'Scrivi il modello dopo un #: http://127.0.0.1:4000/v1#llama.',
    },
    'model-name': {
      why: 'Questo non è il nome di un modello.',
      next: 'Scrivi fornitore/modello, ad esempio openai/gpt-6-sol, o l’indirizzo di un server.',
    },
    'model-key': {
      why: 'Manca la chiave di questo modello di IA.',
      next: 'Inseriscila nelle impostazioni del modello.',
    },
    'model-silent': {
      why: 'Nulla risponde all’indirizzo di questo modello di IA.',
      next: 'Controlla che il server sia attivo, l’host e la porta.',
    },
    'model-host': {
      why: 'Il nome nell’indirizzo di questo modello di IA non è noto in rete.',
      next: 'Controlla come è scritto l’indirizzo.',
    },
    'model-insecure': {
      why: 'Non c’è una connessione sicura con questo modello di IA: il suo certificato non è accettato, o non usa TLS.',
      next: 'Controlla il certificato del server, o se l’indirizzo deve iniziare con http://.',
    },
    'model-page': {
      why: 'A questo indirizzo risponde una pagina web, non un modello di IA.',
      next: 'Controlla l’indirizzo: spesso termina con /v1.',
    },
    'images-unsupported': {
      why: 'Questo modello di IA non può vedere le immagini.',
      next: 'Scegli un modello che può vedere le immagini o descrivi l’immagine a parole.',
    },
    'files-unsupported': {
      why: 'Questo modello di IA non può leggere questo tipo di file.',
      next: 'Scegli un modello che può farlo o invia il contenuto come testo.',
    },
    'attachment-too-large': {
      why: 'I file di questo messaggio sono troppo grandi o troppi.',
      next: 'Invialo di nuovo con meno file o con file più piccoli.',
    },
    'attachment-unreadable': {
      why: 'Non è stato possibile leggere un file di questo messaggio. Potrebbe essere danneggiato o protetto da password.',
      next: 'Salvalo di nuovo senza password o invia il contenuto come testo.',
    },
    'day-limit': {
      why: 'Il limite di {{amount}} al giorno fissato qui è esaurito.',
      next: 'Aumentalo nelle impostazioni, in Spese, o aspetta domani. Un membro può chiedere al proprietario.',
    },
    'month-limit': {
      why: 'Il limite di {{amount}} al mese fissato qui è esaurito.',
      next: 'Aumentalo nelle impostazioni, in Spese, o aspetta il mese prossimo. Un membro può chiedere al proprietario.',
    },
    'gave-up': {
      why: 'È stato interrotto più volte, quindi non è stato ritentato.',
      next: 'Guarda sopra che cosa è stato fatto, poi chiedi il resto in parti più piccole.',
    },
    'done-already': {
      why: 'La stessa cosa è già stata fatta in questa richiesta, quindi non è stata ripetuta.',
      next: 'Se deve avvenire ancora una volta, dillo in un nuovo messaggio.',
    },
  },
  tried: 'È stato tentato {{tries}} volte.',
  ended: {
    later: 'Riprova più tardi.',
    otherwise: 'Riprova, o chiedilo in un altro modo.',
  },
  allow: {
    why: '{{action}} appartiene a «{{kind}}», disattivato in {{name}}.',
    next: 'Consenti «{{kind}}» in {{name}}, qui o in Connessioni.',
    button: 'Consenti «{{kind}}» in {{name}}',
    done: '«{{kind}}» ora è consentito in {{name}}. Il prossimo tentativo non sarà più rifiutato per questo.',
  },
  buttons: {
    connect: 'Collega',
    reconnect: 'Ricollega',
    allow: 'Consenti',
    retry: 'Riprova',
    openSettings: 'Apri le impostazioni',
    runDiagnostics: 'Avvia la diagnostica',
  },
}
