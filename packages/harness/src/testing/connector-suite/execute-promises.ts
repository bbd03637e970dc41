import { describe, expect, it } from 'vitest'
import { classifyOutcome } from '../../failures/classify.ts'
import { isToolOutcome } from '../../turn/tool/tool-outcome.ts'
import type { ToolOutcome } from '../../turn/tool/tool-outcome.ts'
import type { ConnectorUnderTest, ExampleCall } from './connector-under-test.ts'
import { connect, pendingRow } from './sign-in.ts'

/** Tests `execute`. */
export function testExecute(open: () => Promise<ConnectorUnderTest>): void {
  const live = () => ({ signal: new AbortController().signal, idempotencyKey: 'run_1/call_1' })
  const classOf = (outcome: ToolOutcome) => (outcome.ok ? 'ok' : classifyOutcome(outcome).class)
  const call = (
    subject: ConnectorUnderTest,
    connection: Parameters<typeof execute>[1],
    example: ExampleCall,
  ) => execute(subject, connection, example, live())
  const execute = async (
    { connector }: ConnectorUnderTest,
    connection: ReturnType<typeof pendingRow>,
    { action, args }: ExampleCall,
    how: { signal: AbortSignal; idempotencyKey: string },
  ) => {
    const outcome = await connector.execute(connection, action, args, how)
    expect(isToolOutcome(outcome)).toBe(true)
    expect(typeof outcome.text).toBe('string')
    return outcome
  }

  describe('executing', () => {
    it('returns what the service answers, for a read and a write', async () => {
      const subject = await open()
      const connection = await connect(subject)
      for (const example of [subject.read, subject.write]) {
        const outcome = await call(subject, connection, example)
        expect(outcome).toMatchObject({ ok: true, text: expect.stringContaining(example.says) })
      }
    })

    it('serves several calls at once', async () => {
      const subject = await open()
      const connection = await connect(subject)
      const outcomes = await Promise.all(
        Array.from({ length: 8 }, () => call(subject, connection, subject.read)),
      )
      for (const outcome of outcomes) expect(outcome.text).toContain(subject.read.says)
    })

    it('does not change the arguments', async () => {
      const subject = await open()
      const args = structuredClone(subject.write.args)
      await call(subject, await connect(subject), { ...subject.write, args })
      expect(args).toEqual(subject.write.args)
    })

    it('reports an unknown action as not found, and keeps the connection', async () => {
      const subject = await open()
      const connection = await connect(subject)
      const outcome = await call(subject, connection, { action: 'no_such_action', args: {} })
      expect(classOf(outcome)).toBe('not_found')
      expect(outcome.httpStatus).not.toBe(401)
      expect(await subject.connector.check(connection)).toMatchObject({ status: 'active' })
    })

    it('fails without throwing for an unknown toolkit or connection', async () => {
      const subject = await open()
      const stray = { ...pendingRow(subject, 'connection_9'), toolkit: 'no_such_toolkit' }
      expect(await call(subject, stray, subject.read)).toMatchObject({ ok: false })
    })

    it('reports 401 for a revoked connection', async ({ skip }) => {
      const subject = await open()
      if (!subject.revoke) return skip()
      const connection = await connect(subject)
      await call(subject, connection, subject.read)
      await subject.revoke(connection)
      const outcome = await call(subject, connection, subject.write)
      expect(outcome).toMatchObject({ ok: false, httpStatus: 401 })
      expect(classOf(outcome)).toBe('bad_credentials')
    })

    it('reports an unavailable service with the facts, and works when it is back', async ({ skip }) => {
      const subject = await open()
      if (!subject.makeUnavailable) return skip()
      const connection = await connect(subject)
      const restore = await subject.makeUnavailable()
      const outcome = await call(subject, connection, subject.write)
      expect(['service_unavailable', 'timeout']).toContain(classOf(outcome))
      expect(outcome.httpStatus ?? outcome.errorCode ?? outcome.timedOut).toBeDefined()
      await restore()
      expect(await call(subject, connection, subject.read)).toMatchObject({ ok: true })
    })

    it('does nothing after the signal was aborted', async () => {
      const subject = await open()
      const connection = await connect(subject)
      const aborted = { ...live(), signal: AbortSignal.abort() }
      expect(classOf(await execute(subject, connection, subject.write, aborted))).toBe('cancelled')
      expect((await subject.written?.()) ?? 0).toBe(0)
    })

    it('writes once for one call', async ({ skip }) => {
      const subject = await open()
      if (!subject.written) return skip()
      const connection = await connect(subject)
      await call(subject, connection, subject.write)
      expect(await subject.written()).toBe(1)
      const restore = await subject.makeUnavailable?.()
      await call(subject, connection, subject.write)
      await restore?.()
      expect(await subject.written()).toBe(restore ? 1 : 2)
    })

    it('stops waiting when the signal is aborted', async ({ skip }) => {
      const subject = await open()
      if (!subject.slow) return skip()
      const connection = await connect(subject)
      const stop = new AbortController()
      const running = execute(subject, connection, subject.slow, { ...live(), signal: stop.signal })
      const first = await Promise.race([
        running,
        new Promise((resolve) => setTimeout(resolve, 50, 'still running')),
      ])
      expect(first).toBe('still running')
      stop.abort(new Error('the turn was stopped'))
      expect(classOf(await running)).toBe('cancelled')
      expect(await call(subject, connection, subject.read)).toMatchObject({ ok: true })
    })
  })

  describe('a secret', () => {
    it('is removed from outputs that repeat it', async ({ skip }) => {
      const subject = await open()
      if (!subject.echoes?.length) return skip()
      const connection = await connect(subject)
      for (const example of subject.echoes) {
        const outcome = await call(subject, connection, example)
        const secrets = subject.secrets?.() ?? []
        expect(secrets.length).toBeGreaterThan(0)
        for (const secret of secrets) expect(outcome.text).not.toContain(secret)
      }
    })
  })
}
