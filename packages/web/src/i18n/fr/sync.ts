import type { Translation } from '../locale.ts'

export const sync: Translation<'sync', 'fr'> = {
  title: 'Synchroniser avec la mémoire',
}
