import { execFileSync } from 'node:child_process'
import { chmod, mkdir, readdir, readFile, symlink, truncate } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { tryTool } from '../testing/try-tool.ts'
import { createFileTools } from './files.ts'
import { home, put, root, use } from './files/guarded-folder.fixture.ts'

describe('reading a file', () => {
  it('returns all of a small file', async () => {
    await put('notes.txt', 'one\ntwo\n')
    expect(await use('read_file', { path: 'notes.txt' })).toMatchObject({ ok: true, text: 'one\ntwo\n' })
    expect(await use('read_file', { path: join(root, 'notes.txt') })).toMatchObject({ ok: true })
    expect(await use('read_file', { path: 'a/../notes.txt' })).toMatchObject({ ok: true })
  })

  it('returns a range of lines and says where to continue', async () => {
    await put('lines.txt', Array.from({ length: 10 }, (_, line) => `line ${line + 1}\n`).join(''))
    expect((await use('read_file', { path: 'lines.txt', offset: 3, limit: 2 })).text).toBe(
      'line 3\nline 4\n[lines 3 to 4; read on with offset 5]',
    )
    expect((await use('read_file', { path: 'lines.txt', offset: 9 })).text).toBe('line 9\nline 10\n')
    expect((await use('read_file', { path: 'lines.txt', offset: 99 })).text).toContain('past the end')
  })

  it('continues from part to part through every line of a large file', async () => {
    const content = Array.from({ length: 30_000 }, (_, line) => `line ${line} é語😀`).join('\n')
    await put('large.txt', content)
    let read = ''
    for (let offset: number | undefined = 1; offset !== undefined;) {
      const { text } = await use('read_file', { path: 'large.txt', offset, limit: 12_345 })
      const note = /\[lines \d+ to \d+; read on with offset (\d+)\]$/.exec(text)
      read += note ? text.slice(0, note.index) : text
      offset = note ? Number(note[1]) : undefined
    }
    expect(read === content).toBe(true)
  })

  it('cuts a line that is too long, at a character', async () => {
    await put('long.txt', 'é'.repeat(400_000))
    const { text } = await use('read_file', { path: 'long.txt' })
    expect(text).toContain('[line 1 is longer than this and was cut here]')
    expect(text).not.toContain('\ufffd')
    expect(Buffer.byteLength(text)).toBeLessThan(257 * 1024)
  })

  it('does not scan gigabytes to find a line', async () => {
    await put('sparse.txt', 'x'.repeat(10_000))
    await truncate(join(root, 'sparse.txt'), 2 * 1024 ** 3)
    expect(await use('read_file', { path: 'sparse.txt', offset: 1_000 })).toMatchObject({
      ok: false,
      errorCode: 'too_large',
    })
  })

  it('describes an empty, a binary and a missing file', async () => {
    await put('empty.txt', '')
    await put('picture.png', Buffer.from([0x89, 0x50, 0, 0, 1]))
    expect((await use('read_file', { path: 'empty.txt' })).text).toBe('(the file is empty)')
    expect(await use('read_file', { path: 'picture.png' })).toMatchObject({
      ok: false,
      errorCode: 'unsupported',
    })
    expect(await use('read_file', { path: 'missing.txt' })).toMatchObject({ ok: false, errorCode: 'ENOENT' })
    expect(await use('read_file', { path: 'empty.txt/below' })).toMatchObject({
      ok: false,
      errorCode: 'ENOTDIR',
    })
  })

  // The superuser may read everything.
  it.skipIf(process.getuid?.() === 0)('carries the code of a system error', async () => {
    await put('closed.txt', 'x')
    await chmod(join(root, 'closed.txt'), 0)
    expect(await use('read_file', { path: 'closed.txt' })).toMatchObject({ ok: false, errorCode: 'EACCES' })
  })
})

describe('a path that is not a file', () => {
  it.skipIf(process.platform === 'win32')(
    'is refused at once: folders, pipes, sockets and devices',
    async () => {
      execFileSync('mkfifo', [join(root, 'pipe')])
      const socket = createServer()
      await new Promise<void>((done) => socket.listen(join(root, 'socket'), done))
      await mkdir(join(root, 'folder'))
      for (const path of ['folder', 'pipe', 'socket']) {
        expect(await use('read_file', { path })).toMatchObject({ ok: false, errorCode: 'unsupported' })
        expect(await use('edit_file', { path, find: 'a', replace: 'b' })).toMatchObject({ ok: false })
        expect(await use('write_file', { path, content: 'x' })).toMatchObject({
          ok: false,
          errorCode: 'unsupported',
        })
      }
      await new Promise((done) => socket.close(done))
      const devices = createFileTools({ roots: ['/dev'] })
      const read = devices.find(({ name }) => name === 'read_file')!
      expect(await tryTool(read, { path: 'zero' })).toMatchObject({ ok: false, errorCode: 'unsupported' })
      expect(await readdir(root)).toEqual(['folder', 'pipe', 'socket'].filter((name) => name !== 'socket'))
    },
  )
})

it('a link that stays inside is followed, and a write goes to its target', async () => {
  await put('real/notes.txt', 'old')
  await symlink(join(root, 'real'), join(root, 'alias'))
  expect((await use('read_file', { path: 'alias/notes.txt' })).text).toBe('old')
  expect(await use('write_file', { path: 'alias/notes.txt', content: 'new' })).toMatchObject({ ok: true })
  expect(await readFile(join(root, 'real/notes.txt'), 'utf8')).toBe('new')
})

describe('listing and searching', () => {
  beforeEach(async () => {
    await put('src/a.ts', 'const apple = 1\n')
    await put('src/deep/b.tsx', 'const pear = 1\nconst apple = 2\n')
    await put('src/deep/c.css', '.apple {}\n')
    await put('node_modules/x/index.ts', 'apple\n')
    await put('.git/HEAD', 'apple\n')
    await put('image.png', Buffer.from('apple\0apple'))
  })

  it('lists one folder with sizes', async () => {
    expect((await use('list_files', {})).text).toBe('.git/\nimage.png (11 bytes)\nnode_modules/\nsrc/')
    await mkdir(join(root, 'void'))
    expect((await use('list_files', { path: 'void' })).text).toBe('(the folder is empty)')
    expect(await use('list_files', { path: 'src/a.ts' })).toMatchObject({
      ok: false,
      errorCode: 'unsupported',
    })
    expect(await use('list_files', { path: 'nowhere' })).toMatchObject({ ok: false, errorCode: 'ENOENT' })
  })

  it.each([
    ['*.ts', 'src/a.ts'],
    ['**/*.{ts,tsx}', 'src/a.ts\nsrc/deep/b.tsx'],
    ['src/*', 'src/a.ts'],
    ['./src/**/c.*', 'src/deep/c.css'],
    ['src/deep/?.css', 'src/deep/c.css'],
    ['*.rs', '(nothing fits)'],
  ])('lists paths that match %s', async (pattern, listed) => {
    expect((await use('list_files', { pattern })).text).toBe(listed)
  })

  it('finds a text as written, with its places', async () => {
    expect((await use('search_files', { pattern: 'apple' })).text).toBe(
      [
        'src/a.ts:1: const apple = 1',
        'src/deep/b.tsx:2: const apple = 2',
        'src/deep/c.css:1: .apple {}',
      ].join('\n'),
    )
    expect((await use('search_files', { pattern: 'apple', path: 'src/deep' })).text).toContain(
      'src/deep/b.tsx:2:',
    )
    expect((await use('search_files', { pattern: 'apple', path: 'src/a.ts' })).text).toBe(
      'src/a.ts:1: const apple = 1',
    )
    expect((await use('search_files', { pattern: '(a+)+$' })).text).toContain('not found in 3 files')
  })

  it('stops at its limits and says so', async () => {
    await put('many.txt', 'apple\n'.repeat(1_000))
    await put('long.txt', `${'x'.repeat(100_000)}apple${'y'.repeat(100_000)}`)
    await put('huge.txt', 'apple\n'.repeat(1_000_000))
    const many = await use('search_files', { pattern: 'apple' })
    expect(many.text.split('\n')).toHaveLength(202)
    expect(many.text).toContain('1 too large to search')
    expect(many.text.length).toBeLessThan(20_000)
    await mkdir(join(root, 'full'))
    await Promise.all(Array.from({ length: 1_001 }, (_, index) => put(`full/${index}`, '')))
    expect((await use('list_files', { path: 'full' })).text).toContain('[there are more')
    expect((await use('list_files', { path: 'full', pattern: '*' })).text).toContain('[there are more')
  })

  it('takes no longer for a hostile pattern', async () => {
    await put(`${'a'.repeat(200)}.txt`, '')
    const started = performance.now()
    const outcome = await use('list_files', { pattern: `${'*a'.repeat(60)}b` })
    expect(outcome.text).toBe('(nothing fits)')
    expect(performance.now() - started).toBeLessThan(1_000)
  })
})

it('file tools refuse a root that is not a folder', () => {
  expect(() => createFileTools({ roots: [join(home, 'nowhere')] })).toThrow('is not a folder')
  expect(() => createFileTools({ roots: [] })).toThrow('at least one')
})
