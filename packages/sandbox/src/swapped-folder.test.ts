import { spawn } from 'node:child_process'
import { mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { createBubblewrapSandbox } from './bubblewrap-sandbox.ts'
import { makeFolder, missing } from './confined.fixture.ts'

describe.skipIf(missing)('a folder that is replaced by a link after it was checked', () => {
  it('does not lead a program to our data', async () => {
    const folder = makeFolder()
    const [data, shared] = [join(folder, 'data'), join(folder, 'shared')]
    mkdirSync(data)
    mkdirSync(shared)
    writeFileSync(join(data, 'install.key'), 'the-key')
    const start = await createBubblewrapSandbox({ hidden: [data] }).confine({
      command: '/bin/sh',
      args: ['-c', `cat ${shared}/install.key`],
      profile: { folders: [{ path: shared, access: 'read' }], network: 'off', env: {} },
      changedIn: 'Settings',
    })
    // Another program with rights on the folder above does this at the right moment.
    renameSync(shared, `${shared}-before`)
    symlinkSync(data, shared)
    const child = spawn(start.command, start.args, { env: start.env, stdio: ['ignore', 'pipe', 'ignore'] })
    expect(await text(child.stdout)).not.toContain('the-key')
    start.release()
  })
})

describe.skipIf(missing)('a file that the server itself got open from its parent', () => {
  it('is not open in a confined program', async () => {
    const folder = makeFolder()
    writeFileSync(join(folder, 'private.txt'), 'private words')
    const program = `
      import { spawn } from 'node:child_process'
      import { createBubblewrapSandbox } from '@capstan/sandbox'
      const profile = { folders: [], network: 'off', env: {} }
      const request = { command: '/bin/bash', args: ['-c', 'cat <&40'], profile, changedIn: 'Settings' }
      const start = await createBubblewrapSandbox({ hidden: [] }).confine(request)
      spawn(start.command, start.args, { env: start.env, stdio: ['ignore', 'inherit', 'ignore'] })
        .once('exit', () => { start.release(); process.exit() })`
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
    expect(await text(child.stdout)).not.toContain('private words')
  })
})
