import type { Translation } from '../locale.ts'

export const triggers: Translation<'triggers', 'hi'> = {
  title: 'ट्रिगर',
}
