import type { ThreadId, ThreadPage, ThreadRow } from '@capstan/protocol'
import { describe, expect, it, vi } from 'vitest'
import { createLogger } from '../../observe/logger.ts'
import { startTestServer } from '../test-server.fixture.ts'

describe('the list of threads', () => {
  it('has every thread on exactly one page, also when many changed at the same time', async () => {
    const server = await startTestServer()
    const client = await server.logIn()
    for (let no = 0; no < 130; no++) {
      const at = 1000 + Math.floor(no / 7)
      await server.assistant.store.threads.create({ id: `thread_${no}` as ThreadId, userId: 'local', at })
    }
    const found: string[] = []
    for (let before: number | undefined, pages = 0; pages < 20; pages++) {
      const more = before === undefined ? '' : `&before=${before}`
      const page = await client.json<ThreadPage>('GET', `/api/threads?limit=10${more}`)
      found.push(...page.threads.map(({ id }) => id))
      before = page.next
      if (before === undefined) break
    }
    expect(found).toHaveLength(130)
    expect(new Set(found).size).toBe(130)
  })
})

describe('the export', () => {
  it('contains every thread once, archived ones included', async () => {
    const server = await startTestServer()
    const client = await server.logIn()
    const { threads } = server.assistant.store
    const ids = Array.from({ length: 450 }, (_, no) => `thread_${no}` as ThreadId)
    for (const [no, id] of ids.entries()) {
      const at = no < 400 ? 1000 : 2000 + no
      await threads.create({ id, userId: 'local', title: `T ${no}`, at })
      if (no % 5 === 0) await threads.archive(id, at)
    }
    const text = await (await client.request('/api/export')).text()
    const found = text
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as ThreadRow).id)
    expect(found).toHaveLength(450)
    expect(new Set(found)).toEqual(new Set(ids))
  })

  it('breaks off when a thread cannot be read, and only the log has the error', async () => {
    const lines: string[] = []
    const logger = createLogger({ level: 'warn', to: { write: (line) => void lines.push(line) } })
    const logged = vi.spyOn(console, 'error')
    const server = await startTestServer({ logger })
    const client = await server.logIn()
    const { threads, ledger } = server.assistant.store
    for (const no of [1, 2, 3])
      await threads.create({ id: `thread_${no}` as ThreadId, userId: 'local', title: 'T', at: no })
    const read = ledger.read.bind(ledger)
    let count = 0
    ledger.read = (id) => {
      if (++count === 2) throw new Error('the disk is gone')
      return read(id)
    }
    const answer = await client.request('/api/export')
    await expect(answer.text()).rejects.toThrow()
    expect(lines.filter((line) => line.includes('the disk is gone'))).toHaveLength(1)
    expect(logged).not.toHaveBeenCalled()
    expect((await client.request('/api/me')).status).toBe(200)
  })
})
