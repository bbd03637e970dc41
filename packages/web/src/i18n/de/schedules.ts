import type { Translation } from '../locale.ts'

export const schedules: Translation<'schedules', 'de'> = {
  title: 'Zeitpläne',
}
