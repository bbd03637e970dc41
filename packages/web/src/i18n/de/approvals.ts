import type { Translation } from '../locale.ts'

export const approvals: Translation<'approvals', 'de'> = {}
