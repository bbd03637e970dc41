import type { Translation } from '../locale.ts'

export const ui: Translation<'ui', 'de'> = {
  loading: 'Wird geladen …',
  close: 'Schließen',
  cancel: 'Abbrechen',
  retry: 'Noch einmal versuchen',
  errorTitle: 'Das konnte nicht angezeigt werden',
  copy: 'Kopieren',
  copied: 'Kopiert',
  copyFailed: 'Kopieren ging nicht. Markiere den Text und kopiere ihn selbst.',
  undo: 'Rückgängig',
  dismiss: 'Ausblenden',
  notifications: 'Mitteilungen',
  tokens_one: '{{count}} Token',
  tokens_other: '{{count}} Tokens',
}
