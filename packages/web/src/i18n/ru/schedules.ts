import type { Translation } from '../locale.ts'

export const schedules: Translation<'schedules', 'ru'> = {
  title: 'Расписания',
}
