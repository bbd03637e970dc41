import type { Translation } from '../locale.ts'

export const shell: Translation<'shell', 'it'> = {}
