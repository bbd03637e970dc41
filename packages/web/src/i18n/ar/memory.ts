import type { Translation } from '../locale.ts'

export const memory: Translation<'memory', 'ar'> = {
  title: 'الذاكرة',
}
