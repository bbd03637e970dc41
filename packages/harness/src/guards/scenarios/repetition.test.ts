import { describe, expect, it } from 'vitest'
import { createGoingInCirclesGuard } from '../rules/going-in-circles.ts'
import type { Guard } from '../guard.ts'
import { createIdenticalBatchGuard } from '../rules/identical-batch.ts'
import { createIdenticalOutputGuard } from '../rules/identical-output.ts'
import { createIdenticalReplyGuard } from '../rules/identical-reply.ts'
import { createPingPongGuard } from '../rules/ping-pong.ts'
import type { TraceStep } from '../replay-trace.ts'
import { replayTrace } from '../replay-trace.ts'
import type { SeenCalls } from '../compare/seen-calls.ts'
import { createSeenCalls } from '../compare/seen-calls.ts'
import { did, failed, says, silent, times, turnsOf, waited } from '../traces/trace.ts'

const replayWith = (create: (seen: SeenCalls) => Guard) => (steps: readonly TraceStep[]) => {
  const seen = createSeenCalls()
  return replayTrace({ id: 'test', steps }, [seen, create(seen)])
}

const weather = silent(did('weather', { place: 'Oslo' }, '3 °C, sleet'))
const tide = silent(did('tide', { port: 'Oslo' }, 'low at 14:10'))
const readPage = (n: number) => silent(did('news', { page: n }, `page ${n}`))
const pause = silent(waited('wait', { seconds: 5 }, 'waited'))

describe('an identical batch', () => {
  const replay = replayWith(createIdenticalBatchGuard)

  it('halts at the third success in a row, with the last answer', () => {
    expect(replay([weather, weather, weather])).toMatchObject({
      step: 2,
      guard: 'identical-batch',
      answer: expect.stringMatching(/"weather" gave the same answer 3 times in a row.*3 °C, sleet/s),
    })
  })

  it('compares batches of several calls as a whole', () => {
    const both = silent(did('weather', {}, 'sleet'), did('tide', {}, 'low'))
    const other = silent(did('weather', {}, 'sleet'), did('tide', {}, 'high'))
    expect(replay([both, both, both])).toMatchObject({ step: 2 })
    expect(replay([both, both, other, both, both])).toEqual({ halted: false })
  })

  it('starts at zero after other work or a declared wait', () => {
    expect(replay([weather, weather, readPage(1), weather, weather])).toEqual({ halted: false })
    expect(replay([weather, weather, pause, weather, weather])).toEqual({ halted: false })
  })

  it('is recognised despite numbered receipts', () => {
    const send = (n: number) => silent(did('mail_send', { to: 'Ada' }, `message ${70 + n} sent`))
    expect(replay(times(3, send))).toMatchObject({ step: 2 })
  })

  it('is not assumed when a status tool reports a changing count', () => {
    const status = (n: number) => silent(did('mailing_status', {}, `mail ${70 + n} sent`))
    expect(replay(times(6, status))).toEqual({ halted: false })
  })
})

describe('an identical output', () => {
  const replay = replayWith(createIdenticalOutputGuard)
  const questions = ['oven warranty', 'Oven warranty?', '"oven" warranty', ' oven  warranty']
  const ask = (n: number) =>
    silent(did('handbook', { q: turnsOf(questions, n), nonce: n }, 'two years from the day it was bought'))

  it('halts at the fourth answer to the same question', () => {
    expect(replay(times(4, ask))).toMatchObject({ step: 3, guard: 'identical-output' })
    expect(replay(times(3, ask))).toEqual({ halted: false })
  })

  it('is counted through other repetitions, but not through new results', () => {
    expect(replay([tide, ask(0), tide, ask(1), tide, ask(2), tide, ask(3)])).toMatchObject({ halted: true })
    expect(replay(times(8, (n) => [ask(n), readPage(n)]).flat())).toEqual({ halted: false })
  })

  it('counts once per reply, since its calls were requested together', () => {
    const fourfold = silent(...times(4, (n) => did('handbook', { q: turnsOf(questions, n) }, 'two years')))
    expect(replay([fourfold, fourfold])).toEqual({ halted: false })
  })

  it('is no repetition when other things were asked', () => {
    const search = (n: number) => silent(did('search', { q: `part ${n}` }, 'no hits'))
    expect(replay(times(12, search))).toEqual({ halted: false })
  })

  it('halts when different requests with one output are sent a second time', () => {
    const words = ['warranty', 'guarantee', 'how long is it covered', 'repairs for free', 'cover']
    const search = (n: number) => silent(did('handbook', { q: turnsOf(words, n) }, 'see chapter 9'))
    expect(replay(times(6, search))).toEqual({ halted: false })
    expect(replay(times(7, search))).toMatchObject({ step: 6 })
  })

  it('of an agent that only asks back halts for any wording of the prompt', () => {
    const orders = ['Book it.', 'Get us a table.', 'A table, please', 'Reserve one']
    const send = (n: number) => silent(did('delegate_to_host', { prompt: orders[n]! }, 'For how many?'))
    expect(replay(times(4, send))).toMatchObject({ step: 3 })
  })
})

describe('an identical reply', () => {
  const replay = replayWith(createIdenticalReplyGuard)
  const write = (n: number) => says('I write it down.', did('diary', { text: 'rain' }, `line ${n + 8}`))

  it('halts the fourth time, before it runs', () => {
    expect(replay(times(4, write))).toMatchObject({
      step: 3,
      guard: 'identical-reply',
      answer: expect.stringContaining('the same call to "diary" with the same words 3 times'),
    })
  })

  it('is another reply with other words', () => {
    const chatty = (n: number) => says(`Line ${n}.`, did('diary', { text: 'rain' }, `line ${n + 8}`))
    expect(replay(times(8, chatty))).toEqual({ halted: false })
  })

  it('does not halt while the output advances', () => {
    const look = (n: number) => says('How far?', did('copy', { disk: 1 }, `${n * 10} %`))
    expect(replay(times(9, look))).toEqual({ halted: false })
  })

  it('does not halt during retries of a transient failure, or waits', () => {
    const slow = says('Again.', failed('sync', {}, 'timeout', 'no answer'))
    const waits = says('Waiting.', waited('wait', {}, 'waited'))
    expect(replay(times(7, () => slow))).toEqual({ halted: false })
    expect(replay(times(7, () => waits))).toEqual({ halted: false })
  })
})

describe('ping-pong', () => {
  const replay = replayWith(createPingPongGuard)

  it('halts after three rounds of the same two steps', () => {
    expect(replay(times(3, () => [weather, tide]).flat())).toMatchObject({ step: 5, guard: 'ping-pong' })
  })

  it('names the reason of the step that fails', () => {
    const fail = silent(failed('boat_rent', { boat: 2 }, 'conflict', 'boat 2 is out'))
    const { answer } = replay(times(3, () => [fail, tide]).flat())
    expect(answer).toContain('boat 2 is out')
  })

  it('does not halt when one of the two steps changes', () => {
    const read = (n: number) => silent(did('level', {}, `${n} m`))
    expect(replay(times(6, (n) => [weather, read(n)]).flat())).toEqual({ halted: false })
  })

  it('allows more rounds for a transient failure', () => {
    const slow = silent(failed('sync', {}, 'timeout', 'no answer'))
    expect(replay(times(5, () => [slow, tide]).flat())).toEqual({ halted: false })
    expect(replay(times(6, () => [slow, tide]).flat())).toMatchObject({ step: 11 })
  })
})

describe('a circle of calls', () => {
  const replay = replayWith(createGoingInCirclesGuard)
  const circle = (length: number) => times(30, (n) => readPage(n % length))

  it.each([2, 3, 4, 5, 8])('halts six steps after a circle of %d has closed', (length) => {
    expect(replay(circle(length))).toMatchObject({ step: length + 5, guard: 'going-in-circles' })
  })

  it('does not halt when a few things are read again', () => {
    expect(replay([...times(5, readPage), ...times(5, readPage), readPage(6)])).toEqual({ halted: false })
  })
})
