import type { Translation } from '../locale.ts'

export const sync: Translation<'sync', 'pt'> = {
  title: 'Sincronizar com a memória',
}
