import type { Translation } from '../locale.ts'

export const memory: Translation<'memory', 'ko'> = {
  title: '메모리',
}
