import type { Translation } from '../locale.ts'

export const schedules: Translation<'schedules', 'fr'> = {
  title: 'Planifications',
}
