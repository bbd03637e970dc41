import type { ConnectionStore, Store } from '@capstan/harness/stores'
import { testConnectionStore, testStore } from '@capstan/harness/testing/suites'
import { usePostgres } from './fixtures/postgres-server.fixture.ts'

const postgres = usePostgres()

async function reopen(store: Store): Promise<Store> {
  const url = postgres.urlOf(store)
  await store.close()
  return postgres.open({ url })
}

testStore('a store on PostgreSQL', () => postgres.open(), {
  reopen,
  async editApproval(store, approvalId) {
    const sql = `UPDATE approvals SET request = jsonb_set(request::jsonb, '{arguments}', '"forged"') WHERE id = $1`
    await postgres.run(postgres.urlOf(store), sql, [approvalId])
  },
})

const stores = new WeakMap<ConnectionStore, Store>()
const urlOf = (connections: ConnectionStore): string => postgres.urlOf(stores.get(connections)!)
const keep = (store: Store): ConnectionStore => {
  stores.set(store.connections, store)
  return store.connections
}

testConnectionStore('a store on PostgreSQL', async () => keep(await postgres.open()), {
  reopen: async (connections) => keep(await reopen(stores.get(connections)!)),
  async tamper(connections, id) {
    const sql =
      'UPDATE secrets SET locked = set_byte(locked, 20, get_byte(locked, 20) # 1) WHERE connection = $1'
    await postgres.run(urlOf(connections), sql, [id])
  },
  async swap(connections, from, to) {
    const sql = `UPDATE secrets SET locked = other.locked FROM secrets AS other
      WHERE secrets.connection = $2 AND other.connection = $1`
    await postgres.run(urlOf(connections), sql, [from, to])
  },
  async dump(connections) {
    const rows = await postgres.run<{ locked: Buffer }>(urlOf(connections), 'SELECT locked FROM secrets')
    return Buffer.concat(rows.map(({ locked }) => locked))
  },
})
