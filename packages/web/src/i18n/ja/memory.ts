import type { Translation } from '../locale.ts'

export const memory: Translation<'memory', 'ja'> = {
  title: 'メモリ',
}
