import type { Translation } from '../locale.ts'

export const schedules: Translation<'schedules', 'bn'> = {
  title: 'সময়সূচি',
}
