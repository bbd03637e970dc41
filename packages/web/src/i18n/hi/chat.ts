import type { Translation } from '../locale.ts'

export const chat: Translation<'chat', 'hi'> = {}
