import type { Translation } from '../locale.ts'

export const schedules: Translation<'schedules', 'hi'> = {
  title: 'समय-सारणी',
}
