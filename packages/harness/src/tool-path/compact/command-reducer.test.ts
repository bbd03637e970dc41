import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { expect, it } from 'vitest'
import type { ReducerLimits } from './command-reducer.ts'
import { createCommandReducer } from './command-reducer.ts'

const limits = (known: Partial<ReducerLimits>): ReducerLimits => ({
  deadlineMs: 30_000,
  startMs: 30_000,
  maxWaiting: 16,
  maxLosses: 3,
  restMs: 60_000,
  ...known,
})

/** Waits at its gate, then shouts back; `hang` and `crash` do what they say. */
const SHOUTING = `
const { parentPort, workerData } = require('node:worker_threads')
if (workerData) Atomics.wait(workerData, 0, 0)
parentPort.on('message', ({ text }) => {
  if (text === 'crash') throw new Error('crashed')
  while (text === 'hang');
  parentPort.postMessage({ text: text.toUpperCase() })
})
parentPort.postMessage('ready')
`
const shouting = (gate?: Int32Array) => new Worker(SHOUTING, { eval: true, workerData: gate })

async function readyShouting(): Promise<Worker> {
  const worker = shouting()
  await once(worker, 'message')
  return worker
}

function closedGate() {
  const gate = new Int32Array(new SharedArrayBuffer(4))
  const open = () => {
    Atomics.store(gate, 0, 1)
    Atomics.notify(gate, 0)
  }
  return { gate, open }
}

it('the command reducer starts one worker at the first request and shares it', async () => {
  let started = 0
  const reducer = createCommandReducer(limits({}), () => {
    started++
    return shouting()
  })
  expect(started).toBe(0)
  const answers = ['one', 'two', 'three'].map((text) => reducer.reduce('shout', text))
  expect(await Promise.all(answers)).toEqual(['ONE', 'TWO', 'THREE'])
  expect(started).toBe(1)
})

it('the command reducer replaces a worker that hangs', async () => {
  const workers = [await readyShouting(), await readyShouting()]
  const [first] = workers
  const reducer = createCommandReducer(limits({ deadlineMs: 400 }), () => workers.shift() ?? shouting())
  expect(await reducer.reduce('shout', 'one')).toBe('ONE')
  const ended = once(first ?? shouting(), 'exit')
  expect(await reducer.reduce('shout', 'hang')).toBeUndefined()
  expect(await reducer.reduce('shout', 'two')).toBe('TWO')
  await ended
})

it('the command reducer replaces a worker that crashes', async () => {
  const reducer = createCommandReducer(limits({}), () => shouting())
  expect(await Promise.all([reducer.reduce('shout', 'crash'), reducer.reduce('shout', 'two')])).toEqual([
    undefined,
    'TWO',
  ])
})

it('the command reducer lets a worker finish loading after the first request gave up', async () => {
  const { gate, open } = closedGate()
  const worker = shouting(gate)
  let started = 0
  const reducer = createCommandReducer(limits({ deadlineMs: 400 }), () => {
    started++
    return worker
  })
  expect(await reducer.reduce('shout', 'one')).toBeUndefined()
  const ready = once(worker, 'message')
  open()
  await ready
  expect(await reducer.reduce('shout', 'two')).toBe('TWO')
  expect(started).toBe(1)
})

it('the command reducer gives up on a worker that never loads', async () => {
  const stuck = shouting(closedGate().gate)
  const workers = [stuck, await readyShouting()]
  const reducer = createCommandReducer(limits({ startMs: 20 }), () => workers.shift() ?? shouting())
  expect(await reducer.reduce('shout', 'one')).toBeUndefined()
  expect(await reducer.reduce('shout', 'two')).toBe('TWO')
})

it('the command reducer limits the number of waiting requests', async () => {
  const { gate, open } = closedGate()
  const reducer = createCommandReducer(limits({ maxWaiting: 2 }), () => shouting(gate))
  const taken = ['one', 'two', 'three'].map((text) => reducer.reduce('shout', text))
  expect(await reducer.reduce('shout', 'four')).toBeUndefined()
  open()
  expect(await Promise.all(taken)).toEqual(['ONE', 'TWO', 'THREE'])
})

it('the command reducer pauses after it lost several workers in a row', async () => {
  let started = 0
  const reducer = createCommandReducer(limits({ maxLosses: 2 }), () => {
    started++
    return new Worker('throw new Error("no such module")', { eval: true })
  })
  for (let asked = 0; asked < 5; asked++) expect(await reducer.reduce('shout', 'one')).toBeUndefined()
  expect(started).toBe(2)
})

it('the command reducer returns nothing when no thread can be started', async () => {
  const reducer = createCommandReducer(limits({}), () => {
    throw new Error('no more threads')
  })
  expect(await Promise.all([reducer.reduce('a', 'b'), reducer.reduce('c', 'd')])).toEqual([
    undefined,
    undefined,
  ])
})
