import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { FORWARDER } from './network/forwarder.ts'

/** The user inside: one that does not exist outside. */
export const INNER_UID = 1000
export const INNER_HOME = '/home/sandbox'

/** Small files that confined programs see, in a folder that only this user can read. */
export interface RuntimeFiles {
  readonly folder: string
  readonly passwd: string
  readonly group: string
  readonly hosts: string
  readonly forwarder: string
}

let made: RuntimeFiles | undefined

/** One folder for this process, removed when it ends. */
export function runtimeFiles(): RuntimeFiles {
  if (made) return made
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'capstan-sandbox-')))
  const write = (name: string, text: string): string => {
    const path = join(folder, name)
    writeFileSync(path, text, { mode: 0o644 })
    return path
  }
  made = {
    folder,
    passwd: write('passwd', `sandbox:x:${INNER_UID}:${INNER_UID}:sandbox:${INNER_HOME}:/bin/sh\n`),
    group: write('group', `sandbox:x:${INNER_UID}:\n`),
    hosts: write('hosts', '127.0.0.1 localhost\n::1 localhost\n'),
    forwarder: write('forward.cjs', FORWARDER),
  }
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  return made
}
