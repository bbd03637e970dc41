import type { Translation } from '../locale.ts'

export const memory: Translation<'memory', 'hi'> = {
  title: 'स्मृति',
}
