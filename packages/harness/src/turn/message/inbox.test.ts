import { describe, expect, it } from 'vitest'
import * as fc from 'fast-check'
import { Inbox } from './inbox.ts'

describe('an inbox', () => {
  it('delivers waiting messages once and in order, with the iteration', async () => {
    const inbox = new Inbox()
    const posted = [inbox.post('one'), inbox.post('two')]
    expect(inbox.isEmpty).toBe(false)
    expect(inbox.drain(4).map(({ text }) => text)).toEqual(['one', 'two'])
    expect(inbox.drain(5)).toEqual([])
    expect(inbox.isEmpty).toBe(true)
    expect(await Promise.all(posted)).toEqual([
      { delivered: true, iteration: 4 },
      { delivered: true, iteration: 4 },
    ])
  })

  it('reports why it closed to senders who wait and to later senders', async () => {
    const inbox = new Inbox()
    const waiting = inbox.post('one')
    inbox.close('the turn failed first')
    expect(await waiting).toEqual({ delivered: false, reason: 'the turn failed first' })
    expect(await inbox.post('two')).toEqual({ delivered: false, reason: 'the turn failed first' })
    expect(inbox.drain(1)).toEqual([])
  })

  it('settles every message exactly once, in any order of events', async () => {
    const step = fc.constantFrom('post' as const, 'drain' as const, 'close' as const)
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 20 }), async (steps) => {
        const inbox = new Inbox()
        const posted: Promise<{ readonly delivered: boolean }>[] = []
        let taken = 0
        for (const one of steps) {
          if (one === 'post') posted.push(inbox.post(`${posted.length}`))
          if (one === 'drain') taken += inbox.drain(1).length
          if (one === 'close') inbox.close('over')
        }
        inbox.close('over')
        const settled = await Promise.all(posted)
        expect(settled.filter(({ delivered }) => delivered)).toHaveLength(taken)
      }),
    )
  })
})
