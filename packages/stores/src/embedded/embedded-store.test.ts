import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Store } from '@capstan/harness/stores'
import { testStore } from '@capstan/harness/testing/suites'
import { expect, it } from 'vitest'
import { openEmbeddedStore } from './open-store.ts'
import { useStoreFolders } from './fixtures/store-folder.fixture.ts'

const createFolder = useStoreFolders()
const folders = new WeakMap<Store, string>()

function open(folder: string): Store {
  const store = openEmbeddedStore({ folder })
  folders.set(store, folder)
  return store
}

testStore('the embedded store', async () => open(await createFolder()), {
  async reopen(store) {
    await store.close()
    return open(folders.get(store)!)
  },
  editApproval(store, approvalId) {
    const db = new DatabaseSync(join(folders.get(store)!, 'capstan.db'), { timeout: 1000 })
    db.prepare(`UPDATE approvals SET arguments = '{"forged":true}' WHERE id = ?`).run(approvalId)
    db.close()
  },
})

it.runIf(process.platform === 'linux')('a folder that cannot be made is refused at once', () => {
  expect(() => openEmbeddedStore({ folder: '/proc/capstan/data' })).toThrow(
    expect.objectContaining({
      name: 'StoreError',
      kind: 'io',
      message: expect.stringContaining('/proc/capstan/data cannot be made') as string,
    }),
  )
})
