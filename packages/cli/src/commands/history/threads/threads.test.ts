import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parseStored } from '@capstan/harness/stores'
import type { ThreadId } from '@capstan/protocol'
import { main } from '../../../main.ts'
import type { FakeShellOptions } from '../../../testing/fake-shell.ts'
import { createFakeShell } from '../../../testing/fake-shell.ts'
import { withOwnStore, createHome, storeThread } from '../../../testing/stored-thread.ts'
import { USER_ID } from '../../../store-access/open-store.ts'

const ID = 'thread_aaaaaaaaa-1'

async function withThread() {
  const home = await createHome()
  await withOwnStore(home, storeThread)
  const capstan = async (args: readonly string[], options: FakeShellOptions = { stdin: '' }) => {
    const shell = createFakeShell({ ...options, env: { CAPSTAN_HOME: home, NO_COLOR: '1' } })
    const code = await main(args, shell)
    return { code, out: shell.out(), err: shell.err() }
  }
  return { home, capstan }
}

const get = (home: string) => withOwnStore(home, async (store) => store.threads.get(ID as ThreadId))

describe('capstan threads', () => {
  it('lists threads with their state within 80 columns', async () => {
    const { home, capstan } = await withThread()
    const title = 'A title that is far too long for a terminal '.repeat(4)
    await withOwnStore(home, async (store) => {
      await store.threads.create({ id: 'thread_b' as ThreadId, userId: USER_ID, title, at: 1 })
    })
    const { code, out } = await capstan(['threads'], { terminal: true })
    expect(code).toBe(0)
    expect(out).toMatch(/^THREAD +UPDATED +STATE +TITLE\nthread_aaaaaaaaa +\S+.* waiting +The trip\n/)
    for (const line of out.split('\n')) expect(line.length).toBeLessThan(80)
    expect(out).toContain('…')
  })

  it('prints how to start when there are no threads', async () => {
    const shell = createFakeShell({ stdin: '' })
    expect(await main(['threads', '--home', await createHome()], shell)).toBe(0)
    expect(shell.out()).toBe('No threads yet. Start one with "capstan chat --demo".\n')
  })

  it('lists threads as JSON lines with --json', async () => {
    const { capstan } = await withThread()
    const { out } = await capstan(['threads', '--json'])
    expect(JSON.parse(out)).toMatchObject({ id: ID, title: 'The trip' })
  })

  it('prints that there are more threads than --limit', async () => {
    const { home, capstan } = await withThread()
    await withOwnStore(home, async (store) => {
      await store.threads.create({ id: 'thread_b' as ThreadId, userId: USER_ID, at: 1 })
    })
    expect((await capstan(['threads', '--limit', '1'])).out).toContain('There are more: --limit shows them.')
    expect((await capstan(['threads', '--limit', '0'])).err).toContain('--limit is a whole number from 1 up')
  })

  it('finds threads by their words', async () => {
    const { capstan } = await withThread()
    const { out } = await capstan(['threads', 'search', 'rain', 'jack'])
    expect(out).toMatch(/^thread_aaaaaaaaa {2}The trip\n {2}.*rain jacket/i)
    expect((await capstan(['threads', 'search', 'rain', '--json'])).out).toContain('"excerpt"')
    expect((await capstan(['threads', 'search', 'submarine'])).out).toContain(
      'No thread contains all the words.',
    )
    expect((await capstan(['threads', 'search'])).code).toBe(2)
  })

  it('shows a thread as it was shown while it ran', async () => {
    const { capstan } = await withThread()
    const { out } = await capstan(['threads', 'show', 'thread_a'])
    const positions = [
      '> What should I pack?',
      'I will look.',
      '✗ Read calendar  tomorrow',
      'Why: The sign-in has expired.',
      'Take a rain jacket.',
      '✓ Done',
      '> Save that as a note.',
      '? Save note',
      'It waits for your yes or no to "Save note"',
    ].map((text) => out.indexOf(text))
    expect(positions).toEqual(positions.toSorted((a, b) => a - b))
    expect(positions).not.toContain(-1)
  })

  it('shows a thread as one JSON object with --json', async () => {
    const { capstan } = await withThread()
    const shown = JSON.parse((await capstan(['threads', 'show', ID, '--json'])).out) as { turns: unknown[] }
    expect(shown).toMatchObject({ thread: { id: ID } })
    expect(shown.turns).toMatchObject([{ status: 'done' }, { status: 'waiting' }])
  })

  it('exports Markdown, and JSON lines that can be parsed again', async () => {
    const { home, capstan } = await withThread()
    expect((await capstan(['threads', 'export', ID])).out).toContain('# The trip\n')
    const file = join(home, 'out.jsonl')
    const { code, out, err } = await capstan(['threads', 'export', ID, '--format', 'jsonl', '--out', file])
    expect({ code, out, err }).toEqual({ code: 0, out: '', err: `Written to ${file}.\n` })
    const [meta, ...lines] = (await readFile(file, 'utf8')).trimEnd().split('\n')
    expect(JSON.parse(meta ?? '')).toMatchObject({ type: 'thread', id: ID })
    expect(lines.map((line) => parseStored(JSON.parse(line)).role)).toEqual([
      'user',
      'assistant',
      'tool',
      'assistant',
      'user',
      'assistant',
    ])
  })

  it('answers an export that is not possible with one sentence', async () => {
    const { home, capstan } = await withThread()
    expect(await capstan(['threads', 'export', ID, '--format', 'pdf'])).toMatchObject({
      code: 2,
      err: 'capstan: --format is md or jsonl, not "pdf".\n',
    })
    const file = join(home, 'no', 'such', 'folder')
    expect(await capstan(['threads', 'export', ID, '--out', file])).toMatchObject({
      code: 1,
      err: `capstan: "${file}" could not be written (ENOENT).\n`,
    })
  })

  it('removes control characters from stored text', async () => {
    const { capstan } = await withThread()
    for (const args of [
      ['show', ID],
      ['export', ID],
      ['show', ID, '--json'],
    ]) {
      // oxlint-disable-next-line no-control-regex
      expect((await capstan(['threads', ...args], { terminal: true })).out).not.toMatch(/\u001b\[2J/)
    }
  })

  it('renames a thread', async () => {
    const { home, capstan } = await withThread()
    expect((await capstan(['threads', 'rename', ID, 'To', 'Sandholm'])).out).toBe(
      'Renamed to "To Sandholm".\n',
    )
    expect((await get(home))?.title).toBe('To Sandholm')
    expect((await capstan(['threads', 'rename', ID])).code).toBe(2)
    expect((await capstan(['threads', 'rename', ID, '  '])).code).toBe(2)
  })

  it('archives and unarchives a thread', async () => {
    const { home, capstan } = await withThread()
    expect((await capstan(['threads', 'archive', ID])).out).toContain('Archived "The trip".')
    expect((await capstan(['threads'])).out).toContain('No threads yet.')
    expect((await capstan(['threads', '--archived'])).out).toContain('The trip')
    const back = await capstan(['threads', 'unarchive', 'thread_a', '--json'])
    expect(JSON.parse(back.out)).toMatchObject({ id: ID })
    expect((await get(home))?.archivedAt).toBeUndefined()
  })

  it('sets the queue mode of a thread and takes it back', async () => {
    const { home, capstan } = await withThread()
    const set = await capstan(['threads', 'queue', ID, 'collect'])
    expect(set.out).toContain('Messages that wait in "The trip": collect.')
    expect((await get(home))?.queueMode).toBe('collect')
    await capstan(['threads', 'queue', ID, 'default'])
    expect((await get(home))?.queueMode).toBeUndefined()
    expect((await capstan(['threads', 'queue', ID, 'somehow'])).code).toBe(2)
  })

  it('deletes a thread only after a confirmation', async () => {
    const { home, capstan } = await withThread()
    expect(await capstan(['threads', 'delete', ID])).toMatchObject({
      code: 2,
      err: 'capstan: A deleted thread cannot be restored: add --yes.\n',
    })
    const no = await capstan(['threads', 'delete', ID], { terminal: true, stdin: 'y\n' })
    expect(no.out).toContain('Delete "The trip" and everything in it? Type yes to delete: ')
    expect(no.out).toContain('Nothing was deleted.')
    expect(await get(home)).toBeDefined()
    const yes = await capstan(['threads', 'delete', ID], { terminal: true, stdin: 'yes\n' })
    expect(yes.out).toContain('Deleted "The trip".')
    expect(await get(home)).toBeUndefined()
  })

  it('deletes a thread without a question at --yes', async () => {
    const { home, capstan } = await withThread()
    expect((await capstan(['threads', 'delete', ID, '--yes', '--json'])).out).toBe(
      `{"id":"${ID}","deleted":true}\n`,
    )
    expect(await get(home)).toBeUndefined()
  })

  it.each([
    [['fly'], 'There is no action "fly". See "capstan threads --help".'],
    [['show'], 'Give the id of one thread: capstan threads show <id>.'],
    [['list', 'x'], '"list" takes no words. To find threads, use "capstan threads search".'],
  ])('answers wrong arguments %j with one sentence', async (args, sentence) => {
    const { capstan } = await withThread()
    expect(await capstan(['threads', ...args])).toEqual({ code: 2, out: '', err: `capstan: ${sentence}\n` })
  })

  it('answers an unknown id with one sentence', async () => {
    const { capstan } = await withThread()
    expect(await capstan(['threads', 'show', 'nobody'])).toEqual({
      code: 1,
      out: '',
      err: 'capstan: There is no thread "nobody".\nWhat to do next: "capstan threads" lists those that there are.\n',
    })
  })
})
