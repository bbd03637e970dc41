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

it('the event bus calls listeners in the order they subscribed', () => {
  const bus = createMemoryEventBus()
  const received: string[] = []
  bus.subscribe(({ userId }) => void received.push(`first ${userId}`))
  bus.subscribe(({ userId }) => void received.push(`second ${userId}`))
  bus.publish(EVENT)
  expect(received).toEqual(['first user_1', 'second user_1'])
})

it('a listener that throws does not stop the others, and the warning omits its message', async () => {
  const bus = createMemoryEventBus()
  let received = 0
  bus.subscribe(() => {
    throw new TypeError('token abc')
  })
  bus.subscribe(() => void received++)
  bus.publish(EVENT)
  expect(received).toBe(1)
  await new Promise((resolve) => setImmediate(resolve))
  expect(warnings).toEqual(['a listener failed at connections-changed: TypeError'])
})

it('a listener that unsubscribed is not called, also when that happened during the same event', () => {
  const bus = createMemoryEventBus()
  const received: string[] = []
  const stopFirst = bus.subscribe(() => {
    received.push('first')
    stopFirst()
    stopSecond()
  })
  const stopSecond = bus.subscribe(() => void received.push('second'))
  bus.subscribe(() => void received.push('third'))
  bus.publish(EVENT)
  bus.publish(EVENT)
  expect(received).toEqual(['first', 'third', 'third'])
})

it('a listener that subscribes during an event is called from the next event on', () => {
  const bus = createMemoryEventBus()
  let received = 0
  const stop = bus.subscribe(() => {
    stop()
    bus.subscribe(() => void received++)
  })
  bus.publish(EVENT)
  expect(received).toBe(0)
  bus.publish(EVENT)
  expect(received).toBe(1)
})

it('unsubscribing twice removes one of two equal listeners', () => {
  const bus = createMemoryEventBus()
  let received = 0
  const listener = () => void received++
  const stop = bus.subscribe(listener)
  bus.subscribe(listener)
  stop()
  stop()
  bus.publish(EVENT)
  expect(received).toBe(1)
})

it('an event can be published while another one is delivered', () => {
  const bus = createMemoryEventBus()
  const received: string[] = []
  bus.subscribe(({ userId }) => {
    received.push(userId)
    if (userId === 'user_1') bus.publish({ ...EVENT, userId: 'user_2' })
  })
  bus.publish(EVENT)
  expect(received).toEqual(['user_1', 'user_2'])
})
