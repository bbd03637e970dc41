import type { Translation } from '../locale.ts'

export const memory: Translation<'memory', 'it'> = {
  title: 'Memoria',
}
