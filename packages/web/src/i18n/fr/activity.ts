import type { Translation } from '../locale.ts'

export const activity: Translation<'activity', 'fr'> = {
  title: 'Activité',
}
