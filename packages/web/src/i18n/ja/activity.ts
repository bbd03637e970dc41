import type { Translation } from '../locale.ts'

export const activity: Translation<'activity', 'ja'> = {
  title: 'アクティビティ',
}
