import type { Translation } from '../locale.ts'

export const ui: Translation<'ui', 'fr'> = {
  loading: 'Chargement…',
  close: 'Fermer',
  cancel: 'Annuler',
  retry: 'Réessayer',
  errorTitle: 'Affichage impossible',
  copy: 'Copier',
  copied: 'Copié',
  copyFailed: 'Copie impossible. Sélectionnez le texte et copiez-le vous-même.',
  undo: 'Rétablir',
  dismiss: 'Masquer',
  notifications: 'Notifications',
  tokens_one: '{{count}} jeton',
  tokens_many: '{{count}} de jetons',
  tokens_other: '{{count}} jetons',
}
