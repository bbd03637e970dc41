import { open } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import type { Shell } from './shell.ts'
import { CommandError } from './shell.ts'

/** A file, or standard input for "-". Rejects with a `CommandError` for a file that cannot be read. */
export async function openInput(file: string, { stdin }: Shell): Promise<Readable> {
  if (file === '-') return stdin
  try {
    return (await open(file)).createReadStream()
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === undefined) throw error
    throw new CommandError(`"${file}" could not be read (${code}).`)
  }
}
