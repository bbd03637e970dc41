import { appendFileSync } from 'node:fs'
import type { JobRow } from '@capstan/harness/stores'
import type { TriggerDetail } from '@capstan/protocol'
import type { Assistant } from '@capstan/server'
import { decide } from '../scenario.ts'
import { toSlug } from './app-connector.ts'
import { readMark } from './mark.ts'
import type { LookReply, SetUp, SetUpReply, SyncsReply, Told } from './messages.ts'
import type { AppKind } from './synced-app.ts'
import { APP_KINDS } from './synced-app.ts'
import { SECRET } from './send-hook.ts'
import { USER } from './user.ts'

const VISITOR = { userId: USER, browserId: 'a-cookie', redirectUri: 'http://127.0.0.1:9/oauth/callback' }
/** What is due within this time is waited for. */
const SOON_MS = 3 * 60_000

/** What a person sets up: sources of triggers, schedules, and apps that are synced. */
export async function setUp(
  assistant: Assistant,
  { schedules, kinds, apps, pages }: SetUp,
): Promise<SetUpReply> {
  const paths: Record<string, string> = {}
  for (const kind of kinds) {
    const post = { kind, name: `From ${kind}`, secret: SECRET, rule: '', budget: { usd: 1_000, runs: 1_000 } }
    const { source } = await assistant.triggers.sources.add(USER, post)
    paths[kind] = source.path!
  }
  const added: Record<string, { id: string; since: number }> = {}
  for (const { name, ...post } of schedules) {
    const { id, createdAt } = await assistant.schedules.add(USER, post)
    added[name] = { id, since: createdAt }
  }
  for (const app of apps) {
    const { connections } = assistant.integrations
    const begun = await connections.begin(USER, toSlug(app))
    await connections.signIn(begun!.id, VISITOR)
    await assistant.sync.switchOn(USER, begun!.id, { intervalMinutes: 30, days: 0, pages })
  }
  return { paths, schedules: added }
}

/** Whether everything that is due has been done, or waits for a person or for a model that never answers. */
export async function lookAround({ store, jobs }: Assistant, now: number): Promise<LookReply> {
  const all = await listJobs(jobs)
  const open = all.filter((job) => job.status === 'running' || (job.status === 'waiting' && !isDead(job)))
  const runs = (await store.runs.unfinished()).filter(({ status }) => status !== 'waiting')
  const due = open.filter(({ status, nextAt = 0 }) => status === 'running' || nextAt <= now + SOON_MS)
  const nextAt = Math.min(...due.map((job) => job.nextAt ?? now))
  return {
    isSettled: due.length === 0 && runs.length === 0,
    ...(Number.isFinite(nextAt) && { nextAt }),
    left: [
      ...due.map(
        ({ id, status, nextAt: at }) => `${id} is ${status}, due ${at === undefined ? '' : at - now}`,
      ),
      ...runs.map(({ id, status }) => `${id} is ${status}`),
    ],
  }
}

/** Once it was deferred, it is judged again and again, and no model answers. */
const isDead = ({ kind, body, attempts, lastFailure }: JobRow): boolean =>
  kind === 'trigger' &&
  (attempts > 0 || lastFailure !== undefined) &&
  readMark(JSON.stringify(body))?.trouble === 'dead'

/** All jobs of the user. */
async function listJobs(jobs: {
  list(
    userId: string,
    query: { limit: number; cursor?: JobRow },
  ): Promise<readonly JobRow[]> | readonly JobRow[]
}): Promise<readonly JobRow[]> {
  const found: JobRow[] = []
  for (;;) {
    const cursor = found.at(-1)
    const page = await jobs.list(USER, { limit: 200, ...(cursor && { cursor }) })
    found.push(...page)
    if (page.length < 200) return found
  }
}

/** A person answers every open question. The answers are noted before they are given. */
export async function answerOpen(assistant: Assistant, path: string): Promise<number> {
  const threads = assistant.threadsOf(USER)
  const open = await threads.pendingApprovals()
  for (const { id } of open) {
    const decision = decide(id)
    appendFileSync(path, `${JSON.stringify({ id, decision })}\n`)
    await threads.answer(id, decision)
  }
  return open.length
}

export async function readSyncs({ sync }: Assistant): Promise<SyncsReply> {
  const views = await sync.list(USER)
  const found: Partial<Record<AppKind, number>> = {}
  for (const app of APP_KINDS) {
    const view = views.find(({ toolkit }) => toolkit === toSlug(app))
    if (view?.lastDoneAt !== undefined) found[app] = view.lastDoneAt
  }
  return found
}

/** What screens show of schedules and triggers. */
export async function tell({ schedules, triggers }: Assistant): Promise<Told> {
  const found: TriggerDetail[] = []
  for (let after: string | undefined; ;) {
    const page = await triggers.activity.list(USER, { limit: 100, ...(after !== undefined && { after }) })
    for (const { id } of page!.triggers) found.push((await triggers.activity.get(USER, id))!)
    if (page!.next === undefined) return { schedules: await schedules.list(USER), triggers: found }
    after = page!.next
  }
}
