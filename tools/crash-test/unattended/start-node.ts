import { fork } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import type { NodeMessage, NodeSettings, ParentMessage, Request } from './messages.ts'

/** How a process ended. */
interface NodeEnd {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

/** A process as its parent sees it. */
export interface UnattendedNode {
  /** Undefined: it ended before it was up. */
  readonly up: Promise<string | undefined>
  /** Undefined: it ended before it answered. */
  ask<Reply>(request: Request): Promise<Reply | undefined>
  end(signal: 'SIGKILL' | 'SIGTERM'): void
  readonly hasEnded: boolean
  readonly ended: Promise<NodeEnd>
  readonly problems: readonly { readonly text: string; readonly isFatal: boolean }[]
}

export function startNode(program: string, settings: NodeSettings, errorsPath: string): UnattendedNode {
  const errors = openSync(errorsPath, 'a')
  const child = fork(program, [], { stdio: ['ignore', 'ignore', errors, 'ipc'], execArgv: [] })
  closeSync(errors)
  const up = Promise.withResolvers<string | undefined>()
  const waiting = new Map<number, (value: unknown) => void>()
  const problems: { text: string; isFatal: boolean }[] = []
  let asked = 0
  let hasEnded = false
  // Errors are ignored: the process may be gone already.
  const send = (message: ParentMessage): void => void child.send(message, () => {})
  child.on('message', (message: NodeMessage) => {
    if (message.type === 'up') up.resolve(message.url)
    if (message.type === 'reply') waiting.get(message.id)?.(message.value)
    if (message.type === 'problem') problems.push(message)
  })
  const ended = new Promise<NodeEnd>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code, signal) => {
      hasEnded = true
      up.resolve(undefined)
      for (const answer of waiting.values()) answer(undefined)
      resolve({ code, signal })
    })
  })
  send({ type: 'start', settings })
  return {
    up: up.promise,
    ended,
    problems,
    get hasEnded() {
      return hasEnded
    },
    async ask(request) {
      if (hasEnded) return undefined
      const id = ++asked
      const { promise, resolve } = Promise.withResolvers<unknown>()
      waiting.set(id, resolve)
      send({ type: 'ask', id, request })
      try {
        return (await promise) as never
      } finally {
        waiting.delete(id)
      }
    },
    end: (signal) => void child.kill(signal),
  }
}
