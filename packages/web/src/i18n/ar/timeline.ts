import type { Translation } from '../locale.ts'

export const timeline: Translation<'timeline', 'ar'> = {}
