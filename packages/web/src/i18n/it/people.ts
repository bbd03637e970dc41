import type { Translation } from '../locale.ts'

export const people: Translation<'people', 'it'> = {
  logins: {
    title: 'Accessi',
    description: 'Browser che hanno effettuato l’accesso a tuo nome. Disconnetti quelli che non conosci.',
    unknown: 'Dispositivo sconosciuto',
    thisOne: 'Questo browser',
    lastUse: 'Ultimo uso:',
    firstUse: 'Primo accesso:',
    end: 'Disconnetti {{device}}',
    ended: '{{device}} è stato disconnesso.',
    endOthers: 'Disconnetti tutti gli altri',
    othersEnded: 'Tutti gli altri browser sono stati disconnessi.',
  },
  members: {
    title: 'Persone',
    description:
      'I membri hanno conversazioni e connessioni proprie. Possono usare una tua cartella o un tuo server solo se li condividi.',
    empty: 'Nessuno oltre a te usa questa installazione.',
    name: 'Nome del nuovo membro',
    add: 'Aggiungi membro',
    link: 'Invia questo link a {{user}}. Funziona una volta, entro un’ora.',
    linkLocalOnly:
      'Non è noto nessun altro indirizzo di questo server, quindi il link funziona solo su questo computer. Avvia Capstan con --origin per indicare un indirizzo.',
    newLink: 'Nuovo link di accesso per {{user}}',
    neverUsed: 'non ha ancora effettuato l’accesso',
    remove: 'Rimuovi {{user}}',
    removeTitle: 'Rimuovere {{user}}?',
    removeText:
      '{{user}} viene disconnesso subito e i suoi turni in corso vengono fermati. Le sue conversazioni restano salvate.',
    removeConfirm: 'Rimuovi',
    removed: '{{user}} è stato rimosso.',
    limits: 'Limiti di {{user}}',
    turnsAtOnce: 'Turni contemporanei',
    messagesPerMinute: 'Messaggi al minuto',
    usdPerDay: 'Dollari USA in 24 ore',
    threads: 'Conversazioni salvate',
    save: 'Salva i limiti',
    saved: 'I limiti di {{user}} sono stati salvati.',
  },
  loginAgain: {
    title: 'Accedi di nuovo',
    text: 'Questa modifica riguarda il computer su cui gira Capstan. Per dimostrare che sei tu, esegui lì questo comando:',
    paste: 'Il comando mostra un link. Incollalo qui o aprilo in questo browser.',
    field: 'Link di accesso',
    submit: 'Accedi e continua',
    opened: 'Ho aperto il link',
    wrong: 'Questo link non funziona più o appartiene a un’altra persona. Esegui di nuovo il comando.',
  },
  ofOwner: {
    model: 'Il proprietario di questa installazione sceglie il modello.',
    folders: 'Il proprietario condivide queste cartelle con te.',
    noFolders: 'Il proprietario non condivide cartelle con te.',
    fullMode: 'Solo il proprietario può usare questa modalità.',
  },
  share: {
    folder: 'Condividi {{folder}} con i membri',
    server: 'Condividi con i membri',
    serverHint: 'I membri potranno usare questo server con i diritti di questo computer.',
    failed: 'Condivisione non riuscita. {{reason}}',
  },
}
