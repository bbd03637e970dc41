import type { RunId, ThreadId } from '@capstan/protocol'
import { describe, expect, it } from 'vitest'
import type { Store } from '../../ports/store.ts'
import {
  CALL,
  OTHER_THREAD,
  OTHER_USER,
  RUN,
  THREAD,
  USER,
  approval,
  beginTurn,
  childStart,
  done,
  event,
  problemOf,
  readResult,
  runEnd,
  runStart,
  usageOf,
} from './records.ts'

/** Tests the threads of a store. */
export function testThreads(open: () => Promise<Store>): void {
  const idsOf = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id)

  describe('its threads', () => {
    it('are empty when created', async () => {
      const store = await open()
      const row = { id: THREAD, userId: USER, title: '', createdAt: 1_000, updatedAt: 1_000 }
      expect(await store.threads.create({ id: THREAD, userId: USER, at: 1_000 })).toEqual(row)
      expect(await store.threads.get(THREAD)).toEqual(row)
      expect(await store.threads.get(OTHER_THREAD)).toBeUndefined()
    })

    it('are found by queued messages that have not reached the model', async () => {
      const store = await open()
      await beginTurn(store)
      expect(await store.threads.withQueued()).toEqual([])
      await store.ledger.commit(THREAD, [
        { type: 'message-queue', at: 1_100, id: 'queued_1', mode: 'steer', text: 'and tea' },
        { type: 'message-queue', at: 1_100, id: 'queued_2', mode: 'follow-up', text: 'then cake' },
      ])
      await store.ledger.commit(THREAD, [{ type: 'message-dequeue', at: 1_200, id: 'queued_1' }])
      expect(idsOf(await store.threads.withQueued())).toEqual([THREAD])
      await store.ledger.commit(THREAD, [
        { type: 'message-dequeue', at: 1_300, id: 'queued_2', refused: 'the turn was stopped' },
      ])
      expect(await store.threads.withQueued()).toEqual([])
    })

    it('say what they take up', async () => {
      const store = await open()
      expect(await store.threads.bytesOf(THREAD)).toBe(0)
      await beginTurn(store)
      const begun = await store.threads.bytesOf(THREAD)
      expect(begun).toBeGreaterThan(0)
      await store.ledger.commit(THREAD, [
        { type: 'message-queue', at: 1_100, id: 'queued_1', mode: 'steer', text: 'x'.repeat(10_000) },
      ])
      expect(await store.threads.bytesOf(THREAD)).toBeGreaterThan(begun + 10_000)
      await store.threads.delete(THREAD)
      expect(await store.threads.bytesOf(THREAD)).toBe(0)
    })

    it('do not change when created again', async () => {
      const store = await open()
      const first = await store.threads.create({ id: THREAD, userId: USER, title: 'Mine', at: 1_000 })
      const again = await store.threads.create({ id: THREAD, userId: OTHER_USER, title: 'Yours', at: 2_000 })
      expect(again).toEqual(first)
      expect(await store.threads.get(THREAD)).toEqual(first)
    })

    it('get their title from the first line of the first question, cut at a word', async () => {
      const store = await open()
      await beginTurn(store, { text: `\n  ${'lorem ipsum '.repeat(10)}\nsecond line` })
      const title = (await store.threads.get(THREAD))!.title
      expect(title).toBe('lorem ipsum lorem ipsum lorem ipsum lorem ipsum lorem ipsum')
      await store.ledger.commit(THREAD, [
        runEnd(1_200),
        runStart(1_300, { runId: 'run_2' as RunId, text: 'Something else' }),
      ])
      expect((await store.threads.get(THREAD))!.title).toBe(title)
    })

    it('keep a title that was set', async () => {
      const store = await open()
      await store.threads.create({ id: THREAD, userId: USER, title: 'My plan', at: 1_000 })
      await store.ledger.commit(THREAD, [runStart(1_100, { text: 'A question' })])
      expect((await store.threads.get(THREAD))!.title).toBe('My plan')
      expect(await store.threads.rename(THREAD, 'Our plan')).toBe(true)
      expect((await store.threads.get(THREAD))!.title).toBe('Our plan')
    })

    it('do not get their title from a sub-agent', async () => {
      const store = await open()
      await store.threads.create({ id: THREAD, userId: USER, at: 1_000 })
      await store.ledger.commit(THREAD, [childStart(1_100, 'run_child', 'run_elsewhere')])
      expect((await store.threads.get(THREAD))!.title).toBe('')
    })

    it.each(['', '   ', '\n\t'])('refuse the blank title %j', async (title) => {
      const store = await open()
      await store.threads.create({ id: THREAD, userId: USER, title: 'Mine', at: 1_000 })
      expect(await problemOf(() => store.threads.rename(THREAD, title))).toBe('invalid')
      expect((await store.threads.get(THREAD))!.title).toBe('Mine')
    })

    it('return false when there is none to rename, archive or delete', async () => {
      const store = await open()
      expect(await store.threads.rename(THREAD, 'Mine')).toBe(false)
      expect(await store.threads.archive(THREAD, 1)).toBe(false)
      expect(await store.threads.delete(THREAD)).toBe(false)
    })

    it('move up when a turn starts or ends, and not for a sub-agent, a rename or an archive', async () => {
      const store = await open()
      const updatedAt = async () => (await store.threads.get(THREAD))!.updatedAt
      await beginTurn(store)
      expect(await updatedAt()).toBe(1_100)
      await store.ledger.commit(THREAD, [childStart(1_200, 'run_child', RUN), runEnd(1_300, 'run_child')])
      await store.threads.rename(THREAD, 'Other')
      await store.threads.archive(THREAD, 1_400)
      await store.threads.archive(THREAD, undefined)
      expect(await updatedAt()).toBe(1_100)
      await store.ledger.commit(THREAD, [runEnd(1_500)])
      expect(await updatedAt()).toBe(1_500)
      expect((await store.threads.get(THREAD))!.createdAt).toBe(1_000)
    })

    it('are listed newest first, page by page, to their own user', async () => {
      const store = await open()
      for (const [id, at] of [
        ['a', 100],
        ['b', 300],
        ['c', 200],
        ['d', 400],
      ] as const) {
        await store.threads.create({ id: id as ThreadId, userId: USER, at })
      }
      await store.threads.create({ id: OTHER_THREAD, userId: OTHER_USER, at: 250 })
      await store.ledger.commit('a' as ThreadId, [runStart(500)])
      expect(idsOf(await store.threads.list({ userId: USER }))).toEqual(['a', 'd', 'b', 'c'])
      const page = await store.threads.list({ userId: USER, limit: 2 })
      expect(idsOf(page)).toEqual(['a', 'd'])
      const next = await store.threads.list({ userId: USER, limit: 2, before: page.at(-1)!.updatedAt })
      expect(idsOf(next)).toEqual(['b', 'c'])
      expect(await store.threads.list({ userId: USER, limit: 2, before: 200 })).toEqual([])
      expect(idsOf(await store.threads.list({ userId: OTHER_USER }))).toEqual([OTHER_THREAD])
      expect(await store.threads.list({ userId: 'nobody' })).toEqual([])
    })

    it('leave the list when archived and come back', async () => {
      const store = await open()
      await store.threads.create({ id: THREAD, userId: USER, at: 1_000 })
      await store.threads.create({ id: OTHER_THREAD, userId: USER, at: 2_000 })
      expect(await store.threads.archive(THREAD, 3_000)).toBe(true)
      expect((await store.threads.get(THREAD))!.archivedAt).toBe(3_000)
      expect(idsOf(await store.threads.list({ userId: USER }))).toEqual([OTHER_THREAD])
      expect(idsOf(await store.threads.list({ userId: USER, archived: true }))).toEqual([THREAD])
      expect(await store.threads.archive(THREAD, undefined)).toBe(true)
      expect((await store.threads.get(THREAD))!.archivedAt).toBeUndefined()
      expect(idsOf(await store.threads.list({ userId: USER }))).toEqual([OTHER_THREAD, THREAD])
    })

    it('keep a queue mode through turns until it is taken back', async () => {
      const store = await open()
      expect(await store.threads.setQueueMode(THREAD, 'collect')).toBe(false)
      await beginTurn(store)
      expect((await store.threads.get(THREAD))!.queueMode).toBeUndefined()
      expect(await store.threads.setQueueMode(THREAD, 'collect')).toBe(true)
      await store.ledger.commit(THREAD, [runEnd(1_500)])
      await store.threads.rename(THREAD, 'Other')
      expect(await store.threads.get(THREAD)).toMatchObject({ title: 'Other', queueMode: 'collect' })
      expect(await store.threads.setQueueMode(THREAD, undefined)).toBe(true)
      expect((await store.threads.get(THREAD))!.queueMode).toBeUndefined()
    })

    it('leave what they cost with their user when they are deleted', async () => {
      const store = await open()
      await beginTurn(store)
      await store.ledger.commit(THREAD, [usageOf(1_300, 'model-a'), usageOf(1_400, 'model-b')])
      const spent = await store.runs.usage({ userId: USER })
      await store.threads.delete(THREAD)
      await store.threads.create({ id: THREAD, userId: OTHER_USER, at: 2_000 })
      expect(await store.runs.usage({ userId: USER })).toEqual(spent)
      expect(await store.runs.usage({ userId: USER, since: 1_400 })).toMatchObject([
        { model: 'model-b', calls: 1 },
      ])
      expect(await store.runs.usage({ userId: OTHER_USER })).toEqual([])
      await store.threads.delete(THREAD)
      expect(await store.runs.usage({ userId: USER })).toEqual(spent)
    })

    it('are deleted with all their data and nothing else', async () => {
      const store = await open()
      await beginTurn(store, { messageId: 'message_1', text: 'walrus' })
      await store.ledger.commit(THREAD, [
        childStart(1_150, 'run_child', RUN),
        event(1),
        readResult(1_200, 'call_9'),
        usageOf(1_300, 'model-a'),
        approval('approval_1'),
        approval('approval_2', { callId: 'call_2' as typeof CALL }),
        approval('approval_3', { callId: 'call_3' as typeof CALL }),
        { type: 'media', at: 1_400, ref: 'media_1', bytes: Uint8Array.of(1) },
      ])
      await store.approvals.answer('approval_2', 'allow-always', 2_500)
      await store.approvals.answer('approval_3', 'allow-thread', 2_500)
      const writer = store.artifacts.create({ threadId: THREAD, callId: 'call_1', tool: 'shell' })
      await writer.write('large')
      const artifact = await writer.close()
      await store.threads.create({ id: OTHER_THREAD, userId: USER, at: 1_000 })
      await store.ledger.commit(OTHER_THREAD, [
        runStart(1_100, { runId: 'run_other' as RunId, messageId: 'message_1', text: 'walrus' }),
        event(1, OTHER_THREAD),
      ])

      expect(await store.threads.delete(THREAD)).toBe(true)
      expect(await store.threads.get(THREAD)).toBeUndefined()
      expect(await store.ledger.read(THREAD)).toEqual([])
      expect(await store.ledger.readEvents(THREAD, 0)).toEqual([])
      expect(await store.ledger.lastSeq(THREAD)).toBe(0)
      expect(await store.ledger.readMedia(THREAD, 'media_1')).toBeUndefined()
      expect(await store.runs.get(RUN)).toBeUndefined()
      expect(await store.runs.tree(RUN)).toEqual([])
      expect(await store.runs.calls([RUN])).toEqual([])
      expect(await store.runs.findByMessage(THREAD, 'message_1')).toBeUndefined()
      expect(await store.runs.usage({ userId: USER, threadId: THREAD })).toEqual([])
      expect(await store.approvals.get('approval_1')).toBeUndefined()
      expect(await store.approvals.answer('approval_1', 'deny', 2_600)).toBe('unknown')
      expect(await store.approvals.findByCall(RUN, CALL)).toBeUndefined()
      expect(await store.approvals.nextExpiry()).toBeUndefined()
      expect(await store.artifacts.read(THREAD, artifact.id, { offset: 0, maxBytes: 10 })).toBeUndefined()
      expect(await problemOf(() => store.ledger.commit(THREAD, [event(2)]))).toBe('invalid')

      expect(idsOf(await store.runs.unfinished())).toEqual(['run_other'])
      expect(await store.ledger.lastSeq(OTHER_THREAD)).toBe(1)
      expect(
        (await store.threads.search({ userId: USER, words: 'walrus' })).map(({ thread }) => thread.id),
      ).toEqual([OTHER_THREAD])
      // A grant for always belongs to the user, and one for the conversation ends with it.
      expect(await store.approvals.listGrants(USER, 3_000)).toMatchObject([{ lifetime: 'always' }])

      await beginTurn(store, { messageId: 'message_1' })
      await store.ledger.commit(THREAD, [event(1)])
      expect(await store.ledger.read(THREAD)).toEqual([runStart(1_100, { messageId: 'message_1' }), event(1)])
    })

    it('return rows that can be changed without effect on the store', async () => {
      const store = await open()
      await beginTurn(store)
      const row = (await store.threads.get(THREAD)) as { title: string }
      try {
        row.title = 'edited'
      } catch {
        // Frozen rows are fine too.
      }
      await store.ledger.commit(THREAD, [runEnd(1_200, RUN, done())])
      expect((await store.threads.get(THREAD))!.title).toBe('What is new?')
    })
  })
}
