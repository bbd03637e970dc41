import type { Translation } from '../locale.ts'

export const sync: Translation<'sync', 'es'> = {
  title: 'Sincronizar con la memoria',
}
