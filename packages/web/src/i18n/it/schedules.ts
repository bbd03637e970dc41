import type { Translation } from '../locale.ts'

export const schedules: Translation<'schedules', 'it'> = {
  title: 'Pianificazioni',
}
