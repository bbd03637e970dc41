import type { Translation } from '../locale.ts'

export const failures: Translation<'failures', 'pt'> = {}
