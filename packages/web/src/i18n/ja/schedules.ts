import type { Translation } from '../locale.ts'

export const schedules: Translation<'schedules', 'ja'> = {
  title: 'スケジュール',
}
