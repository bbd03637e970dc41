import type { Translation } from '../locale.ts'

export const schedules: Translation<'schedules', 'zh-CN'> = {
  title: '定时任务',
}
