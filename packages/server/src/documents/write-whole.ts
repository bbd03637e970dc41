import { randomBytes } from 'node:crypto'
import { open, rename, rm } from 'node:fs/promises'

/** Writes a file that only this user can read. A crash leaves the old file or the new one. */
export async function writeWhole(path: string, text: string): Promise<void> {
  const draft = `${path}.${randomBytes(6).toString('hex')}`
  try {
    const file = await open(draft, 'wx', 0o600)
    try {
      await file.writeFile(text)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(draft, path)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}
