import { hash } from 'node:crypto'
import type { ThreadId } from '@capstan/protocol'
import { readArtifact } from './artifacts.ts'
import type { Summing } from './checksum.ts'
import { toCanonical } from './checksum.ts'
import type { Contents } from './contents.ts'
import { withoutNul } from './copy-table.ts'

/** Adds everything of one kind, read through the ports. */
export type AddAll = (contents: Contents, sum: Summing) => Promise<void>

const sorted = <Value>(values: readonly Value[]): Value[] =>
  values.toSorted((a, b) => (toCanonical(a) < toCanonical(b) ? -1 : 1))

/** The bytes are hashed by themselves: some are large. */
const digest = (bytes: Uint8Array | string | undefined): string | undefined =>
  bytes === undefined ? undefined : hash('sha256', bytes)

const perThread =
  (add: (contents: Contents, id: ThreadId, sum: Summing) => Promise<void>): AddAll =>
  async (contents, sum) => {
    for (const id of await contents.threadIds()) await add(contents, id, sum)
  }

const perUser =
  (read: (contents: Contents, userId: string) => Promise<Iterable<unknown>> | Iterable<unknown>): AddAll =>
  async (contents, sum) => {
    for (const userId of sorted(await contents.users()))
      for (const value of await read(contents, userId)) sum.add([userId, value])
  }

const threads: AddAll = async (contents, sum) => {
  const { store } = contents
  for (const id of await contents.threadIds()) {
    const row = await store.threads.get(id)
    sum.add([row && { ...row, title: withoutNul(row.title) }, await store.ledger.lastSeq(id)])
  }
  const listed = perUser(async (_contents, userId) => [
    (await store.threads.list({ userId })).map(({ id }) => id),
    (await store.threads.list({ userId, archived: true })).map(({ id }) => id),
  ])
  await listed(contents, sum)
}

/** All records in their order, with the bytes of media. Events are among them, with their numbers. */
const records = perThread(async ({ store }, id, sum) => {
  for (const record of await store.ledger.read(id)) sum.add([id, record])
})

const events = perThread(async ({ store }, id, sum) => {
  for (const event of await store.ledger.readEvents(id, 0)) sum.add([id, event.seq, event.type])
})

const media = perThread(async ({ store }, id, sum) => {
  const refs = new Set<string>()
  for (const record of await store.ledger.read(id)) if (record.type === 'media') refs.add(record.ref)
  for (const ref of refs) sum.add([id, ref, digest(await store.ledger.readMedia(id, ref))])
})

const artifacts = perThread(async (contents, id, sum) => {
  for (const artifact of sorted(await contents.artifactIds(id))) {
    const parts: (string | undefined)[] = []
    for await (const part of readArtifact(contents.store.artifacts, id, artifact)) parts.push(digest(part))
    sum.add([id, artifact, parts])
  }
})

const runs: AddAll = async (contents, sum) => {
  const { store } = contents
  await perUser((_contents, userId) => store.runs.list({ userId }))(contents, sum)
  sum.add((await store.runs.unfinished()).map(({ id }) => id))
}

/** Each call with its amounts; and the sums that screens show, without money: sums of fractions depend on their order. */
const usage: AddAll = async (contents, sum) => {
  for (const row of await contents.usage()) sum.add(row)
  const sums = perUser(async ({ store }, userId) => {
    const rows = await store.runs.usage({ userId })
    return sorted(
      rows.map(({ model, calls, usage: { chargedUsd: _charged, estimatedUsd: _estimated, ...tokens } }) => [
        withoutNul(model),
        calls,
        tokens,
      ]),
    )
  })
  await sums(contents, sum)
}

const connections: AddAll = async (contents, sum) => {
  const { connections: store } = contents.store
  for (const id of await contents.connectionIds()) {
    const row = await store.get(id)
    const shown = row && {
      ...row,
      label: withoutNul(row.label),
      reason: row.reason && withoutNul(row.reason),
    }
    sum.add([shown, await store.knownActions(id)])
  }
  const listed = perUser(async (_contents, userId) => (await store.list(userId)).map(({ id }) => id))
  await listed(contents, sum)
}

const choices: AddAll = async (contents, sum) => {
  const { connections: store } = contents.store
  for (const { user, toolkit } of sorted(await contents.choices()))
    sum.add([user, toolkit, await store.scopes(user, toolkit), await store.actionEffects(user, toolkit)])
}

const vectors: AddAll = async (contents, sum) => {
  for await (const { user, item, model, dimensions, signs, vector } of contents.vectors())
    sum.add([user, item, model, dimensions, digest(signs), digest(vector)])
}

const secrets: AddAll = async (contents, sum) => {
  for (const id of sorted(await contents.secretIds()))
    sum.add([id, await contents.store.connections.vault.read(id)])
}

/** Whether words are found that stand in the titles: the same threads, whatever their order. */
const search: AddAll = async (contents, sum) => {
  const words = perUser(async ({ store }, userId) => {
    const rows = await store.threads.list({ userId })
    const typed = new Set(
      rows.flatMap(({ title }) => /\b[a-z]{3,20}\b/i.exec(title)?.[0].toLowerCase() ?? []),
    )
    const found: unknown[] = []
    for (const word of sorted([...typed]).slice(0, MAX_WORDS)) {
      const hits = await store.threads.search({ userId, words: word })
      found.push([word, sorted(hits.map(({ thread }) => thread.id))])
    }
    return found
  })
  await words(contents, sum)
}
const MAX_WORDS = 100

/** Lines with their numbers. The new log has one more: `lastNo` is the last one of the old log. */
const audit =
  (lastNo: number): AddAll =>
  async ({ store }, sum) => {
    for (let after = 0; ;) {
      const lines = await store.audit.read({ after, limit: LINES_AT_ONCE })
      for (const line of lines) if (line.no <= lastNo) sum.add(line)
      const last = lines.at(-1)
      if (!last || last.no > lastNo) return
      after = last.no
    }
  }
const LINES_AT_ONCE = 2_000

/** Every kind of thing that is compared. `lastNo`: of the audit log that was moved. */
export const kindsOf = (lastNo: number): Readonly<Record<string, AddAll>> => ({
  threads,
  records,
  events,
  media,
  artifacts,
  runs,
  usage,
  queued: async ({ store }, sum) => {
    for (const { id } of await store.threads.withQueued()) sum.add(id)
  },
  approvals: perUser(({ store }, userId) => store.approvals.list({ userId, now: 0 })),
  grants: perUser(({ store }, userId) => store.approvals.listGrants(userId, 0)),
  connections,
  choices,
  memory: perUser(({ store }, userId) => store.memory.list(userId)),
  vectors,
  facts: perUser(({ store }, userId) => store.memory.facts.list(userId)),
  jobs: perUser(({ store }, userId) => store.jobs.list(userId)),
  secrets,
  'sign-ins': async (contents, sum) => {
    for (const row of sorted(await contents.signIns())) sum.add(row)
  },
  audit: audit(lastNo),
  search,
  documents: async (contents, sum) => {
    for (const { name, text } of sorted(await contents.documents())) sum.add([name, digest(text)])
  },
})
