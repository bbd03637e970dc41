import type { Translation } from '../locale.ts'

export const problems: Translation<'problems', 'it'> = {
  codes: {
    invalid: 'Qualcosa di quello che hai inserito non è stato accettato.',
    signed_out: 'Non hai effettuato l’accesso. Apri di nuovo il link di accesso.',
    forbidden: 'Questo non è consentito.',
    login_again: 'Prima accedi di nuovo: questa modifica riguarda il computer su cui gira Capstan.',
    not_found: 'Non esiste, o non esiste più.',
    conflict: 'Nel frattempo è cambiato. Guarda di nuovo, poi riprova.',
    held: 'Tutto è fermo. Riattivalo, poi invia di nuovo il messaggio.',
    too_large: 'È troppo grande.',
    rate_limited: 'Un po’ troppo in fretta. Aspetta un momento, poi riprova.',
    limit_reached: 'Hai raggiunto un limite che il proprietario ha fissato per te.',
    unavailable: 'Al momento non è disponibile. Riprova tra poco.',
    internal: 'Qualcosa è andato storto da parte nostra. Riprova; se succede ancora, avvia la diagnostica.',
  },
  other: 'Non ha funzionato. Riprova.',
  offline: 'Capstan non è raggiungibile. Controlla che sia in esecuzione.',
  fields: {
    'not-absolute': 'Inserisci il percorso completo, per esempio /home/tu/Documenti.',
    'not-a-folder': '«{{value}}» non è una cartella leggibile.',
    'own-data': '«{{value}}» contiene i dati di Capstan stesso. Scegli un’altra cartella.',
    'not-a-host': '«{{value}}» non è un host. Inseriscine uno come example.com o *.example.com.',
    'host-too-wide': '«{{value}}» comprende host di chiunque. Indica un dominio tuo.',
    'no-host': 'Indica almeno un host.',
    'too-many': 'Al massimo {{most}}.',
    length: 'Inserisci da {{least}} a {{most}} caratteri.',
    'bad-name': 'Usa solo lettere, cifre, punti, trattini e trattini bassi, al massimo {{most}}.',
    taken: '«{{value}}» esiste già.',
    'not-a-key': 'Non sembra una chiave.',
    'not-a-variable': '«{{value}}» non è il nome di una variabile. Inserisci solo il nome, senza il valore.',
  },
  checks: {
    node: {
      name: 'Node.js',
      about: 'La versione su cui gira Capstan.',
    },
    store: {
      name: 'Dati salvati',
      about: 'Se le conversazioni si possono leggere e scrivere.',
    },
    disk: {
      name: 'Spazio su disco',
      about: 'Se c’è posto per nuovi dati.',
    },
    model: {
      name: 'Modello di IA',
      about: 'Se il modello scelto si può usare.',
    },
    apps: {
      name: 'App collegate',
      about: 'Se le tue app sono raggiungibili.',
    },
    sandbox: {
      name: 'Isolamento',
      about: 'Se i comandi e i programmi di questo computer possono essere isolati.',
    },
    'demo-app': {
      name: 'App dimostrativa',
      about: 'Se l’app Notes fornita con Capstan è in esecuzione.',
    },
    'web-app': {
      name: 'App web',
      about: 'Se queste pagine sono complete.',
    },
    clock: {
      name: 'Orologio',
      about: 'Se l’ora di questo computer è giusta.',
    },
  },
  states: {
    ok: 'Tutto bene',
    warning: 'Da controllare',
    failed: 'Richiede attenzione',
  },
}
