import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { UNCONFINED } from '../../ports/sandbox.ts'
import { effectOf } from '../../turn/tool/tool.ts'
import { createShellTool } from '../shell.ts'

/** A folder with a link deep inside of it that leads to its top. Dots behind the link lead out. */
async function createTool() {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'capstan-links-')))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const root = join(folder, 'root')
  await mkdir(join(root, 'a/b'), { recursive: true })
  await writeFile(join(folder, 'secret.txt'), 'secret')
  await symlink('../..', join(root, 'a/b/top'))
  return createShellTool({ roots: [root], enabled: true, sandbox: UNCONFINED })
}

describe('dots behind a link that leads up', () => {
  it.each([
    { command: 'cat ../secret.txt', cwd: 'a/b/top' },
    { command: 'ls -R ..', cwd: 'a/b/top' },
    { command: 'cat a/b/top/../secret.txt' },
    { command: 'find a/b/top/.. -name secret.txt' },
    { command: 'grep -r secret a/b/top/../' },
  ])('reach outside of the folders: %j', async (args) => {
    expect(effectOf(await createTool(), args)).toBe('admin')
  })
})
