import type { Translation } from '../locale.ts'

export const activity: Translation<'activity', 'ko'> = {
  title: '활동',
}
