import type { Adapter } from 'oidc-provider'

type Payload = Record<string, unknown>

/** What an authorisation server keeps, for one test. */
export function createMemoryAdapters(): (kind: string) => Adapter {
  const kinds = new Map<string, Map<string, Payload>>()
  return (kind) => {
    const rows = kinds.get(kind) ?? new Map<string, Payload>()
    kinds.set(kind, rows)
    const findBy = (key: string, value: string) =>
      Promise.resolve([...rows.values()].find((row) => row[key] === value))
    return {
      upsert: (id, payload) => Promise.resolve(void rows.set(id, payload)),
      find: (id) => Promise.resolve(rows.get(id)),
      findByUid: (uid) => findBy('uid', uid),
      findByUserCode: (code) => findBy('userCode', code),
      consume: (id) => Promise.resolve(void rows.set(id, { ...rows.get(id), consumed: Date.now() / 1000 })),
      destroy: (id) => Promise.resolve(void rows.delete(id)),
      revokeByGrantId(grantId) {
        for (const [id, row] of rows) if (row['grantId'] === grantId) rows.delete(id)
        return Promise.resolve()
      },
    }
  }
}
