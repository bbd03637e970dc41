import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { testArtifactStore } from '../../testing/artifact-store-suite.ts'
import { createFolderArtifacts } from './folder-artifacts.ts'

const folders: string[] = []
const newFolder = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'capstan-artifacts-'))
  folders.push(folder)
  return folder
}

afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true })
})

testArtifactStore('a folder', async () => createFolderArtifacts(await newFolder()))

const NAME = { threadId: 'thread_1', callId: 'call_1', tool: 'shell' }
const filesIn = async (folder: string) =>
  (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))

it('an artifact in a folder is found after a restart', async () => {
  const folder = await newFolder()
  const writer = createFolderArtifacts(folder).create(NAME)
  await writer.write('kept')
  const { id } = await writer.close()
  const slice = await createFolderArtifacts(folder).read('thread_1', id, { offset: 0, maxBytes: 10 })
  expect(slice?.text).toBe('kept')
})

it('artifact files are sorted by thread and tool, and readable by their owner alone', async () => {
  const folder = await newFolder()
  const writer = createFolderArtifacts(folder).create(NAME)
  await writer.write('kept')
  await writer.close()
  const [file, ...others] = await filesIn(folder)
  expect(others).toEqual([])
  expect(file).toMatch(/^thread_1[/\\]shell[/\\]call_1\.[\w-]{22}\.txt$/)
  if (process.platform !== 'win32') expect((await stat(join(folder, file!))).mode & 0o777).toBe(0o600)
})

it('a discarded artifact leaves no file', async () => {
  const folder = await newFolder()
  const writer = createFolderArtifacts(folder).create(NAME)
  await writer.write('x'.repeat(300_000))
  expect(await filesIn(folder)).toHaveLength(1)
  await writer.discard()
  expect(await filesIn(folder)).toEqual([])
})

it('an artifact is never written outside of its folder', async () => {
  const outer = await newFolder()
  const store = createFolderArtifacts(join(outer, 'artifacts'))
  const writer = store.create({ threadId: '../..', callId: '../../../x', tool: '/tmp/../..' })
  await writer.write('text')
  await writer.close()
  expect(await readdir(outer)).toEqual(['artifacts'])
  expect(await filesIn(join(outer, 'artifacts'))).toHaveLength(1)
})

it('writing 100 MB as an artifact takes far less memory', async () => {
  const writer = createFolderArtifacts(await newFolder()).create(NAME)
  const piece = 'ten million short lines, a few at a time\n'.repeat(25)
  const before = process.memoryUsage().rss
  let most = before
  for (let written = 0; written < 100 * 1024 * 1024; written += piece.length) {
    await writer.write(piece)
    if (written % (piece.length * 1_000) === 0) most = Math.max(most, process.memoryUsage().rss)
  }
  const { bytes } = await writer.close()
  expect(bytes).toBeGreaterThanOrEqual(100 * 1024 * 1024)
  expect(most - before).toBeLessThan(64 * 1024 * 1024)
}, 60_000)

it('a failed write of an artifact is reported and leaves nothing', async () => {
  const folder = await newFolder()
  const writer = createFolderArtifacts(join(folder, 'missing\0')).create(NAME)
  await writer.write('short')
  await expect(writer.close()).rejects.toThrow('null bytes')
})
