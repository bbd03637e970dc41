import type { Translation } from '../locale.ts'

export const memory: Translation<'memory', 'bn'> = {
  title: 'স্মৃতি',
}
