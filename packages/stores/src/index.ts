export { openEmbeddedStore } from './embedded/open-store.ts'
export type { EmbeddedStoreOptions } from './embedded/open-store.ts'
export { refuseMoved, removeMovedNote } from './embedded/database/moved-note.ts'
