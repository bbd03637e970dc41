import type { Translation } from '../locale.ts'

export const triggers: Translation<'triggers', 'de'> = {
  title: 'Auslöser',
}
