import type { Translation } from '../locale.ts'

export const sync: Translation<'sync', 'ja'> = {
  title: 'メモリに同期',
}
