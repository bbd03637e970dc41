import { describe, expect, it } from 'vitest'
import type { CallId, RunId, ThreadId } from '@capstan/protocol'
import type { Store } from '../../ports/store.ts'

const THREAD = 'thread_audit' as ThreadId

/** What a store promises about its audit log. */
export function testAudit(open: () => Promise<Store>): void {
  describe('its audit log', () => {
    it('holds calls, recorded lines and the deletion of a thread, and verifies', async () => {
      const store = await open()
      const runId = 'run_audit' as RunId
      await store.threads.create({ id: THREAD, userId: 'ann', at: 1 })
      await store.ledger.commit(THREAD, [
        {
          type: 'run-start',
          at: 2,
          run: {
            runId,
            conversationId: THREAD,
            agent: 'a',
            depth: 0,
            origin: 'web',
            model: 'm',
            budget: {},
            text: 'Send it.',
          },
        },
        {
          type: 'call-intent',
          at: 3,
          runId,
          callId: 'call_1' as CallId,
          tool: 'send',
          effect: 'write',
          digest: 'd',
        },
      ])
      await store.audit.record({ at: 4, userId: 'ann', action: 'hold' })
      expect(await store.audit.read()).toMatchObject([
        {
          action: 'call-start',
          userId: 'ann',
          threadId: THREAD,
          subject: 'send',
          facts: { effect: 'write' },
        },
        { action: 'hold', userId: 'ann', at: 4 },
      ])
      await store.threads.delete(THREAD, 5)
      const lines = await store.audit.read()
      expect(lines.map(({ action }) => action)).toEqual(['hold', 'thread-delete'])
      expect(lines.at(-1)).toMatchObject({ at: 5, userId: 'ann', threadId: THREAD })
      expect(await store.audit.verify()).toMatchObject({ ok: true, problems: [] })
    })
  })
}
