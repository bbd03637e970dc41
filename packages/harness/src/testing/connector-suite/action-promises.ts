import { describe, expect, it } from 'vitest'
import type { Action } from '../../ports/connector.ts'
import type { ConnectorUnderTest } from './connector-under-test.ts'
import { connect, pendingRow } from './sign-in.ts'

const digestsOf = (actions: readonly Action[]) => actions.map(({ name, digest }) => `${name} ${digest}`)

/** Tests `actions` and `onChange`. */
export function testActions(open: () => Promise<ConnectorUnderTest>): void {
  const find = (actions: readonly Action[], name: string) => actions.find((action) => action.name === name)!

  describe('the actions', () => {
    it('have a unique name, an object schema, an effect and a digest', async () => {
      const subject = await open()
      const actions = await subject.connector.actions(await connect(subject))
      const names = actions.map(({ name }) => name)
      expect(names).toContain(subject.read.action)
      expect(names).toContain(subject.write.action)
      expect(new Set(names).size).toBe(names.length)
      for (const action of actions) {
        expect(action.name).toMatch(/\S/)
        expect(action.input['type']).toBe('object')
        expect(['read', 'write', 'admin']).toContain(action.effect)
        expect(action.digest.length).toBeGreaterThanOrEqual(32)
      }
    })

    it('have the effect read for a read, and another for a write', async () => {
      const subject = await open()
      const actions = await subject.connector.actions(await connect(subject))
      expect(find(actions, subject.read.action).effect).toBe('read')
      expect(['write', 'admin']).toContain(find(actions, subject.write.action).effect)
    })

    it('keep their digests while they are unchanged', async () => {
      const subject = await open()
      const connection = await connect(subject)
      const first = digestsOf(await subject.connector.actions(connection))
      const second = digestsOf(await subject.connector.actions(connection))
      const elsewhere = digestsOf(await subject.connector.actions(await connect(subject, 'connection_2')))
      expect(second).toEqual(first)
      expect(elsewhere).toEqual(first)
      expect(new Set(first.map((line) => line.split(' ')[1])).size).toBe(first.length)
    })

    it('are read again each time: a changed definition has another digest', async ({ skip }) => {
      const subject = await open()
      if (!subject.changeAction) return skip()
      const connection = await connect(subject)
      const before = await subject.connector.actions(connection)
      await subject.changeAction()
      const after = await subject.connector.actions(connection)
      expect(find(after, subject.read.action).digest).not.toBe(find(before, subject.read.action).digest)
      expect(find(after, subject.write.action).digest).toBe(find(before, subject.write.action).digest)
    })

    it('are never an empty list because the service cannot be reached', async ({ skip }) => {
      const subject = await open()
      if (!subject.makeUnavailable) return skip()
      const connection = await connect(subject)
      const restore = await subject.makeUnavailable()
      await expect(subject.connector.actions(connection)).rejects.toThrow()
      await restore()
      expect((await subject.connector.actions(connection)).length).toBeGreaterThan(0)
    })

    it('are refused for an unknown toolkit', async () => {
      const subject = await open()
      const stray = { ...pendingRow(subject, 'connection_9'), toolkit: 'no_such_toolkit' }
      await expect(subject.connector.actions(stray)).rejects.toThrow()
    })

    it('are not requested after the signal was aborted', async () => {
      const subject = await open()
      const connection = await connect(subject)
      await expect(subject.connector.actions(connection, AbortSignal.abort())).rejects.toThrow()
    })
  })

  describe('a change at the service', () => {
    it('is reported, with its toolkit', async ({ skip }) => {
      const subject = await open()
      if (!subject.reportsChanges || !subject.changeAction) return skip()
      await subject.connector.actions(await connect(subject))
      const changed = Promise.withResolvers<string>()
      subject.connector.onChange(({ toolkit }) => changed.resolve(toolkit))
      await subject.changeAction()
      expect(await changed.promise).toBe(subject.toolkit)
    })

    it('reaches every listener, even if another unsubscribed or throws', async ({ skip }) => {
      const subject = await open()
      if (!subject.reportsChanges || !subject.changeAction) return skip()
      await subject.connector.actions(await connect(subject))
      let stray = 0
      const changed = Promise.withResolvers<void>()
      const stop = subject.connector.onChange(() => void stray++)
      subject.connector.onChange(() => {
        throw new Error('a listener of no use')
      })
      subject.connector.onChange(() => changed.resolve())
      stop()
      stop()
      await subject.changeAction()
      await changed.promise
      expect(stray).toBe(0)
    })
  })
}
