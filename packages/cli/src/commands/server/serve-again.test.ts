import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { main } from '../../main.ts'
import { writeServerFile } from '../../server-access/server-file.ts'
import { createFakeShell } from '../../testing/fake-shell.ts'
import { createHome } from '../../testing/stored-thread.ts'

it.each([{}, { isNode: true as const }])(
  'a server that was killed in a container does not hold up the next one, which has its process id %o',
  async (kind) => {
    const home = await createHome()
    writeServerFile(home, { url: 'http://127.0.0.1:9', linkUrl: 'http://127.0.0.1:9', ...kind })
    await writeFile(join(home, 'lock.pid'), `${process.pid}\n`)
    // The next thing that serve looks at is its port.
    const taken = createServer().listen(0, '127.0.0.1')
    onTestFinished(() => void taken.close())
    await once(taken, 'listening')
    const { port } = taken.address() as AddressInfo
    const shell = createFakeShell({ stdin: '', env: { CAPSTAN_HOME: home, NO_COLOR: '1' } })
    expect(await main(['serve', '--port', String(port)], shell)).toBe(1)
    expect(shell.err()).not.toContain('running already')
    expect(shell.err()).toContain(String(port))
  },
)
