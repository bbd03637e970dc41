import type { NotesApp } from '@capstan/notes-app'
import { startNotesApp } from '@capstan/notes-app'

/** Short, so that nodes renew tokens all the time. */
const TOKEN_SECONDS = 2
const UNLIMITED = 1_000_000

/** The app behind a sign-in, for many rounds. */
export const startNotes = (): Promise<NotesApp> =>
  startNotesApp({
    accessTokenTtlSeconds: TOKEN_SECONDS,
    limits: {
      maxPages: UNLIMITED,
      maxClients: UNLIMITED,
      maxSessions: UNLIMITED,
      requestsPerMinute: UNLIMITED,
    },
  })
