import type { Translation } from '../locale.ts'

export const triggers: Translation<'triggers', 'ru'> = {
  title: 'Триггеры',
}
