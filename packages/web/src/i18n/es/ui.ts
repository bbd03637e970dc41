import type { Translation } from '../locale.ts'

export const ui: Translation<'ui', 'es'> = {
  loading: 'Cargando…',
  close: 'Cerrar',
  cancel: 'Cancelar',
  retry: 'Reintentar',
  errorTitle: 'No se pudo mostrar',
  copy: 'Copiar',
  copied: 'Copiado',
  copyFailed: 'No se pudo copiar. Selecciona el texto y cópialo tú.',
  undo: 'Deshacer',
  dismiss: 'Descartar',
  notifications: 'Notificaciones',
  tokens_one: '{{count}} token',
  tokens_many: '{{count}} de tokens',
  tokens_other: '{{count}} tokens',
}
