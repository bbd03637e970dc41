import type { Translation } from '../locale.ts'

export const activity: Translation<'activity', 'bn'> = {
  title: 'কার্যকলাপ',
}
