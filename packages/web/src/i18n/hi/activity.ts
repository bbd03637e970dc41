import type { Translation } from '../locale.ts'

export const activity: Translation<'activity', 'hi'> = {
  title: 'गतिविधि',
}
