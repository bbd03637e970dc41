import type { Translation } from '../locale.ts'

export const ui: Translation<'ui', 'ru'> = {
  loading: 'Загрузка…',
  close: 'Закрыть',
  cancel: 'Отмена',
  retry: 'Попробовать ещё раз',
  errorTitle: 'Не удалось показать',
  copy: 'Копировать',
  copied: 'Скопировано',
  copyFailed: 'Не удалось скопировать. Выделите текст и скопируйте его сами.',
  undo: 'Вернуть',
  dismiss: 'Скрыть',
  notifications: 'Уведомления',
  tokens_one: '{{count}} токен',
  tokens_few: '{{count}} токена',
  tokens_many: '{{count}} токенов',
  tokens_other: '{{count}} токена',
}
