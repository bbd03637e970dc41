import type { ThreadId } from '@capstan/protocol'
import { expect, it, onTestFinished, vi } from 'vitest'
import { lookForMissed } from './slow-look.ts'

it('finds events that nobody told of, also after the ledger failed once', async () => {
  const THREAD = 'thread_1' as ThreadId
  const lastSeq = vi.fn(async () => 7).mockRejectedValueOnce(new Error('away'))
  const advance = vi.fn()
  const stop = lookForMissed({ lastSeq }, { watched: () => [THREAD], advance }, { lookMs: 5, paceMs: 1 })
  onTestFinished(stop)
  await vi.waitFor(() => expect(advance).toHaveBeenCalledWith(THREAD, 7))
  expect(lastSeq.mock.calls.length).toBeGreaterThan(1)
  stop()
})
