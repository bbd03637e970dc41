import type { Translation } from '../locale.ts'

export const sync: Translation<'sync', 'ar'> = {
  title: 'المزامنة مع الذاكرة',
}
