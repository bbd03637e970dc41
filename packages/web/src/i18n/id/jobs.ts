import type { Translation } from '../locale.ts'

export const jobs: Translation<'jobs', 'id'> = {
  title: 'Tugas',
}
