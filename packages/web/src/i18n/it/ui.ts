import type { Translation } from '../locale.ts'

export const ui: Translation<'ui', 'it'> = {
  loading: 'Caricamento…',
  close: 'Chiudi',
  cancel: 'Annulla',
  retry: 'Riprova',
  errorTitle: 'Impossibile mostrare',
  copy: 'Copia',
  copied: 'Copiato',
  copyFailed: 'Copia non riuscita. Seleziona il testo e copialo tu.',
  undo: 'Ripristina',
  dismiss: 'Nascondi',
  notifications: 'Notifiche',
  tokens_one: '{{count}} token',
  tokens_many: '{{count}} di token',
  tokens_other: '{{count}} token',
}
