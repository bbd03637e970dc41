import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ScriptedModel } from '@capstan/harness/testing'
import type { ProposedMapping } from '@capstan/protocol'
import { expect, it, onTestFinished } from 'vitest'
import { startLibraryServer } from '../../../../connectors/src/mcp/scenarios/library-server.fixture.ts'
import { main } from '../../main.ts'
import { createFakeShell } from '../../testing/fake-shell.ts'
import { startRunningServer } from '../../testing/running-server.ts'

async function open() {
  const library = await startLibraryServer(
    ['a', 'b', 'c'].map((name) => ({ uri: `file:///${name}`, name, text: `The text of ${name}.` })),
  )
  library.hasResources = false
  onTestFinished(() => library.stop())
  const { home, assistant } = await startRunningServer({ model: new ScriptedModel() })
  await assistant.addMcpServer('local', { name: 'Library', transport: { type: 'http', url: library.url } })
  const capstan = async (args: readonly string[], stdin = '') => {
    const shell = createFakeShell({ stdin, env: { CAPSTAN_HOME: home, NO_COLOR: '1' } })
    const code = await main(args, shell)
    return { code, out: shell.out(), err: shell.err() }
  }
  return { home, assistant, capstan }
}

it('capstan sync map proposes, sets, prints and removes a mapping, with which an account is synced', async () => {
  const { home, assistant, capstan } = await open()
  expect((await capstan(['sync', 'map', 'library'])).out).toContain('has no mapping')
  expect(await capstan(['connect', 'library'])).toMatchObject({ code: 0 })
  const proposed = await capstan(['sync', 'map', 'library', '--propose', '--json'])
  const { mapping } = JSON.parse(proposed.out) as ProposedMapping
  expect((await capstan(['sync', 'map', 'library', '--propose'])).out).toContain(
    '"list_documents" lists the items, "read_document" reads each text.',
  )
  expect((await capstan(['sync', 'map', 'library', '--json'])).out).toBe('{"sync":null}\n')
  const file = join(home, 'mapping.json')
  await writeFile(file, JSON.stringify(mapping))
  expect(await capstan(['sync', 'map', 'library', '--file', file])).toMatchObject({ code: 0 })
  expect((await capstan(['sync', 'map', 'library'])).out).toContain('"items": "found.documents"')
  expect(await capstan(['sync', 'on', 'library', '--yes', '--wait'])).toMatchObject({ code: 0 })
  expect(await assistant.store.memory.sources('local')).toMatchObject([{ app: 'library', count: 3 }])

  const forgot = await capstan(['memory', 'forget', '--app', 'library', '--yes'])
  expect(forgot.out).toMatch(/^Forgot 3 items\.\nIts sync is still on.*\n {2}capstan sync off \S+\n$/)

  expect(await capstan(['sync', 'map', 'library', '--remove'])).toMatchObject({ code: 0 })
  expect((await capstan(['sync', 'map', 'library', '--json'])).out).toBe('{"sync":null}\n')
})

it('capstan sync map refuses what it cannot use, and says which field', async () => {
  const { capstan } = await open()
  const wrong = JSON.stringify({
    list: { action: 'list_documents', items: 'a', cursor: 'page' },
    fields: { id: 'uri', text: 't' },
  })
  const refused = await capstan(['sync', 'map', 'library', '--file', '-'], wrong)
  expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('sync.list') as string })
  expect(await capstan(['sync', 'map', 'library', '--file', '-'], '{')).toMatchObject({ code: 1 })
  expect((await capstan(['sync', 'map', 'library', '--propose'])).err).toContain('Connect an account')
  expect((await capstan(['sync', 'map', 'other'])).err).toContain('Added are: library.')
  expect(await capstan(['sync', 'map'])).toMatchObject({ code: 2 })
  expect(await capstan(['sync', 'map', 'library', '--remove', '--propose'])).toMatchObject({ code: 2 })
  expect(await capstan(['sync', 'list', '--propose'])).toMatchObject({ code: 2 })
})
