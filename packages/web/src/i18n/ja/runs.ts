import type { Translation } from '../locale.ts'

export const runs: Translation<'runs', 'ja'> = {}
