import type { Store } from '../../ports/store.ts'

/** A store whose process is killed after its n-th commit. */
export interface KillableStore {
  readonly store: Store
  /** Commits so far. */
  readonly commits: number
  readonly isKilled: boolean
  /** Settles when the process is killed. */
  readonly killed: Promise<void>
  /** Kills the process now. */
  kill(): void
}

/**
 * Everything committed up to the kill is in the inner store. The n-th commit and all later operations never settle.
 * Without a number the process is not killed.
 */
export function killAfterCommit(store: Store, n = Infinity): KillableStore {
  const { promise: killed, resolve: onKill } = Promise.withResolvers<void>()
  let commits = 0
  let isKilled = false
  const kill = () => {
    isKilled = true
    onKill()
  }
  const never = () => new Promise<never>(() => {})
  const killable = <Port extends object>(port: Port): Port =>
    new Proxy(port, {
      get(target, name) {
        const method: unknown = Reflect.get(target, name)
        if (typeof method !== 'function') return method
        return (...args: unknown[]): unknown => {
          if (isKilled) return never()
          const result: unknown = method.apply(target, args)
          if (name !== 'commit' || ++commits < n) return result
          kill()
          return never()
        }
      },
    })
  return {
    store: {
      ledger: killable(store.ledger),
      threads: killable(store.threads),
      runs: killable(store.runs),
      approvals: killable(store.approvals),
      artifacts: store.artifacts,
      connections: killable(store.connections),
      audit: killable(store.audit),
      memory: killable(store.memory),
      jobs: killable(store.jobs),
      notices: store.notices,
      close: () => {},
    },
    get commits() {
      return commits
    },
    get isKilled() {
      return isKilled
    },
    killed,
    kill,
  }
}
