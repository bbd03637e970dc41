// A store holds everything that outlives a process. This one writes threads and their ledgers to one file, a line of JSON
// per change, and reads the file when it is opened.
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createThreads } from '@capstan/harness'
import type { LedgerRecord, Store, ThreadStore } from '@capstan/harness/stores'
import { createMemoryStore } from '@capstan/harness/stores'
import { ScriptedModel, says } from '@capstan/harness/testing'

type NewThread = Parameters<ThreadStore['create']>[0]
type Line = { thread: NewThread } | { threadId: NewThread['id']; records: readonly LedgerRecord[] }

function openFileStore(file: string): Store {
  const memory = createMemoryStore()
  const { threads, ledger } = memory
  const append = (line: Line) => appendFileSync(file, `${JSON.stringify(line)}\n`)

  for (const text of existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []) {
    if (text === '') continue
    const line = JSON.parse(text) as Line
    if ('thread' in line) void threads.create(line.thread)
    else ledger.commit(line.threadId, line.records)
  }
  return {
    ...memory,
    threads: {
      ...threads,
      async create(thread) {
        if (!(await threads.get(thread.id))) append({ thread })
        return threads.create(thread)
      },
    },
    ledger: {
      ...ledger,
      commit(threadId, records) {
        ledger.commit(threadId, records) // throws for records that do not fit, before anything is written
        append({ threadId, records })
      },
    },
  }
}

const folder = mkdtempSync(join(tmpdir(), 'capstan-store-'))
const file = join(folder, 'threads.jsonl')
try {
  const first = createThreads({
    store: openFileStore(file),
    agent: { model: new ScriptedModel(says('Hello, Ada.')) },
  })
  const { id } = await first.create({ title: 'Names' })
  await (await first.open(id)).send('My name is Ada.')
  await first.stop()

  const model = new ScriptedModel(says('Your name is Ada.'))
  const second = createThreads({ store: openFileStore(file), agent: { model } })
  const outcome = await (await second.open(id)).send('What is my name?')
  const [thread] = await second.list()
  console.log(`${thread?.title}: ${outcome.text}`)
  console.log(
    model
      .request(0)
      .messages.map(({ role }) => role)
      .join(', '),
  )
} finally {
  rmSync(folder, { recursive: true })
}
