import type { Login, LoginsFile } from './logins-file.ts'

const HOUR_MS = 3_600_000

/** When this node last saw each login. It is stored once an hour, which saves writes. */
export interface LoginUses {
  of(login: Login): number
  /** Never throws: that a use cannot be stored must not refuse a login. */
  note(login: Login): void
}

export function createUses(file: LoginsFile, now: () => number): LoginUses {
  const seen = new Map<string, number>()
  const stored = new Map<string, number>()

  file.watch(({ logins }) => {
    for (const hash of seen.keys())
      if (!logins.has(hash)) {
        seen.delete(hash)
        stored.delete(hash)
      }
  })

  return {
    of: ({ hash, usedAt }) => Math.max(usedAt, seen.get(hash) ?? 0),
    note({ hash, usedAt }) {
      const at = now()
      seen.set(hash, at)
      if (at - Math.max(usedAt, stored.get(hash) ?? 0) < HOUR_MS) return
      stored.set(hash, at) // also when it fails: the next try is in an hour
      const store = file.change(({ logins }) => {
        const login = logins.get(hash)
        if (!login) return false
        logins.set(hash, { ...login, usedAt: Math.max(login.usedAt, at) })
      })
      store.catch(() => {})
    },
  }
}
