import { fileURLToPath } from 'node:url'

/** What a run leaves behind: a picture of every step. Emptied when the next one begins. */
export const ARTIFACTS = fileURLToPath(new URL('../../artifacts/browser', import.meta.url))
