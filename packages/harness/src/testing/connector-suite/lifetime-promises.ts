import { describe, expect, it, vi } from 'vitest'
import type { ConnectorUnderTest } from './connector-under-test.ts'
import { connect } from './sign-in.ts'

/** Tests `close`. */
export function testConnectorLifetime(open: () => Promise<ConnectorUnderTest>): void {
  const call = () => ({ signal: new AbortController().signal, idempotencyKey: 'run_1/call_1' })

  describe('closing', () => {
    it('leaves nothing open', async ({ skip }) => {
      const subject = await open()
      if (!subject.openHandles) return skip()
      const connection = await connect(subject)
      await subject.connector.actions(connection)
      await subject.connector.execute(connection, subject.read.action, subject.read.args, call())
      await subject.connector.close()
      await vi.waitFor(async () => expect(await subject.openHandles!()).toBe(0), { timeout: 5_000 })
    })

    it('ends calls in progress', async ({ skip }) => {
      const subject = await open()
      if (!subject.slow) return skip()
      const connection = await connect(subject)
      await subject.connector.execute(connection, subject.read.action, subject.read.args, call())
      const running = subject.connector.execute(connection, subject.slow.action, subject.slow.args, call())
      await new Promise((resolve) => setTimeout(resolve, 20))
      await subject.connector.close()
      expect(await running).toMatchObject({ ok: false })
    })

    it('can be repeated, and a later call fails without throwing', async () => {
      const subject = await open()
      const connection = await connect(subject)
      await subject.connector.close()
      await subject.connector.close()
      const { action, args } = subject.write
      expect(await subject.connector.execute(connection, action, args, call())).toMatchObject({ ok: false })
      await expect(subject.connector.disconnect(connection)).resolves.toBeUndefined()
    })

    it('stops reports of changes', async ({ skip }) => {
      const subject = await open()
      if (!subject.reportsChanges || !subject.changeAction) return skip()
      await subject.connector.actions(await connect(subject))
      let changed = 0
      subject.connector.onChange(() => void changed++)
      await subject.connector.close()
      await subject.changeAction()
      await new Promise((resolve) => setImmediate(resolve))
      expect(changed).toBe(0)
    })
  })
}
