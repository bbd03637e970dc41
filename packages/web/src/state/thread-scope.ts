import { createContext, use, useState } from 'react'
import type { CallId, RunId } from '@capstan/protocol'
import type { Turn } from '@capstan/client'

/** What everything inside of one thread may need, however deep it is drawn. */
export interface ThreadScope {
  readonly threadId: string
  /** The call a link points to. */
  readonly target?: CallTarget
  /** Asks the same once more, as a new message. Absent while that cannot be done. */
  readonly askAgain?: (turn: Turn) => void
  /** What was opened stays open when it is scrolled away and drawn again. */
  readonly opened: Map<string, boolean>
}

/** Two runs of a thread may use the same call id; a link may name the run, too. */
export interface CallTarget {
  readonly callId: CallId
  readonly runId?: RunId
}

export const ThreadScopeContext = createContext<ThreadScope>({ threadId: '', opened: new Map() })

export function useThreadScope(): ThreadScope {
  return use(ThreadScopeContext)
}

export function isTarget(
  target: CallTarget | undefined,
  { callId, runId }: { readonly callId: CallId; readonly runId: RunId },
): boolean {
  return target?.callId === callId && (target.runId === undefined || target.runId === runId)
}

/** Whether something is open, kept for as long as the thread is. */
export function useOpened(key: string, byDefault: boolean): readonly [boolean, (isOpen: boolean) => void] {
  const { opened } = useThreadScope()
  const [own, setOwn] = useState(() => opened.get(key))
  return [
    own ?? byDefault,
    (isOpen) => {
      opened.set(key, isOpen)
      setOwn(isOpen)
    },
  ]
}

/** A call as it stands in an address: its run too, because an id alone does not name it. */
export const toCallParam = ({ callId, runId }: Required<CallTarget>): string => `${runId}:${callId}`

export function parseCallParam(param: string): CallTarget {
  const at = param.indexOf(':')
  if (at === -1) return { callId: param as CallId }
  return { runId: param.slice(0, at) as RunId, callId: param.slice(at + 1) as CallId }
}
