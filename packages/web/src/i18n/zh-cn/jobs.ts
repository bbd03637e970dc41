import type { Translation } from '../locale.ts'

export const jobs: Translation<'jobs', 'zh-CN'> = {
  title: '后台作业',
}
