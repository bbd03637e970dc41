import type { Translation } from '../locale.ts'

export const triggers: Translation<'triggers', 'ko'> = {
  title: '트리거',
}
