import { expect, it, vi } from 'vitest'
import { usePostgres } from '../../../stores/src/postgres/fixtures/postgres-server.fixture.ts'
import { openNodes } from './nodes.fixture.ts'

const postgres = usePostgres()
/** So long that only the bell can be what a test sees. */
const NEVER_MS = 1_000_000

it('a change of one node is known to the others, and told to those who watch there', async () => {
  const [a, b] = await openNodes(postgres, 2, { compareMs: NEVER_MS })
  const heard: string[] = []
  b!.documents.watch((name) => heard.push(`b ${name}`))
  a!.documents.watch((name) => heard.push(`a ${name}`))
  await a!.documents.change('names', () => 'ada')
  expect(a!.documents.read('names')).toBe('ada')
  await vi.waitFor(() => expect(b!.documents.read('names')).toBe('ada'))
  expect(heard).toEqual(['b names'])
})

it('changes of three nodes at the same time are all kept', async () => {
  const nodes = await openNodes(postgres, 3)
  const names = Array.from({ length: 30 }, (_, index) => `name-${index}`)
  await Promise.all(
    names.map((name, index) =>
      nodes[index % 3]!.documents.change('names', (text = '[]') =>
        JSON.stringify([...(JSON.parse(text) as string[]), name]),
      ),
    ),
  )
  for (const { documents } of nodes)
    await vi.waitFor(() =>
      expect((JSON.parse(documents.read('names')!) as string[]).toSorted()).toEqual(names.toSorted()),
    )
})

it('a change whose work throws, or leaves everything, changes nothing', async () => {
  const [a] = await openNodes(postgres, 1)
  await a!.documents.change('names', () => 'ada')
  const refused = a!.documents.change('names', () => {
    throw new Error('refused')
  })
  await expect(refused).rejects.toThrow('refused')
  await a!.documents.change('names', () => undefined)
  expect((await a!.store.documents.versions()).get('names')).toBe(1)
})

it('a change is based on what another node stored a moment ago, although its ring has not arrived', async () => {
  const [a, b] = await openNodes(postgres, 2, { compareMs: NEVER_MS })
  await a!.store.documents.write('names', 0, 'of a node whose bell is lost')
  const seen: (string | undefined)[] = []
  await b!.documents.change('names', (text) => void seen.push(text))
  expect(seen).toEqual(['of a node whose bell is lost'])
})

it('a change without a ring is found when versions are compared', async () => {
  const [a, b] = await openNodes(postgres, 2, { compareMs: 20 })
  await a!.store.documents.write('names', 0, 'of a node whose bell is lost')
  await vi.waitFor(() => expect(b!.documents.read('names')).toBe('of a node whose bell is lost'))
})

it('a change that was missed with the connection of the bell is found when it is back', async () => {
  const [a, b] = await openNodes(postgres, 2, { compareMs: NEVER_MS })
  await a!.store.documents.write('names', 0, 'ada')
  const gap = new Promise<void>((resolve) => b!.bell.onGap(resolve))
  await postgres.run(
    postgres.urlOf(a!.store),
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'capstan bell'`,
  )
  await gap
  await vi.waitFor(() => expect(b!.documents.read('names')).toBe('ada'))
})

it('a node that starts later has everything', async () => {
  const [a] = await openNodes(postgres, 1)
  await a!.documents.change('names', () => 'ada')
  await a!.documents.change('names', () => 'bob')
  const url = postgres.urlOf(a!.store)
  const rows = await postgres.run<{ body: Buffer }>(url, 'SELECT body FROM documents')
  expect(rows.map(({ body }) => body.includes('bob'))).toEqual([false])
  const later = await postgres.open({ url })
  expect(await later.documents.read(['names'])).toEqual([{ name: 'names', version: 2, text: 'bob' }])
})

it('a text that was changed in the database, or is an older one, is not opened', async () => {
  const [a] = await openNodes(postgres, 1)
  const url = postgres.urlOf(a!.store)
  await a!.documents.change('names', () => 'ada')
  const [old] = await postgres.run<{ body: Buffer }>(url, 'SELECT body FROM documents')
  await a!.documents.change('names', () => 'bob')
  await postgres.run(url, 'UPDATE documents SET body = $1', [old!.body])
  expect(await a!.store.documents.read(['names'])).toEqual([{ name: 'names', version: 2, text: undefined }])
})
