import type { Translation } from '../locale.ts'

export const sync: Translation<'sync', 'ko'> = {
  title: '메모리에 동기화',
}
