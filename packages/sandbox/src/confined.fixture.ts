import { spawn } from 'node:child_process'
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ConfineRequest, Sandbox, SandboxProfile } from '@capstan/harness/sandbox'
import { onTestFinished } from 'vitest'
import { createBubblewrapSandbox } from './bubblewrap-sandbox.ts'

const { state, found } = await createBubblewrapSandbox({ hidden: [] }).check()

/** Why tests with a real sandbox are skipped, or undefined. */
export const missing: string | undefined = state === 'works' ? undefined : found
if (missing !== undefined) console.warn(`Tests of the sandbox are skipped: ${missing}`)

/** An empty folder that is removed after the test. */
export function makeFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'capstan-confined-')))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

export interface Ended {
  readonly code: number | null
  readonly out: string
  readonly err: string
  readonly explained: string | undefined
}

/** Runs a program in a sandbox to its end. */
export async function runConfined(
  sandbox: Sandbox,
  {
    profile,
    ...request
  }: Pick<ConfineRequest, 'command' | 'args'> & {
    readonly cwd?: string
    readonly profile?: Partial<SandboxProfile>
  },
): Promise<Ended> {
  const start = await sandbox.confine({
    ...request,
    profile: { folders: [], network: 'off', env: {}, ...profile },
    changedIn: 'the settings of this server',
  })
  return new Promise((resolve, reject) => {
    const child = spawn(start.command, start.args, {
      env: start.env,
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(start.cwd === undefined ? undefined : { cwd: start.cwd }),
    })
    let out = ''
    let err = ''
    child.stdout.on('data', (piece) => (out += String(piece)))
    child.stderr.on('data', (piece) => (err += String(piece)))
    child.once('spawn', () => start.watch(child.pid!))
    child.once('error', reject)
    child.once('close', (code) => {
      const explained = start.explain(err)
      start.release()
      resolve({ code, out, err, explained })
    })
  })
}

/** Runs a shell script. */
export const runScript = (
  sandbox: Sandbox,
  script: string,
  profile?: Partial<SandboxProfile>,
): Promise<Ended> =>
  runConfined(sandbox, { command: '/bin/sh', args: ['-c', script], ...(profile ? { profile } : undefined) })

/** Runs JavaScript in Node. */
export const runNode = (
  sandbox: Sandbox,
  script: string,
  profile?: Partial<SandboxProfile>,
): Promise<Ended> =>
  runConfined(sandbox, {
    command: process.execPath,
    args: ['-e', script],
    ...(profile ? { profile } : undefined),
  })
