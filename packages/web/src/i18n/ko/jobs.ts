import type { Translation } from '../locale.ts'

export const jobs: Translation<'jobs', 'ko'> = {
  title: '작업',
}
