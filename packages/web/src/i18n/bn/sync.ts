import type { Translation } from '../locale.ts'

export const sync: Translation<'sync', 'bn'> = {
  title: 'স্মৃতিতে সিঙ্ক',
}
