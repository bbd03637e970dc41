import type { Translation } from '../locale.ts'

export const sync: Translation<'sync', 'hi'> = {
  title: 'स्मृति में सिंक',
}
