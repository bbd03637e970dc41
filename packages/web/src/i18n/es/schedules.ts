import type { Translation } from '../locale.ts'

export const schedules: Translation<'schedules', 'es'> = {
  title: 'Programaciones',
}
