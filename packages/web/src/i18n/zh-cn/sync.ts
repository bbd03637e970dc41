import type { Translation } from '../locale.ts'

export const sync: Translation<'sync', 'zh-CN'> = {
  title: '同步到记忆',
}
