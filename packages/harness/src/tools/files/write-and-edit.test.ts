import { chmod, link, readdir, readFile, stat, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { outside, put, root, use } from './guarded-folder.fixture.ts'

describe('writing a file', () => {
  it('makes the folders it needs and leaves nothing else behind', async () => {
    expect((await use('write_file', { path: 'a/b/c.txt', content: 'hé' })).text).toBe(
      'Wrote a/b/c.txt (3 bytes).',
    )
    expect(await readFile(join(root, 'a/b/c.txt'), 'utf8')).toBe('hé')
    expect(await readdir(join(root, 'a/b'))).toEqual(['c.txt'])
    expect((await use('write_file', { path: 'a/b/c.txt', content: '' })).text).toBe(
      'Replaced a/b/c.txt (0 bytes).',
    )
  })

  it.skipIf(process.platform === 'win32')('keeps the mode of the existing file', async () => {
    await put('run.sh', 'old')
    await chmod(join(root, 'run.sh'), 0o750)
    await use('write_file', { path: 'run.sh', content: 'new' })
    expect((await stat(join(root, 'run.sh'))).mode & 0o777).toBe(0o750)
  })

  it('does not change another hard link of the same file', async () => {
    await link(join(outside, 'secret.txt'), join(root, 'hard.txt'))
    expect(await use('write_file', { path: 'hard.txt', content: 'changed' })).toMatchObject({ ok: true })
    expect(await readFile(join(outside, 'secret.txt'), 'utf8')).toBe('the secret')
  })

  it('shows a reader the old content or the new, never a part', async () => {
    const [old, fresh] = ['a'.repeat(2_000_000), 'b'.repeat(2_000_000)]
    await put('big.txt', old)
    const written = new AbortController()
    const writing = (async () => {
      for (let round = 0; round < 5; round++) {
        await use('write_file', { path: 'big.txt', content: round % 2 === 0 ? fresh : old })
      }
      written.abort()
    })()
    while (!written.signal.aborted) {
      const seen = await readFile(join(root, 'big.txt'), 'utf8')
      expect(seen === old || seen === fresh).toBe(true)
    }
    await writing
  })

  it('refuses content that is too large', async () => {
    expect(await use('write_file', { path: 'huge.txt', content: 'x'.repeat(9 * 1024 * 1024) })).toMatchObject(
      {
        ok: false,
        errorCode: 'too_large',
      },
    )
    expect(await readdir(root)).toEqual([])
  })

  it.each([
    '.git/config',
    '.git/hooks/pre-commit',
    'sub/.git/config',
    '.GIT/config',
    '.Git /config',
    '.git./x',
    '.git',
  ])('refuses %s, which may be read', async (path) => {
    await put('.git/config', '[core]')
    expect(await use('write_file', { path, content: 'x' })).toMatchObject({ ok: false, deniedBy: 'policy' })
    expect(await use('edit_file', { path, find: 'core', replace: 'x' })).toMatchObject({ deniedBy: 'policy' })
    expect((await use('read_file', { path: '.git/config' })).text).toBe('[core]')
  })

  it('refuses repository metadata through a link, too', async () => {
    await put('.git/config', '[core]')
    await symlink(join(root, '.git'), join(root, 'innocent'))
    const outcome = await use('write_file', { path: 'innocent/config', content: 'x' })
    expect(outcome).toMatchObject({ ok: false, deniedBy: 'policy' })
    expect(await use('write_file', { path: '.gitignore', content: 'dist' })).toMatchObject({ ok: true })
  })

  it.each(['.env', '.env.local', 'app/.env.production', '.ENV', '.envrc'])(
    'refuses every access to %s',
    async (path) => {
      await put(path, 'TOKEN=abc')
      for (const [tool, args] of [
        ['read_file', {}],
        ['write_file', { content: 'x' }],
        ['edit_file', { find: 'abc', replace: 'x' }],
        ['search_files', { pattern: 'abc' }],
      ] as const) {
        expect(await use(tool, { ...args, path })).toMatchObject({ ok: false, deniedBy: 'policy' })
      }
      expect((await use('search_files', { pattern: 'TOKEN' })).text).toContain('not found')
      expect((await use('read_file', { path }, { allowSecretFiles: true })).text).toBe('TOKEN=abc')
    },
  )

  it('allows reading the sample of a secrets file', async () => {
    await put('.env.example', 'TOKEN=')
    expect(await use('read_file', { path: '.env.example' })).toMatchObject({ ok: true })
  })
})

describe('editing a file', () => {
  it('replaces the one exact match', async () => {
    await put('code.ts', '\ufeffconst a = 1\r\nconst b = 2\r\n')
    const outcome = await use('edit_file', { path: 'code.ts', find: 'b = 2', replace: "b = '$&$1'" })
    expect(outcome).toMatchObject({ ok: true, text: 'Changed code.ts at line 2.' })
    expect(await readFile(join(root, 'code.ts'), 'utf8')).toBe("\ufeffconst a = 1\r\nconst b = '$&$1'\r\n")
  })

  it.each([
    ['x', 0],
    ['a', 3],
    ['aa', 2],
  ])('changes nothing when %s occurs %i times, and says so', async (find, times) => {
    await put('aaa.txt', 'aaa')
    const outcome = await use('edit_file', { path: 'aaa.txt', find, replace: 'b' })
    expect(outcome).toMatchObject({ ok: false, errorCode: 'invalid_input' })
    expect(outcome.text).toContain(`${times} times`)
    expect(await readFile(join(root, 'aaa.txt'), 'utf8')).toBe('aaa')
  })

  it('mentions line endings that differ', async () => {
    await put('dos.txt', 'a\r\nb\r\n')
    expect((await use('edit_file', { path: 'dos.txt', find: 'a\nb', replace: 'c' })).text).toContain('\\r\\n')
  })

  it('refuses a file that it cannot write back exactly', async () => {
    const bytes = Buffer.from([0x61, 0xff, 0xfe, 0x62])
    await put('latin.txt', bytes)
    expect(await use('edit_file', { path: 'latin.txt', find: 'a', replace: 'c' })).toMatchObject({
      ok: false,
      errorCode: 'unsupported',
    })
    expect(await readFile(join(root, 'latin.txt'))).toEqual(bytes)
  })
})
