import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { watch } from 'node:fs'
import { BUILT } from './build-agent-folder.ts'

/** An editor writes several files for one change. */
const QUIET_MS = 150

/** A process that is started again when the agent changes. */
export interface Again {
  /** Settles when the process has ended. */
  stop(): Promise<void>
}

/**
 * Runs this program with other arguments in a process of its own, and starts it again when a file of the folder changes:
 * Node cannot load a module twice. A process that failed stays away until the next change.
 */
export function runAgain(folder: string, args: readonly string[], print: (line: string) => void): Again {
  const program = process.argv[1] ?? ''
  let child: ChildProcess | undefined
  let ended: Promise<void> = Promise.resolve()
  let timer: NodeJS.Timeout | undefined
  let isStopped = false

  const start = (): void => {
    if (isStopped) return
    const started = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'inherit', 'inherit'] })
    child = started
    ended = new Promise((resolve) => {
      started.once('error', () => resolve())
      started.once('exit', (code) => {
        if (child === started) child = undefined
        if (code !== 0 && code !== null && !isStopped) print('Waiting for a change …')
        resolve()
      })
    })
  }

  const restart = async (): Promise<void> => {
    print('A file has changed. Starting again …')
    child?.kill('SIGTERM')
    await ended
    start()
  }

  const watcher = watch(folder, { recursive: true }, (_, file) => {
    if (file === null || isOwn(file)) return
    clearTimeout(timer)
    timer = setTimeout(() => void restart(), QUIET_MS)
  })
  watcher.on('error', (error) => print(`Changes are no longer noticed: ${error.message}`))
  start()
  return {
    async stop() {
      isStopped = true
      clearTimeout(timer)
      watcher.close()
      child?.kill('SIGTERM')
      await ended
    },
  }
}

/** What is not written by the author. `.env` is. */
const isOwn = (file: string): boolean => {
  const [first = ''] = file.split(/[/\\]/)
  return (
    ['node_modules', BUILT, `${BUILT}.new`].includes(first) || (first.startsWith('.') && first !== '.env')
  )
}
