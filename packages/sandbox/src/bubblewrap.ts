import { spawnSync } from 'node:child_process'
import { SandboxError } from '@capstan/harness/sandbox'
import { findProgram } from './programs/find-program.ts'

/** The installed bubblewrap and what it understands. */
export interface Bubblewrap {
  readonly path: string
  readonly size: boolean
  readonly disableUserns: boolean
}

/** How to get it, for a person. */
const HOW_TO_INSTALL =
  'Install bubblewrap: "sudo apt install bubblewrap" on Debian and Ubuntu, "sudo dnf install bubblewrap" on Fedora.'

const known = new Map<string, Bubblewrap>()

/** Throws a `SandboxError` when this is not Linux or bubblewrap is not installed. */
export function findBubblewrap(command = 'bwrap'): Bubblewrap {
  if (process.platform !== 'linux')
    throw new SandboxError('unavailable', 'Programs can be confined on Linux only. Run Capstan on Linux.')
  const path = findProgram(command, '/')
  if (path === undefined)
    throw new SandboxError('unavailable', `bubblewrap (bwrap) is not installed. ${HOW_TO_INSTALL}`)
  let found = known.get(path)
  if (!found) {
    const { stdout } = spawnSync(path, ['--help'], { encoding: 'utf8', timeout: 5_000, env: {} })
    const help = stdout ?? ''
    found = { path, size: help.includes('--size'), disableUserns: help.includes('--disable-userns') }
    known.set(path, found)
  }
  return found
}
