import type { Translation } from '../locale.ts'

export const jobs: Translation<'jobs', 'hi'> = {
  title: 'जॉब',
}
