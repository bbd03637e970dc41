import type { Translation } from '../locale.ts'

export const sync: Translation<'sync', 'ru'> = {
  title: 'Синхронизация с памятью',
}
