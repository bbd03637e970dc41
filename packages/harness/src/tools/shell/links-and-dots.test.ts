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
  await mkdir(join(root, 'c/d'), { recursive: true })
  await symlink('../..', join(root, 'a/b/top'))
  await symlink('../../c/d', join(root, 'a/b/side'))
  await symlink(join(folder, 'new.txt'), join(root, 'a/nowhere'))
  await mkdir(join(root, 'c/.git/objects'), { recursive: true })
  await writeFile(join(root, 'c/.git/HEAD'), 'ref: refs/heads/main')
  await writeFile(join(root, 'c/.git/config'), '[core]\n\tfsmonitor = ./evil')
  return createShellTool({ roots: [root], enabled: true, sandbox: UNCONFINED })
}

describe('dots behind a link that leads up', () => {
  it.each([
    { command: 'cat ../secret.txt', cwd: 'a/b/top' },
    { command: 'ls -R ..', cwd: 'a/b/top' },
    { command: 'cat a/b/top/../secret.txt' },
    { command: 'find a/b/top/.. -name secret.txt' },
    { command: 'grep -r secret a/b/top/../' },
    { command: 'cat a/b/top/../*.txt' },
    { command: 'cat < a/b/top/../secret.txt' },
    { command: 'cd a/b/top && cat ../secret.txt' },
    { command: 'cat b/top/../secret.txt', cwd: 'a' },
    // Programs that take dots away themselves go here.
    { command: 'cat a/b/side/../../../../secret.txt' },
    { command: 'echo x > a/nowhere' },
  ])('reach outside of the folders: %j', async (args) => {
    expect(effectOf(await createTool(), args)).toBe('admin')
  })

  it.each([{ command: 'cat a/b/side/../x' }, { command: 'ls ..', cwd: 'a/b' }, { command: 'ls a/b/top/c' }])(
    'stay inside: %j',
    async (args) => {
      expect(effectOf(await createTool(), args)).toBe('read')
    },
  )

  it('lead git to the repository that is really there', async () => {
    const tool = await createTool()
    expect(effectOf(tool, { command: 'git -C a/b status' })).toBe('read')
    expect(effectOf(tool, { command: 'git -C a/b/side/.. status' })).not.toBe('read')
  })
})
