import type { Translation } from '../locale.ts'

export const triggers: Translation<'triggers', 'bn'> = {
  title: 'ট্রিগার',
}
