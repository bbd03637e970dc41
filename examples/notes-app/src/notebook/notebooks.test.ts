import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Notebooks } from './notebooks.ts'
import { openNotebooks } from './notebooks.ts'

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'notes-app-'))
})

afterEach(async () => {
  await rm(folder, { recursive: true, force: true })
})

function open(limits = { maxPageBytes: 1000, maxPages: 5 }): Promise<Notebooks> {
  return openNotebooks({ folder, now: () => 1, limits })
}

describe('notebooks', () => {
  it('run a keyed call once, also after a restart and after the page was deleted', async () => {
    const before = await open()
    const page = await before.create('ada', { title: 'A', text: 'a' }, 'key')
    await before.append('ada', page.id, 'b', 'another key')

    const after = await open()
    await after.append('ada', page.id, 'b', 'another key')
    expect(await after.create('ada', { title: 'A', text: 'a' }, 'key')).toMatchObject({
      id: page.id,
      text: 'a\n\nb',
    })
    await after.remove('ada', page.id)
    expect(await (await open()).create('ada', { title: 'A', text: 'a' }, 'key')).toMatchObject({
      id: page.id,
    })
    expect((await open()).list('ada')).toHaveLength(3)
  })

  it('keep the same key of two accounts apart', async () => {
    const notebooks = await open()
    const ada = await notebooks.create('ada', { title: 'A', text: '' }, 'key')
    const team = await notebooks.create('team', { title: 'B', text: '' }, 'key')
    expect(team.id).not.toBe(ada.id)
    expect(notebooks.read('team', ada.id)).toBeUndefined()
  })

  it('lose no addition when many arrive at once', async () => {
    const notebooks = await open()
    const page = await notebooks.create('ada', { title: 'A', text: '' })
    const words = Array.from({ length: 20 }, (_, index) => `word${index}`)
    await Promise.all(words.map((word) => notebooks.append('ada', page.id, word)))
    const kept = (await open()).read('ada', page.id)
    expect(kept).toMatchObject({ version: 21 })
    expect(words.every((word) => kept?.text.includes(word))).toBe(true)
  })

  it('refuse more pages and longer ones than allowed, and stay usable', async () => {
    const notebooks = await open()
    await notebooks.create('ada', { title: 'Four', text: '' })
    await expect(notebooks.create('ada', { title: 'Long', text: 'x'.repeat(1001) })).rejects.toMatchObject({
      code: 'page_too_large',
    })
    await notebooks.create('ada', { title: 'Five', text: '' })
    await expect(notebooks.create('ada', { title: 'Six', text: '' })).rejects.toMatchObject({
      code: 'notebook_full',
    })
    expect(notebooks.list('ada').map(({ title }) => title)).toEqual([
      'Five',
      'Four',
      'Sourdough',
      'Trip to Lisbon',
      'Reading list',
    ])
  })

  it('continue the change counter after a restart', async () => {
    const before = await open()
    const { cursor } = before.changes('ada', 0, 10)
    await before.create('ada', { title: 'New', text: '' })
    const after = await open()
    expect(after.changes('ada', cursor, 10)).toMatchObject({
      changes: [{ title: 'New' }],
      cursor: cursor + 1,
    })
  })

  it('stay empty after all pages were deleted', async () => {
    const notebooks = await open()
    for (const { id } of notebooks.list('ada')) await notebooks.remove('ada', id)
    expect((await open()).list('ada')).toEqual([])
  })

  it('refuse to open a file that is no page', async () => {
    await open()
    await writeFile(join(folder, 'pages', 'ada', 'broken.json'), '{"id":"../elsewhere"}')
    await expect(open()).rejects.toThrow()
  })
})
