import type { Store } from '@capstan/harness/stores'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { usePostgres } from '../../../../stores/src/postgres/fixtures/postgres-server.fixture.ts'
import type { McpConnector } from '../mcp-connector.ts'
import { createMcpConnector } from '../mcp-connector.ts'
import type { StoredSignIn } from '../sign-in/stored-sign-in.ts'
import { call, connectionTo } from './mcp-world.fixture.ts'
import type { NotesService } from './notes-service.fixture.ts'
import { startNotesService } from './notes-service.fixture.ts'

const REDIRECT_URI = 'http://127.0.0.1:8787/oauth/callback'
const connection = connectionTo('notes')

describe('the token of a connection that two nodes use', () => {
  const postgres = usePostgres()
  let service: NotesService
  let store: Store
  let nodes: readonly McpConnector[]

  beforeEach(async () => {
    service = await startNotesService({ isGuarded: true })
    store = await postgres.open()
    const other = await postgres.open({ url: postgres.urlOf(store) })
    nodes = [store, other].map(({ connections: { vault }, locks }) =>
      createMcpConnector({
        servers: [{ slug: 'notes', transport: { type: 'http', url: service.url } }],
        vault,
        locks: locks!,
      }),
    )
    const step = await nodes[0]!.beginSignIn(connection, { state: 'state', redirectUri: REDIRECT_URI })
    if (step.type !== 'visit') throw new Error(`settled: ${step.reason}`)
    const params = await service.visit(step.url, 'allow')
    await nodes[1]!.finishSignIn(connection, { params, redirectUri: REDIRECT_URI })
  })
  afterEach(async () => {
    await Promise.all(nodes.map((node) => node.close()))
    await service.stop()
  })

  const list = (node: McpConnector) => node.execute(connection, 'list_notes', {}, call())
  const stored = async () => (await store.connections.vault.read(connection.id)) as unknown as StoredSignIn
  const asked = () => service.seen.filter((line) => line === 'POST /token').length

  it('is renewed once when both use it at the same time, again and again', async () => {
    for (let round = 1; round <= 3; round++) {
      await service.expire()
      const outcomes = await Promise.all(
        nodes.flatMap((node) => Array.from({ length: 20 }, () => list(node))),
      )
      for (const outcome of outcomes) expect(outcome).toMatchObject({ ok: true })
      expect(service.refreshes()).toBe(round)
      expect(asked()).toBe(1 + round)
    }
  })

  it('needs a new sign-in when a node died after the service had rotated it', async () => {
    const { authorizationServerUrl, client, tokens, metadata } = await stored()
    const body = { grant_type: 'refresh_token', client_id: client.client_id, refresh_token: tokens!.refresh! }
    // The node that died held the lock, sent this, and never stored the answer.
    const lost = await fetch(metadata?.token_endpoint ?? `${authorizationServerUrl}/token`, {
      method: 'POST',
      body: new URLSearchParams(body),
    })
    expect(lost.status).toBe(200)
    const sql = `INSERT INTO leases VALUES ($1, 'gone', clock_timestamp() + interval '300 ms')`
    await postgres.run(postgres.urlOf(store), sql, [`token of ${connection.id}`])
    await service.expire()

    for (const node of nodes) expect(await list(node)).toMatchObject({ ok: false, httpStatus: 401 })
    // The sign-in, the lost one, and one attempt to find out.
    expect(asked()).toBe(3)
    expect((await stored()).tokens).toBeUndefined()
    for (const node of nodes)
      expect(await node.check(connection)).toMatchObject({
        status: 'expired',
        reason: expect.stringContaining('Connect the app again'),
      })
  })

  it('is gone after a disconnect on one node while the other renews it', async () => {
    await service.expire()
    const arrived = Promise.withResolvers<void>()
    const letGo = Promise.withResolvers<void>()
    service.intercept((request, response) => {
      if (request.url !== '/token') return false
      arrived.resolve()
      const answer = { access_token: 'late-token-1', refresh_token: 'late-token-2', token_type: 'Bearer' }
      void letGo.promise.then(() =>
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer)),
      )
      return true
    })
    const running = list(nodes[0]!)
    await arrived.promise
    await nodes[1]!.disconnect(connection)
    letGo.resolve()
    expect(await running).toMatchObject({ ok: false, httpStatus: 401 })
    expect(await stored()).toBeUndefined()
  })
})
