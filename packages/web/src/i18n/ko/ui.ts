import type { Translation } from '../locale.ts'

export const ui: Translation<'ui', 'ko'> = {}
