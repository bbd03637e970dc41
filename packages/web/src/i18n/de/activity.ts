import type { Translation } from '../locale.ts'

export const activity: Translation<'activity', 'de'> = {
  title: 'Aktivität',
}
