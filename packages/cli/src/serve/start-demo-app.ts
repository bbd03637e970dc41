import { readFileSync, writeFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { NotesApp } from '@capstan/notes-app'

const PORT_FILE = 'port'

/**
 * Starts the Notes demo app with its pages in the data folder. It listens on the port of the last start if that is
 * free, because connections to it contain its address.
 */
export async function startDemoApp(home: string): Promise<NotesApp> {
  const { startNotesApp } = await import('@capstan/notes-app')
  const folder = join(home, 'notes-app')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const before = readPort(folder)
  const app = await startNotesApp({ folder, port: before }).catch((error: unknown) => {
    if (before === 0 || (error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
    return startNotesApp({ folder })
  })
  writeFileSync(join(folder, PORT_FILE), new URL(app.url).port, { mode: 0o600 })
  return app
}

function readPort(folder: string): number {
  try {
    const port = Number(readFileSync(join(folder, PORT_FILE), 'utf8'))
    return Number.isInteger(port) && port > 1023 && port < 65_536 ? port : 0
  } catch {
    return 0
  }
}
