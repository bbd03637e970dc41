import type { ChildProcess, ChildProcessWithoutNullStreams } from 'node:child_process'
import { spawn } from 'node:child_process'
import type { Socket } from 'node:net'
import type { ConfinedStart } from '@capstan/harness/sandbox'

/** Children that still run. They are stopped when this process exits. */
const running = new Set<ChildProcess>()

/**
 * Starts the program of a server. It gets nothing of our environment, and a process group of its own so that what it
 * starts is stopped with it. A program that cannot be started emits `error`.
 */
export function spawnServer({ command, args, env, cwd }: ConfinedStart): ChildProcessWithoutNullStreams {
  const child = spawn(command, args, {
    env,
    stdio: ['pipe', 'pipe', 'pipe'],
    shell: false,
    detached: process.platform !== 'win32',
    windowsHide: true,
    ...(cwd === undefined ? undefined : { cwd }),
  })
  if (running.size === 0) process.on('exit', stopAll)
  running.add(child)
  child.once('error', () => forget(child))
  child.once('exit', () => forget(child))
  return child
}

/** Whether the child keeps this process alive. */
export function setHeld(child: ChildProcess, isHeld: boolean): void {
  const method = isHeld ? 'ref' : 'unref'
  child[method]()
  for (const pipe of [child.stdin, child.stdout, child.stderr]) (pipe as Socket | null)?.[method]()
}

/** Closes its input, then asks it to stop, then kills it, with `graceMs` between these steps. Never throws. */
export async function stopProcess(child: ChildProcess, graceMs: number): Promise<void> {
  const ended = new Promise<void>((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null || !running.has(child)) resolve()
    else child.once('exit', () => resolve())
  })
  child.stdin?.end()
  if (await settledWithin(ended, graceMs)) return
  signalGroup(child, 'SIGTERM')
  if (await settledWithin(ended, graceMs)) return
  signalGroup(child, 'SIGKILL')
  await settledWithin(ended, graceMs)
}

function stopAll(): void {
  for (const child of running) signalGroup(child, 'SIGTERM')
}

function forget(child: ChildProcess): void {
  running.delete(child)
  if (running.size === 0) process.off('exit', stopAll)
}

function settledWithin(work: Promise<void>, ms: number): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), ms)
    void work.then(() => {
      clearTimeout(timer)
      resolve(true)
    })
  })
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return
  try {
    if (process.platform === 'win32') child.kill(signal)
    else process.kill(-child.pid, signal)
  } catch {
    // It has already ended.
  }
}
