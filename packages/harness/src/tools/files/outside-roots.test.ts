import { mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../turn/json.ts'
import { home, outside, put, root, use } from './guarded-folder.fixture.ts'

describe('a path outside the roots', () => {
  beforeEach(async () => {
    await put('inside.txt', 'inside')
    await symlink(outside, join(root, 'link'))
    await symlink(join(outside, 'secret.txt'), join(root, 'link.txt'))
    await symlink('../outside/secret.txt', join(root, 'relative.txt'))
    await symlink(join(root, 'link'), join(root, 'link-to-link'))
    await symlink(join(outside, 'not-yet.txt'), join(root, 'broken.txt'))
    await symlink(join(outside, 'not-yet'), join(root, 'broken'))
    await mkdir(join(home, 'root-copy'))
    await writeFile(join(home, 'root-copy', 'secret.txt'), 'the secret')
  })

  const PATHS: readonly string[] = [
    '../outside/secret.txt',
    './../outside/secret.txt',
    'a/b/../../../outside/secret.txt',
    'inside.txt/../../outside/secret.txt',
    '../root-copy/secret.txt',
    '..',
    '../..',
    '/etc/passwd',
    '/',
    '/proc/self/environ',
    '/dev/zero',
    '//etc/passwd',
    'link/secret.txt',
    'link/../secret.txt/../../outside/secret.txt',
    'link.txt',
    'relative.txt',
    'link-to-link/secret.txt',
    'link/new.txt',
    'link/deep/new.txt',
    'broken.txt',
    'broken/new.txt',
    '../new.txt',
    '../root/../outside/secret.txt',
  ]
  const TOOLS: readonly (readonly [string, JsonObject])[] = [
    ['read_file', {}],
    ['list_files', {}],
    ['search_files', { pattern: 'secret' }],
    ['write_file', { content: 'overwritten' }],
    ['edit_file', { find: 'secret', replace: 'changed' }],
  ]

  it.each(TOOLS.flatMap(([tool, args]) => PATHS.map((path) => [tool, path, args] as const)))(
    'is refused by %s as %s',
    async (tool, path, args) => {
      const outcome = await use(tool, { ...args, path })
      expect(outcome).toMatchObject({ ok: false, deniedBy: 'policy' })
      expect(outcome.text).not.toContain('the secret')
      expect(await readFile(join(outside, 'secret.txt'), 'utf8')).toBe('the secret')
      expect(await readdir(outside)).toEqual(['secret.txt'])
      expect((await readdir(home)).toSorted()).toEqual(['outside', 'root', 'root-copy'])
    },
  )

  it('is refused by its absolute name, too, whether it exists or not', async () => {
    const there = await use('read_file', { path: join(outside, 'secret.txt') })
    const missing = await use('read_file', { path: join(outside, 'missing.txt') })
    expect(there).toMatchObject({ deniedBy: 'policy' })
    expect(missing.text.replace('missing', 'secret')).toBe(there.text)
  })

  it('is not followed by a list or a search of the whole root', async () => {
    expect((await use('search_files', { pattern: 'the secret' })).text).toContain('not found')
    expect((await use('list_files', { pattern: '**' })).text).not.toContain('secret.txt')
    expect((await use('list_files', {})).text).toContain('link (a link)')
  })

  it('is refused when it has a NUL or is empty', async () => {
    for (const path of ['inside.txt\0.png', '\0', '']) {
      for (const [tool, args] of TOOLS) {
        expect(await use(tool, { ...args, path })).toMatchObject({
          ok: false,
          errorCode: 'invalid_arguments',
        })
      }
    }
  })

  it('is not reached by swapping a folder for a link during writes', async () => {
    const swapped = join(root, 'swapped')
    const done = new AbortController()
    const swap = async () => {
      while (!done.signal.aborted) {
        await rm(swapped, { recursive: true, force: true }).catch(() => {})
        await symlink(outside, swapped).catch(() => {})
        await rm(swapped, { force: true }).catch(() => {})
        await mkdir(swapped).catch(() => {})
      }
    }
    const swapping = swap()
    try {
      for (let attempt = 0; attempt < 60; attempt++) {
        await use('write_file', { path: 'swapped/new.txt', content: 'escaped' })
        await use('write_file', { path: 'swapped/deep/er/new.txt', content: 'escaped' })
        const read = await use('read_file', { path: 'swapped/secret.txt' })
        expect(read.text).not.toContain('the secret')
      }
    } finally {
      done.abort()
      await swapping
    }
    expect(await readdir(outside)).toEqual(['secret.txt'])
  }, 30_000)
})
