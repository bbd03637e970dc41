import type { Translation } from '../locale.ts'

export const memory: Translation<'memory', 'ru'> = {
  title: 'Память',
}
