import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { main } from '../main.ts'
import { createFakeShell } from '../testing/fake-shell.ts'
import { createHome } from '../testing/stored-thread.ts'

// Nothing listens there: what these commands need is a node, not the database.
const DATABASE_URL = 'postgres://capstan:harbour@127.0.0.1:9/capstan'

const COMMANDS = [
  ['login'],
  ['login', '--token'],
  ['logins'],
  ['members'],
  ['members', 'add', 'ada'],
  ['stop', '--all'],
  ['release'],
  ['secrets', 'list'],
  ['toolkits'],
  ['doctor'],
  ['budget'],
  ['chat', '--demo'],
]

it.each(COMMANDS)(
  'capstan %s %s asks for a node where nodes share a database, and leaves the folder alone',
  async (...words) => {
    const args = words.filter((word) => word !== undefined)
    const home = await createHome()
    for (const folder of [home, join(home, 'none')]) {
      const shell = createFakeShell({
        stdin: 'hello\n',
        env: { CAPSTAN_HOME: folder, DATABASE_URL, NO_COLOR: '1' },
      })
      expect(await main(args, shell)).toBe(1)
      expect(shell.out()).toBe('')
      expect(shell.err()).toContain('DATABASE_URL is set')
      expect(shell.err()).not.toContain('harbour')
    }
    expect(await readdir(home)).toEqual([])
  },
)
