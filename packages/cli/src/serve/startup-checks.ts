import { accessSync, constants } from 'node:fs'
import { createServer } from 'node:net'
import { makeFolder } from '@capstan/harness/stores'
import { CommandError } from '../shell/shell.ts'

/** Creates the data folder. Throws a `CommandError` when it cannot be written. */
export function checkHome(home: string): void {
  try {
    makeFolder(home)
    accessSync(home, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException
    throw new CommandError(
      `The data folder ${home} cannot be written (${code}): choose another folder with --home, or change its owner.`,
    )
  }
}

/** Rejects with a `CommandError` when the port cannot be listened on. Port 0 is always free. */
export async function checkPort(host: string, port: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const probe = createServer()
  probe.once('error', reject)
  probe.listen({ host, port, exclusive: true }, () => probe.close(() => resolve()))
  try {
    await promise
  } catch (error) {
    throw toListenError(error, host, port)
  }
}

/** An error of `listen` as a `CommandError`. Any other error is returned as it is. */
export function toListenError(error: unknown, host: string, port: number): unknown {
  const { code = '' } = error as NodeJS.ErrnoException
  const toMessage = MESSAGES[code]
  return toMessage ? new CommandError(toMessage(host, port)) : error
}

const notLocal = (host: string): string =>
  `"${host}" is not an address of this machine: choose another address with --host.`

const MESSAGES: Readonly<Record<string, (host: string, port: number) => string>> = {
  EADDRINUSE: (_, port) =>
    `Port ${port} is taken by another program: choose another port with --port, or 0 for any free port.`,
  EACCES: (_, port) => `This user may not listen on port ${port}: choose a port above 1023 with --port.`,
  EADDRNOTAVAIL: notLocal,
  ENOTFOUND: notLocal,
}
