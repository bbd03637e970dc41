import type { Translation } from '../locale.ts'

export const sync: Translation<'sync', 'id'> = {
  title: 'Sinkronkan ke memori',
}
