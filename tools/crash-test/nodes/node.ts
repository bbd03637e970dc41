import type { ChildProcess } from 'node:child_process'
import { fork } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { KEY } from './database-server.ts'

/** What a node is started with. */
export interface NodeSettings {
  readonly nodeId: string
  readonly folder: string
  /** Absent: alone, with a store of its own in the folder. */
  readonly databaseUrl?: string
  readonly toolUrl: string
  readonly appUrl: string
  /** An app behind a sign-in. */
  readonly notesUrl: string
  readonly maxIterations: number
}

/** What a node tells its parent. */
export type NodeMessage =
  | { readonly type: 'up'; readonly url: string; readonly token: string }
  | { readonly type: 'failed'; readonly text: string }
  | { readonly type: 'unhandled'; readonly text: string }

/** A node process. */
export interface RunningNode {
  readonly id: string
  readonly url: string
  readonly token: string
  readonly state: () => 'up' | 'frozen' | 'gone'
  freeze(): void
  wake(): void
  /** Settles when the process is gone. */
  end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void>
}

export interface NodeOptions {
  readonly program: string
  readonly settings: NodeSettings
  /** The file for what it writes to standard error. */
  readonly errors: string
  /** It has done what no node may do: an unhandled rejection, or it ended by itself. */
  readonly onFault: (text: string) => void
}

/** Starts a node, and settles when it serves. */
export async function startNode({ program, settings, errors, onFault }: NodeOptions): Promise<RunningNode> {
  const file = openSync(errors, 'a')
  const env = { ...process.env, CAPSTAN_SECRET_KEY: KEY }
  const child = fork(program, [], { stdio: ['ignore', 'ignore', file, 'ipc'], execArgv: [], env })
  closeSync(file)
  let state: 'up' | 'frozen' | 'gone' = 'up'
  /** Until it serves, it may end: whoever starts it tries again. */
  let isEnding = true
  const gone = new Promise<void>((resolve) => {
    child.once('exit', (code, signal) => {
      state = 'gone'
      if (!isEnding) onFault(`${settings.nodeId} ended by itself: ${signal ?? code}`)
      resolve()
    })
  })
  const { url, token } = await untilUp(child, settings, onFault)
  isEnding = false
  return {
    id: settings.nodeId,
    url,
    token,
    state: () => state,
    freeze() {
      if (state === 'up' && child.kill('SIGSTOP')) state = 'frozen'
    },
    wake() {
      if (state === 'frozen' && child.kill('SIGCONT')) state = 'up'
    },
    async end(signal) {
      isEnding = true
      if (state === 'gone') return
      state = 'gone'
      child.kill(signal)
      await gone
    },
  }
}

function untilUp(
  child: ChildProcess,
  settings: NodeSettings,
  onFault: (text: string) => void,
): Promise<{ readonly url: string; readonly token: string }> {
  return new Promise((resolve, reject) => {
    child.on('message', (message: NodeMessage) => {
      if (message.type === 'up') resolve(message)
      if (message.type === 'failed') reject(new Error(`${settings.nodeId} did not start: ${message.text}`))
      if (message.type === 'unhandled') onFault(`unhandled rejection in ${settings.nodeId}: ${message.text}`)
    })
    child.once('exit', (code, signal) =>
      reject(new Error(`${settings.nodeId} ended before it was up: ${signal ?? code}`)),
    )
    child.send(settings, () => {})
  })
}
