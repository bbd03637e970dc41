import { describe, expect, it } from 'vitest'
import type { Action } from '../../ports/connector.ts'
import type { ConnectorUnderTest } from './connector-under-test.ts'
import { connect, pendingRow } from './sign-in.ts'

const digestsOf = (actions: readonly Action[]) => actions.map(({ name, digest }) => `${name} ${digest}`)

export function testActions(open: () => Promise<ConnectorUnderTest>): void {
  const find = (actions: readonly Action[], name: string) => actions.find((action) => action.name === name)!

  describe('its actions', () => {
    it('have a name of their own, a schema of an object, an effect and a digest', async () => {
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

    it('tell what reads from what writes', async () => {
      const subject = await open()
      const actions = await subject.connector.actions(await connect(subject))
      expect(find(actions, subject.read.action).effect).toBe('read')
      expect(['write', 'admin']).toContain(find(actions, subject.write.action).effect)
    })

    it('have the same digests as long as nobody rewrites them', async () => {
      const subject = await open()
      const connection = await connect(subject)
      const first = digestsOf(await subject.connector.actions(connection))
      const second = digestsOf(await subject.connector.actions(connection))
      const elsewhere = digestsOf(await subject.connector.actions(await connect(subject, 'connection_2')))
      expect(second).toEqual(first)
      expect(elsewhere).toEqual(first)
      expect(new Set(first.map((line) => line.split(' ')[1])).size).toBe(first.length)
    })

    it('are asked for anew: a definition that was rewritten has another digest', async ({ skip }) => {
      const subject = await open()
      if (!subject.changeAction) return skip()
      const connection = await connect(subject)
      const before = await subject.connector.actions(connection)
      await subject.changeAction()
      const after = await subject.connector.actions(connection)
      expect(find(after, subject.read.action).digest).not.toBe(find(before, subject.read.action).digest)
      expect(find(after, subject.write.action).digest).toBe(find(before, subject.write.action).digest)
    })

    it('are never none because the service cannot be reached', async ({ skip }) => {
      const subject = await open()
      if (!subject.makeUnavailable) return skip()
      const connection = await connect(subject)
      const restore = await subject.makeUnavailable()
      await expect(subject.connector.actions(connection)).rejects.toThrow()
      await restore()
      expect((await subject.connector.actions(connection)).length).toBeGreaterThan(0)
    })

    it('are not told for a toolkit that it does not have', async () => {
      const subject = await open()
      const stray = { ...pendingRow(subject, 'connection_9'), toolkit: 'no_such_toolkit' }
      await expect(subject.connector.actions(stray)).rejects.toThrow()
    })

    it('are not asked for once the signal was aborted', async () => {
      const subject = await open()
      const connection = await connect(subject)
      await expect(subject.connector.actions(connection, AbortSignal.abort())).rejects.toThrow()
    })
  })

  describe('a change at the service', () => {
    it('is heard, with the toolkit it concerns', async ({ skip }) => {
      const subject = await open()
      if (!subject.hears || !subject.changeAction) return skip()
      await subject.connector.actions(await connect(subject))
      const heard = Promise.withResolvers<string>()
      subject.connector.onChange(({ toolkit }) => heard.resolve(toolkit))
      await subject.changeAction()
      expect(await heard.promise).toBe(subject.toolkit)
    })

    it('is heard by everybody but those who stopped listening or throw', async ({ skip }) => {
      const subject = await open()
      if (!subject.hears || !subject.changeAction) return skip()
      await subject.connector.actions(await connect(subject))
      let stray = 0
      const heard = Promise.withResolvers<void>()
      const stop = subject.connector.onChange(() => void stray++)
      subject.connector.onChange(() => {
        throw new Error('a listener of no use')
      })
      subject.connector.onChange(() => heard.resolve())
      stop()
      stop()
      await subject.changeAction()
      await heard.promise
      expect(stray).toBe(0)
    })
  })
}
