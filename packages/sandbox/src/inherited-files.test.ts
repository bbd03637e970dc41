import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { makeFolder, missing } from './confined.fixture.ts'

describe.skipIf(missing)('a file that the server itself got open from its parent', () => {
  it('is not open in a confined program', async () => {
    const folder = makeFolder()
    writeFileSync(join(folder, 'private.txt'), 'private words')
    const program = `
      import { spawn } from 'node:child_process'
      import { createBubblewrapSandbox } from '@capstan/sandbox'
      const profile = { folders: [], network: 'off', env: {} }
      const request = { command: '/bin/bash', args: ['-c', 'echo started; cat <&40; cat /proc/1/fd/40; ls /proc/self/fd; exit 7'], profile, changedIn: 'Settings' }
      const start = await createBubblewrapSandbox({ hidden: [] }).confine(request)
      spawn(start.command, start.args, { env: start.env, stdio: ['ignore', 'inherit', 'ignore'] })
        .once('exit', (code) => { start.release(); process.exit(code) })`
    const child = spawn(
      '/bin/bash',
      [
        '-c',
        'exec 40< private.txt; cd "$1"; exec "$2" --input-type=module -e "$3"',
        'bash',
        import.meta.dirname,
        process.execPath,
        program,
      ],
      { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] },
    )
    const ended = once(child, 'exit')
    const printed = await text(child.stdout)
    expect(printed).toMatch(/^started\n/)
    expect(printed).not.toContain('private words')
    expect(printed.split('\n')).not.toContain('40')
    expect(await ended).toEqual([7, null])
  })
})
