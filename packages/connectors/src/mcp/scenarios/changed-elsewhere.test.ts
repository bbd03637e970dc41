import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { McpWorld } from './mcp-world.fixture.ts'
import { call, connectionTo, createMcpWorld } from './mcp-world.fixture.ts'
import type { NotesService } from './notes-service.fixture.ts'
import { startNotesService } from './notes-service.fixture.ts'

const connection = connectionTo('notes')

describe('the session of a connection that another node changed', () => {
  let service: NotesService
  let world: McpWorld
  const used: unknown[] = []

  beforeEach(async () => {
    service = await startNotesService()
    world = createMcpWorld([{ slug: 'notes', transport: { type: 'http', url: service.url } }])
    used.length = 0
    service.intercept((request) => {
      const id = request.headers['mcp-session-id']
      if (request.method === 'POST' && id !== undefined && !used.includes(id)) used.push(id)
      return false
    })
  })
  afterEach(async () => {
    await world.connector.close()
    await service.stop()
  })

  const list = (updatedAt: number) =>
    world.connector.execute({ ...connection, updatedAt }, 'list_notes', {}, call())
  const ended = () => service.seen.filter((line) => line === 'DELETE /mcp').length

  it('is replaced at the first call after a new sign-in', async () => {
    await list(1)
    await list(1)
    expect(used).toHaveLength(1)
    expect(await list(2)).toMatchObject({ ok: true })
    expect(used).toHaveLength(2)
    await vi.waitFor(() => expect(ended()).toBe(1))
    // Somebody who has not heard of it yet uses the new one.
    expect(await list(1)).toMatchObject({ ok: true })
    expect(used).toHaveLength(2)
  })

  it('lets a call on it end when it is replaced', async () => {
    await list(1)
    const stop = new AbortController()
    const running = world.connector.execute({ ...connection, updatedAt: 1 }, 'wait', {}, call(stop.signal))
    await list(2)
    expect(ended()).toBe(0)
    stop.abort()
    await running
    await vi.waitFor(() => expect(ended()).toBe(1))
  })

  it('ends when it was disconnected or lost, and stays when it is active', async () => {
    await list(1)
    await world.connector.release!({ ...connection, updatedAt: 1 })
    await list(1)
    expect([used.length, ended()]).toEqual([1, 0])
    await world.connector.release!({ ...connection, updatedAt: 2, status: 'disconnected' })
    expect(ended()).toBe(1)
  })

  it('that was opened to begin a sign-in is used on when it is active', async () => {
    const pending = { ...connection, status: 'pending' as const, updatedAt: 1 }
    const signIn = { state: 'state', redirectUri: 'http://127.0.0.1:9/callback' }
    expect(await world.connector.beginSignIn(pending, signIn)).toMatchObject({ status: 'active' })
    await list(2)
    expect([used.length, ended()]).toEqual([1, 0])
  })
})
