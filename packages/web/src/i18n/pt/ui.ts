import type { Translation } from '../locale.ts'

export const ui: Translation<'ui', 'pt'> = {
  loading: 'Carregando…',
  close: 'Fechar',
  cancel: 'Cancelar',
  retry: 'Tentar de novo',
  errorTitle: 'Não foi possível mostrar',
  copy: 'Copiar',
  copied: 'Copiado',
  copyFailed: 'Não foi possível copiar. Selecione o texto e copie manualmente.',
  undo: 'Desfazer',
  dismiss: 'Dispensar',
  notifications: 'Notificações',
  tokens_one: '{{count}} token',
  tokens_many: '{{count}} de tokens',
  tokens_other: '{{count}} tokens',
}
