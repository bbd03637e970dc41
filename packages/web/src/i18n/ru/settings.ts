import type { Translation } from '../locale.ts'

export const settings: Translation<'settings', 'ru'> = {}
