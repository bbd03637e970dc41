import type { Translation } from '../locale.ts'

export const schedules: Translation<'schedules', 'ko'> = {
  title: '일정',
}
