import { fork } from 'node:child_process'
import { join } from 'node:path'

/** The app that comes and goes. */
export const LATE = 'late_app'
/** Apps that are connected all the time. */
export const OTHERS: readonly string[] = Array.from({ length: 10 }, (_, n) => `app_${n}`)

export interface NodeSettings {
  readonly folder: string
  readonly database: { readonly url: string; readonly nodeId: string; readonly role: 'web' | 'worker' }
}

export type NodeMessage =
  | { readonly type: 'up'; readonly url: string; readonly token: string }
  | { readonly type: 'model-call'; readonly at: number; readonly isKnown: boolean }

export interface NodeRequest {
  /** The connection whose token is no longer good. */
  readonly expire: string
}

export interface TestNode {
  readonly url: string
  readonly token: string
  expire(connectionId: string): void
  kill(): void
}

const KEY = 'e2'.repeat(32)

/** Starts a node, and settles when it serves. */
export async function startNode(
  settings: NodeSettings,
  onModelCall: (at: number, isKnown: boolean) => void,
): Promise<TestNode> {
  const child = fork(join(import.meta.dirname, 'node-process.ts'), [JSON.stringify(settings)], {
    env: { ...process.env, CAPSTAN_SECRET_KEY: KEY },
  })
  const up = await new Promise<{ readonly url: string; readonly token: string }>((resolve, reject) => {
    child.on('message', (message: NodeMessage) => {
      if (message.type === 'up') resolve(message)
      else onModelCall(message.at, message.isKnown)
    })
    child.once('exit', (code) => reject(new Error(`a node ended: ${code}`)))
  })
  return {
    ...up,
    expire: (connectionId) => void child.send({ expire: connectionId } satisfies NodeRequest),
    kill: () => void child.kill('SIGKILL'),
  }
}
