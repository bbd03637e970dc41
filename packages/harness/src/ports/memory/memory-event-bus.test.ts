import { afterEach, beforeEach, expect, it } from 'vitest'
import type { BusEvent } from '../event-bus.ts'
import { createMemoryEventBus } from './memory-event-bus.ts'

const EVENT: BusEvent = {
  type: 'connections-changed',
  userId: 'user_1',
  connection: {
    id: 'connection_1',
    userId: 'user_1',
    connector: 'local',
    toolkit: 'notes',
    status: 'active',
    label: '',
    isDefault: true,
    createdAt: 1,
    updatedAt: 1,
  },
}
const warnings: string[] = []
const warn = (warning: Error) => void warnings.push(warning.message)

beforeEach(() => {
  warnings.length = 0
  process.on('warning', warn)
})
afterEach(() => void process.off('warning', warn))

it('tells everybody, in the order they came', () => {
  const bus = createMemoryEventBus()
  const heard: string[] = []
  bus.subscribe(({ userId }) => void heard.push(`first ${userId}`))
  bus.subscribe(({ userId }) => void heard.push(`second ${userId}`))
  bus.publish(EVENT)
  expect(heard).toEqual(['first user_1', 'second user_1'])
})

it('does not let a listener that throws keep it from the others, and warns without its words', async () => {
  const bus = createMemoryEventBus()
  let heard = 0
  bus.subscribe(() => {
    throw new TypeError('token abc')
  })
  bus.subscribe(() => void heard++)
  bus.publish(EVENT)
  expect(heard).toBe(1)
  await new Promise((resolve) => setImmediate(resolve))
  expect(warnings).toEqual(['a listener failed at connections-changed: TypeError'])
})

it('tells nobody who has gone, not even who was sent away while it was told', () => {
  const bus = createMemoryEventBus()
  const heard: string[] = []
  const stopFirst = bus.subscribe(() => {
    heard.push('first')
    stopFirst()
    stopSecond()
  })
  const stopSecond = bus.subscribe(() => void heard.push('second'))
  bus.subscribe(() => void heard.push('third'))
  bus.publish(EVENT)
  bus.publish(EVENT)
  expect(heard).toEqual(['first', 'third', 'third'])
})

it('tells who came while it was told only of the next', () => {
  const bus = createMemoryEventBus()
  let heard = 0
  const stop = bus.subscribe(() => {
    stop()
    bus.subscribe(() => void heard++)
  })
  bus.publish(EVENT)
  expect(heard).toBe(0)
  bus.publish(EVENT)
  expect(heard).toBe(1)
})

it('takes a listener that came twice away once, however often it is asked', () => {
  const bus = createMemoryEventBus()
  let heard = 0
  const listener = () => void heard++
  const stop = bus.subscribe(listener)
  bus.subscribe(listener)
  stop()
  stop()
  bus.publish(EVENT)
  expect(heard).toBe(1)
})

it('may be told something while it tells something', () => {
  const bus = createMemoryEventBus()
  const heard: string[] = []
  bus.subscribe(({ userId }) => {
    heard.push(userId)
    if (userId === 'user_1') bus.publish({ ...EVENT, userId: 'user_2' })
  })
  bus.publish(EVENT)
  expect(heard).toEqual(['user_1', 'user_2'])
})
