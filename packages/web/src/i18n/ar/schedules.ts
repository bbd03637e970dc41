import type { Translation } from '../locale.ts'

export const schedules: Translation<'schedules', 'ar'> = {
  title: 'الجداول الزمنية',
}
