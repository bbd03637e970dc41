import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { StoreError } from '@capstan/harness'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openDocument } from './document.ts'
import { createFileDocuments } from './file-documents.ts'

interface Names {
  readonly names: readonly string[]
}
const add =
  (name: string) =>
  ({ names }: Names): Names => ({ names: [...names, name] })

async function openNames() {
  const folder = await mkdtemp(join(tmpdir(), 'capstan-documents-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const open = () =>
    openDocument<Names>(createFileDocuments(folder), {
      name: 'names',
      empty: { names: [] },
      parse: (text) => JSON.parse(text) as Names,
      format: (value) => JSON.stringify(value),
      damaged: () => ({ names: ['damaged'] }),
    })
  const path = join(folder, 'names.json')
  const breakFile = async () => {
    await rm(path, { force: true })
    await mkdir(path)
    return () => rm(path, { recursive: true })
  }
  return { folder, path, open, breakFile, document: open() }
}

describe('a document', () => {
  it('survives a restart, in a file that only its owner can read', async () => {
    const { document, open, folder, path } = await openNames()
    await Promise.all(['ada', 'bob', 'cleo'].map((name) => document.change(add(name))))
    expect(open().value).toEqual({ names: ['ada', 'bob', 'cleo'] })
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    expect(await readdir(folder)).toEqual(['names.json'])
  })

  it('keeps its value when a change cannot be stored', async () => {
    const { document, breakFile } = await openNames()
    await breakFile()
    await expect(document.change(add('ada'))).rejects.toThrow(StoreError)
    expect(document.value.names).toEqual([])
  })

  it('takes a change at once although it cannot be stored, and stores it with the next one', async () => {
    const { document, open, breakFile } = await openNames()
    const repair = await breakFile()
    const stored = document.changeAtOnce(add('ada'))
    expect(document.value.names).toEqual(['ada'])
    await expect(stored).rejects.toThrow(StoreError)
    expect(document.value.names).toEqual(['ada'])
    await repair()
    await document.change(add('bob'))
    expect(document.value.names).toEqual(['ada', 'bob'])
    expect(open().value.names).toEqual(['ada', 'bob'])
  })

  it('is the same object until it changes, and a change without a difference is not stored', async () => {
    const { document, path } = await openNames()
    await document.change(add('ada'))
    const { value } = document
    const heard: Names[] = []
    document.watch((next) => heard.push(next))
    await document.change((before) => before)
    expect(document.value).toBe(value)
    await writeFile(path, 'not looked at again')
    expect(document.value).toBe(value)
    expect(heard).toEqual([])
  })

  it('tells those who watch what it was before', async () => {
    const { document } = await openNames()
    const heard: [Names, Names][] = []
    document.watch((value, before) => heard.push([value, before]))
    await document.change(add('ada'))
    await document.change(add('bob'))
    expect(heard.map(([{ names }, before]) => [names, before.names])).toEqual([
      [['ada'], []],
      [['ada', 'bob'], ['ada']],
    ])
  })

  it('that is damaged is replaced by what its kind says, and can be changed', async () => {
    const { open, path } = await openNames()
    await writeFile(path, '{"names":[')
    const document = open()
    expect(document.value.names).toEqual(['damaged'])
    await document.change(add('ada'))
    expect(JSON.parse(await readFile(path, 'utf8'))).toEqual({ names: ['damaged', 'ada'] })
  })
})
