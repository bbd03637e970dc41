import { describe, expect, it } from 'vitest'
import type { ConnectionState } from '../../ports/connector.ts'
import type { ConnectorUnderTest } from './connector-under-test.ts'
import { begin, connect, finish, pendingRow, visit } from './sign-in.ts'

/** The status. A check that rejects counts as not active. */
const statusOf = (asked: Promise<ConnectionState>): Promise<string> =>
  asked.then(
    ({ status }) => status,
    () => 'rejected',
  )

/** Tests sign-ins, `check` and `disconnect`. */
export function testSignIn(open: () => Promise<ConnectorUnderTest>): void {
  const CALL = { signal: new AbortController().signal, idempotencyKey: 'run_1/call_1' }

  describe('a sign-in', () => {
    it('ends with an active connection that can be used', async () => {
      const subject = await open()
      const connection = await connect(subject)
      expect(await subject.connector.check(connection)).toMatchObject({ status: 'active' })
      const outcome = await subject.connector.execute(
        connection,
        subject.read.action,
        subject.read.args,
        CALL,
      )
      expect(outcome).toMatchObject({ ok: true })
    })

    it('needs no visit when the toolkit needs no authorisation', async ({ skip }) => {
      const subject = await open()
      const { auth } = (await subject.connector.toolkits()).find(({ slug }) => slug === subject.toolkit)!
      if (auth !== 'none') return skip()
      expect(await begin(subject, pendingRow(subject))).toMatchObject({ type: 'settled', status: 'active' })
    })

    it('sends the person to a web address', async ({ skip }) => {
      const subject = await open()
      if (!subject.visit) return skip()
      const step = await begin(subject, pendingRow(subject))
      expect(step).toMatchObject({ type: 'visit' })
      if (step.type === 'visit') expect(new URL(step.url).protocol).toMatch(/^https?:$/)
    })

    it('that nobody has begun leaves the connection pending, however often it is checked', async () => {
      const subject = await open()
      const row = pendingRow(subject)
      expect(await subject.connector.check(row)).toMatchObject({ status: 'pending' })
      expect(await subject.connector.check(row)).toMatchObject({ status: 'pending' })
    })

    it('is pending and cannot be used until the person is back', async ({ skip }) => {
      const subject = await open()
      if (!subject.visit) return skip()
      const row = pendingRow(subject)
      await begin(subject, row)
      expect(await statusOf(subject.connector.check(row))).not.toBe('active')
      const { action, args } = subject.read
      expect(await subject.connector.execute(row, action, args, CALL)).toMatchObject({ ok: false })
    })

    it('fails with a reason when the person declines', async ({ skip }) => {
      const subject = await open()
      if (!subject.visit) return skip()
      const row = pendingRow(subject)
      const params = await visit(subject, await begin(subject, row), 'deny')
      const state = await finish(subject, row, params)
      expect(state.status).toBe('failed')
      expect(state.reason).toMatch(/\w/)
      // Some services do not say that the person refused.
      expect([undefined, 'declined']).toContain(state.reasonCode)
      expect(await statusOf(subject.connector.check(row))).not.toBe('active')
    })

    it.each(['', 'code=made-up', 'status=success', 'error=server_error&error_description=%3Cscript%3E'])(
      'is not made active by the callback %j alone',
      async (query) => {
        const subject = await open()
        if (!subject.visit) {
          expect(await begin(subject, pendingRow(subject))).toMatchObject({ type: 'settled' })
          return
        }
        const row = pendingRow(subject)
        await begin(subject, row)
        const status = await statusOf(finish(subject, row, new URLSearchParams(query)))
        expect(status).not.toBe('active')
        expect(await statusOf(subject.connector.check(row))).not.toBe('active')
      },
    )

    it('can be started again after one that failed', async ({ skip }) => {
      const subject = await open()
      if (!subject.visit) return skip()
      const row = pendingRow(subject)
      await begin(subject, row)
      await finish(subject, row, await visit(subject, await begin(subject, row), 'deny'))
      const params = await visit(subject, await begin(subject, row), 'allow')
      expect(await finish(subject, row, params)).toMatchObject({ status: 'active' })
    })

    it('rejects, and leaves nothing active, when the service cannot be reached', async ({ skip }) => {
      const subject = await open()
      if (!subject.makeUnavailable) return skip()
      const row = pendingRow(subject)
      const restore = await subject.makeUnavailable()
      const begun = begin(subject, row).then(
        (step) => (step.type === 'settled' ? step.status : step.type),
        () => 'rejected',
      )
      expect(['rejected', 'failed']).toContain(await begun)
      await restore()
    })
  })

  describe('a connection', () => {
    it('is independent of other connections to the same toolkit', async ({ skip }) => {
      const subject = await open()
      if (!subject.revoke) return skip()
      const first = await connect(subject, 'connection_1')
      const second = await connect(subject, 'connection_2')
      await subject.revoke(first)
      const { action, args, says } = subject.read
      expect(await statusOf(subject.connector.check(first))).not.toBe('active')
      expect(await subject.connector.check(second)).toMatchObject({ status: 'active' })
      const outcome = await subject.connector.execute(second, action, args, CALL)
      expect(outcome).toMatchObject({ ok: true, text: expect.stringContaining(says) })
    })

    it('has a reason after it was revoked', async ({ skip }) => {
      const subject = await open()
      if (!subject.revoke) return skip()
      const connection = await connect(subject)
      await subject.revoke(connection)
      const state = await subject.connector.check(connection)
      expect(['expired', 'revoked', 'failed']).toContain(state.status)
      expect(state.reason).toMatch(/\w/)
    })

    it('is never reported as lost because the service cannot be reached', async ({ skip }) => {
      const subject = await open()
      if (!subject.makeUnavailable) return skip()
      const connection = await connect(subject)
      const restore = await subject.makeUnavailable()
      expect(['active', 'rejected']).toContain(await statusOf(subject.connector.check(connection)))
      await restore()
      expect(await subject.connector.check(connection)).toMatchObject({ status: 'active' })
    })

    it('is not checked after the signal was aborted', async ({ skip }) => {
      const subject = await open()
      const connection = await connect(subject)
      const { auth } = (await subject.connector.toolkits()).find(({ slug }) => slug === subject.toolkit)!
      if (auth === 'none') return skip()
      await expect(subject.connector.check(connection, AbortSignal.abort())).rejects.toThrow()
    })
  })

  describe('disconnecting', () => {
    it('deletes the stored secrets', async ({ skip }) => {
      const subject = await open()
      const connection = await connect(subject)
      const { auth } = (await subject.connector.toolkits()).find(({ slug }) => slug === subject.toolkit)!
      if (auth === 'none') return skip()
      await subject.connector.disconnect(connection)
      expect(await subject.vault?.read(connection.id)).toBeUndefined()
      expect(await statusOf(subject.connector.check(connection))).not.toBe('active')
      const { action, args } = subject.write
      expect(await subject.connector.execute(connection, action, args, CALL)).toMatchObject({ ok: false })
    })

    it('never throws: not twice, not for an unknown connection, not while the service is unavailable', async () => {
      const subject = await open()
      const connection = await connect(subject)
      await subject.connector.disconnect(pendingRow(subject, 'connection_9'))
      const restore = await subject.makeUnavailable?.()
      await subject.connector.disconnect(connection)
      await restore?.()
      await subject.connector.disconnect(connection)
      await subject.connector.disconnect({ ...connection, toolkit: 'no_such_toolkit' })
      expect(await subject.vault?.read(connection.id)).toBeUndefined()
    })

    it('allows a new sign-in afterwards', async () => {
      const subject = await open()
      await subject.connector.disconnect(await connect(subject))
      expect(await connect(subject, 'connection_2')).toMatchObject({ status: 'active' })
    })
  })
}
