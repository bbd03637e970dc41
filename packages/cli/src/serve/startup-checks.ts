import { accessSync, constants, existsSync, mkdirSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname } from 'node:path'
import { CommandError } from '../shell/shell.ts'

/** Throws a `CommandError` when nothing can be kept in the folder. */
export function checkHome(home: string): void {
  try {
    makeFolder(home)
    accessSync(home, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException
    throw new CommandError(
      `The data folder ${home} cannot be written (${code}): choose another one with --home, or make it yours.`,
    )
  }
}

/** Step by step: asked for all of them at once, Node never comes back from places such as /proc. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return
  makeFolder(dirname(folder))
  mkdirSync(folder, { mode: 0o700 })
}

/** Rejects with a `CommandError` when nobody can listen there. Port 0 is always free. */
export async function checkPort(host: string, port: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const probe = createServer()
  probe.once('error', reject)
  probe.listen({ host, port, exclusive: true }, () => probe.close(() => resolve()))
  try {
    await promise
  } catch (error) {
    throw toProblem(error, host, port)
  }
}

/** What went wrong with listening, for a person. Anything else comes back as it is. */
export function toProblem(error: unknown, host: string, port: number): unknown {
  const { code = '' } = error as NodeJS.ErrnoException
  const words = WORDS[code]
  return words ? new CommandError(words(host, port)) : error
}

const notOurs = (host: string): string =>
  `"${host}" is not an address of this machine: choose another one with --host.`

const WORDS: Readonly<Record<string, (host: string, port: number) => string>> = {
  EADDRINUSE: (_, port) =>
    `Port ${port} is taken by another program: choose another one with --port, or 0 for any that is free.`,
  EACCES: (_, port) =>
    `Port ${port} needs rights that this user does not have: choose one above 1023 with --port.`,
  EADDRNOTAVAIL: notOurs,
  ENOTFOUND: notOurs,
}
