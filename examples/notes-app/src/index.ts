export type { Account } from './accounts.ts'
export type { Page } from './notebook/page.ts'
export type { NotesApp, NotesAppLimits, NotesAppOptions } from './start-notes-app.ts'
export { startNotesApp } from './start-notes-app.ts'
