import type { Translation } from '../locale.ts'

export const connections: Translation<'connections', 'ru'> = {}
