import type { Store } from '@capstan/harness/stores'

/** What stores something, in any port. */
const WRITES: ReadonlySet<string> = new Set(['add', 'claimDue', 'save', 'end', 'commit', 'create', 'write'])

/** A store whose process is killed after its n-th write: that one is stored, and nothing settles from then on. */
export function killAfterWrite(store: Store, n: number) {
  const { promise: killed, resolve: onKill } = Promise.withResolvers<void>()
  let writes = 0
  let isKilled = false
  const never = () => new Promise<never>(() => {})
  const count = (result: unknown): unknown => {
    const isWrite = !Array.isArray(result) || result.length > 0
    if (isKilled || (isWrite && ++writes >= n)) {
      isKilled = true
      onKill()
      return never()
    }
    return result
  }
  const killable = <Port extends object>(port: Port): Port =>
    new Proxy(port, {
      get(target, name) {
        const method: unknown = Reflect.get(target, name)
        if (typeof method !== 'function') return method
        return (...args: unknown[]): unknown => {
          if (isKilled) return never()
          const result: unknown = method.apply(target, args)
          if (!WRITES.has(String(name))) return result
          return result instanceof Promise ? result.then(count) : count(result)
        }
      },
    })
  const connections = new Proxy(store.connections, {
    get: (target, name) =>
      name === 'vault' ? killable(target.vault) : (Reflect.get(target, name) as unknown),
  })
  return {
    store: {
      ...store,
      jobs: killable(store.jobs),
      ledger: killable(store.ledger),
      threads: killable(store.threads),
      runs: killable(store.runs),
      connections,
    },
    killed,
    get isKilled() {
      return isKilled
    },
  }
}
