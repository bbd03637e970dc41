import type { Translation } from '../locale.ts'

export const sync: Translation<'sync', 'it'> = {
  title: 'Sincronizza nella memoria',
}
