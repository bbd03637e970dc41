import type { Translation } from '../locale.ts'

export const activity: Translation<'activity', 'zh-CN'> = {
  title: '动态',
}
