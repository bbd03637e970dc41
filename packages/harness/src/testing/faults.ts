import type { TurnEvent } from '@capstan/protocol'
import type { ModelClient } from '../models/model-client.ts'
import type { ArtifactStore } from '../ports/artifact-store.ts'
import type { ConnectionStore } from '../ports/connection-store.ts'
import type { Store } from '../ports/store.ts'
import type { Clock } from '../turn/clock.ts'
import { systemClock } from '../turn/clock.ts'
import { ModelError, StoreError } from '../turn/errors.ts'
import type { Tool, ToolContext } from '../turn/tool/tool.ts'

/**
 * Where a fault may strike. `store.commit` is every write, `store.read` every read. A tool has two points: before it runs,
 * and after it has run but before its result is returned.
 */
export const FAULT_POINTS = [
  'store.commit',
  'store.sync',
  'store.read',
  'model.stream',
  'model.part',
  'tool.before',
  'tool.after',
  'emit',
] as const

/** A place where a fault may strike. */
export type FaultPoint = (typeof FAULT_POINTS)[number]

/** A planned fault. Operations are counted from 1, failed ones included. */
export interface Fault {
  /** `any` counts the operations of all points together. */
  readonly point: FaultPoint | 'any'
  readonly at: number
  /** How many operations in a row are affected. Default: one. */
  readonly times?: number
  readonly action:
    | 'fail' // throws without doing the operation
    | 'delay' // waits, then does the operation
    | 'kill' // kills this process before the operation
    | 'kill-after' // kills this process after the operation, before its result is returned
  /** For `delay`: milliseconds on the clock, or a promise to wait for. */
  readonly delay?: number | Promise<unknown>
}

/** Injects planned faults into operations. */
export interface Faults {
  /** Does the operation, or applies the fault that is planned for it. */
  strike<Result>(point: FaultPoint, operation: () => Result): Result | Promise<Awaited<Result>>
  /** The number of operations so far, of one point or of all. */
  count(point: FaultPoint | 'any'): number
  /** The faults that struck, in order, such as `store.commit 3 fail`. */
  readonly struck: readonly string[]
}

/** Options of `createFaults`. */
export interface FaultOptions {
  readonly clock?: Clock
  /** Kills this process. Default: SIGKILL to itself. */
  readonly kill?: () => void
}

/** Creates the faults of a plan. The plan may be changed later. */
export function createFaults(
  plan: readonly Fault[] = [],
  { clock = systemClock, kill = () => void process.kill(process.pid, 'SIGKILL') }: FaultOptions = {},
): Faults {
  const counts = new Map<FaultPoint | 'any', number>()
  const struck: string[] = []
  const count = (point: FaultPoint | 'any') => counts.get(point) ?? 0
  const tick = (point: FaultPoint | 'any') => counts.set(point, count(point) + 1)

  const isDue = ({ point: where, at, times = 1 }: Fault, point: FaultPoint) =>
    (where === 'any' || where === point) && count(where) >= at && count(where) < at + times

  return {
    struck,
    count,
    strike<Result>(point: FaultPoint, operation: () => Result): Result | Promise<Awaited<Result>> {
      tick('any')
      tick(point)
      const due = plan.filter((fault) => isDue(fault, point))
      if (due.length === 0) return operation()
      for (const { action } of due) struck.push(`${point} ${count(point)} ${action}`)
      const has = (action: Fault['action']) => due.some((fault) => fault.action === action)
      if (has('kill')) kill()
      if (has('fail')) throw toError(point)
      const act = (): Result | Promise<Awaited<Result>> => {
        const result = operation()
        if (!has('kill-after')) return result
        if (result instanceof Promise) return (result as Promise<Awaited<Result>>).finally(kill)
        kill()
        return result
      }
      const late = due.find((fault) => fault.action === 'delay')?.delay
      return late === undefined ? act() : waitFor(late, clock).then(act as () => Awaited<Result>)
    },
  }
}

async function waitFor(delay: number | Promise<unknown>, clock: Clock): Promise<void> {
  if (typeof delay !== 'number') await delay
  else await new Promise<void>((resolve) => void clock.after(delay, resolve))
}

function toError(point: FaultPoint): Error {
  if (point.startsWith('store.')) return new StoreError('io', `The disk failed (${point}, on purpose).`)
  if (point.startsWith('model.')) {
    const facts = { kind: 'network', model: 'faulty/model', retryable: true } as const
    return new ModelError(`the connection broke (${point}, on purpose)`, facts)
  }
  return new Error(`it broke (${point}, on purpose)`)
}

/** Wraps a store so that faults can strike every operation except `close`. */
export function faultyStore(store: Store, faults: Faults): Store {
  return {
    ledger: expose(store.ledger, faults, { commit: 'store.commit', sync: 'store.sync' }),
    threads: expose(store.threads, faults, {
      create: 'store.commit',
      rename: 'store.commit',
      archive: 'store.commit',
      setQueueMode: 'store.commit',
      delete: 'store.commit',
    }),
    runs: expose(store.runs, faults, {}),
    approvals: expose(store.approvals, faults, {
      answer: 'store.commit',
      expire: 'store.commit',
      revokeGrant: 'store.commit',
    }),
    artifacts: faultyArtifacts(store.artifacts, faults),
    connections: faultyConnections(store.connections, faults),
    audit: expose(store.audit, faults, { record: 'store.commit' }),
    memory: expose(store.memory, faults, {
      put: 'store.commit',
      remove: 'store.commit',
      removeAll: 'store.commit',
    }),
    jobs: expose(store.jobs, faults, {
      add: 'store.commit',
      change: 'store.commit',
      remove: 'store.commit',
      removeAllOf: 'store.commit',
      claimDue: 'store.commit',
      renew: 'store.commit',
      save: 'store.commit',
      end: 'store.commit',
    }),
    notices: store.notices,
    close: () => store.close(),
  }
}

/** A method without a named point counts as a read. */
function expose<Port extends object>(
  port: Port,
  faults: Faults,
  points: { readonly [Name in keyof Port]?: FaultPoint },
): Port {
  return new Proxy(port, {
    get(target, name: keyof Port & string) {
      const method: unknown = target[name]
      if (typeof method !== 'function') return method
      const point = points[name] ?? 'store.read'
      return (...args: unknown[]) => faults.strike(point, () => method.apply(target, args) as unknown)
    },
  })
}

function faultyConnections({ vault, ...connections }: ConnectionStore, faults: Faults): ConnectionStore {
  return {
    ...expose(connections, faults, {
      create: 'store.commit',
      change: 'store.commit',
      makeDefault: 'store.commit',
      openFlow: 'store.commit',
      takeFlow: 'store.commit',
      setScopes: 'store.commit',
      rememberActions: 'store.commit',
    }),
    vault: expose(vault, faults, { write: 'store.commit', delete: 'store.commit' }),
  }
}

function faultyArtifacts(artifacts: ArtifactStore, faults: Faults): ArtifactStore {
  return {
    create(name) {
      const writer = artifacts.create(name)
      return {
        write: async (text) => faults.strike('store.commit', () => writer.write(text)),
        close: async () => faults.strike('store.commit', () => writer.close()),
        discard: () => writer.discard(),
      }
    },
    read: async (...args) => faults.strike('store.read', () => artifacts.read(...args)),
  }
}

/** Wraps a model so that faults can strike the call and each part of its reply. */
export function faultyModel(model: ModelClient, faults: Faults): ModelClient {
  return {
    id: model.id,
    abilities: model.abilities,
    stream: async (request, signal, onPart) =>
      faults.strike('model.stream', () =>
        model.stream(request, signal, (part) => faults.strike('model.part', () => onPart(part))),
      ),
  }
}

/** Wraps a tool so that faults can strike before it runs and after it has run. */
export function faultyTool(tool: Tool, faults: Faults): Tool {
  const run = (args: never, context: ToolContext): unknown => {
    const ready = faults.strike('tool.before', () => {})
    const ran = ready instanceof Promise ? ready.then(() => tool.run(args, context)) : tool.run(args, context)
    const finish = (result: unknown) => faults.strike('tool.after', () => result)
    return ran instanceof Promise ? ran.then(finish) : finish(ran)
  }
  return { ...tool, run }
}

/** Wraps a watcher so that faults can strike each event. */
export function faultyWatcher(
  onEvent: (event: TurnEvent) => void | Promise<void>,
  faults: Faults,
): (event: TurnEvent) => void | Promise<void> {
  return (event) => faults.strike('emit', () => onEvent(event))
}
