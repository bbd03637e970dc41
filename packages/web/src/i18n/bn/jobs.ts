import type { Translation } from '../locale.ts'

export const jobs: Translation<'jobs', 'bn'> = {
  title: 'জব',
}
