import type { Translation } from '../locale.ts'

export const memory: Translation<'memory', 'zh-CN'> = {
  title: '记忆',
}
