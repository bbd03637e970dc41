import type { Translation } from '../locale.ts'

export const triggers: Translation<'triggers', 'it'> = {
  title: 'Attivatori',
}
