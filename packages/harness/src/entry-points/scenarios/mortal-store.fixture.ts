import type { Store } from '../../ports/store.ts'

/** A store as a process has it that will be gone after its n-th commit. */
export interface MortalStore {
  readonly store: Store
  /** Commits so far. */
  readonly commits: number
  readonly isDead: boolean
  /** Settles when the process is gone. */
  readonly death: Promise<void>
  /** It is gone now. */
  kill(): void
}

/**
 * What was committed up to the end is there; whoever waited for that commit, or asks for anything later, never hears
 * again. Without a number it lives on.
 */
export function dieAfterCommit(store: Store, n = Infinity): MortalStore {
  const { promise: death, resolve: die } = Promise.withResolvers<void>()
  let commits = 0
  let isDead = false
  const kill = () => {
    isDead = true
    die()
  }
  const never = () => new Promise<never>(() => {})
  const mortal = <Port extends object>(port: Port): Port =>
    new Proxy(port, {
      get(target, name) {
        const method: unknown = Reflect.get(target, name)
        if (typeof method !== 'function') return method
        return (...args: unknown[]): unknown => {
          if (isDead) return never()
          const result: unknown = method.apply(target, args)
          if (name !== 'commit' || ++commits < n) return result
          kill()
          return never()
        }
      },
    })
  return {
    store: {
      ledger: mortal(store.ledger),
      threads: mortal(store.threads),
      runs: mortal(store.runs),
      approvals: mortal(store.approvals),
      artifacts: store.artifacts,
      connections: mortal(store.connections),
      notices: store.notices,
      close: () => {},
    },
    get commits() {
      return commits
    },
    get isDead() {
      return isDead
    },
    death,
    kill,
  }
}
