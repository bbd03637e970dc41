import { describe, expect, it } from 'vitest'
import type { ConnectorUnderTest } from './connector-under-test.ts'

/** Tests `toolkits`. */
export function testToolkits(open: () => Promise<ConnectorUnderTest>): void {
  describe('the toolkits', () => {
    it('have unique slugs and the id of the connector', async () => {
      const { connector, toolkit } = await open()
      const rows = await connector.toolkits()
      const slugs = rows.map(({ slug }) => slug)
      expect(slugs).toContain(toolkit)
      expect(new Set(slugs).size).toBe(slugs.length)
      for (const row of rows) {
        expect(row.slug).toMatch(/^[a-z0-9_]+$/)
        expect(row.name).not.toBe('')
        expect(row.connector).toBe(connector.id)
        expect(['none', 'oauth', 'key']).toContain(row.auth)
      }
    })

    it('are described in one line', async () => {
      const { connector } = await open()
      for (const { description } of await connector.toolkits()) {
        expect(description).toBe(description.trim())
        expect(description).not.toMatch(/[\n\r]/)
      }
    })

    it('are never an empty list because the service cannot be reached', async ({ skip }) => {
      const { connector, makeUnavailable } = await open()
      if (!makeUnavailable) return skip()
      const known = await connector.toolkits()
      const restore = await makeUnavailable()
      // A connector that knows its toolkits without asking may list them; one that has to ask must not answer "none".
      await connector.toolkits().then(
        (rows) => expect(rows).toEqual(known),
        (error) => expect(error).toBeInstanceOf(Error),
      )
      await restore()
      expect(await connector.toolkits()).toEqual(known)
    })

    it('hold nothing about a sign-in', async () => {
      const { connector, toolkit } = await open()
      const row = (await connector.toolkits()).find(({ slug }) => slug === toolkit)!
      expect(Object.keys(row).toSorted()).toEqual(['auth', 'connector', 'description', 'name', 'slug'])
    })
  })
}
