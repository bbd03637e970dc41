import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach } from 'vitest'

/** Gives folders that are gone after the test. */
export function useStoreFolders(): () => Promise<string> {
  const folders: string[] = []
  afterEach(async () => {
    for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true })
  })
  return async () => {
    const folder = await mkdtemp(join(tmpdir(), 'capstan-store-'))
    folders.push(folder)
    return folder
  }
}
