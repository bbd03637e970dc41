import type { Translation } from '../locale.ts'

export const schedules: Translation<'schedules', 'pt'> = {
  title: 'Agendamentos',
}
