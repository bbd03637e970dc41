import type { Translation } from '../locale.ts'

export const activity: Translation<'activity', 'id'> = {
  title: 'Aktivitas',
}
