import type { Translation } from '../locale.ts'

export const problems: Translation<'problems', 'id'> = {}
