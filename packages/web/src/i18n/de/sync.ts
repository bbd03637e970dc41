import type { Translation } from '../locale.ts'

export const sync: Translation<'sync', 'de'> = {
  title: 'Ins Gedächtnis übernehmen',
}
