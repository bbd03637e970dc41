import type { Translation } from '../locale.ts'

export const activity: Translation<'activity', 'pt'> = {
  title: 'Atividade',
}
