import type { Translation } from '../locale.ts'

export const triggers: Translation<'triggers', 'zh-CN'> = {
  title: '触发器',
}
