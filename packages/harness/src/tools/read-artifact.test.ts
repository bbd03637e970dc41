import type { ThreadId } from '@capstan/protocol'
import { describe, expect, it } from 'vitest'
import { createMemoryArtifacts } from '../ports/memory/memory-artifacts.ts'
import { createTestRun } from '../testing/test-run.ts'
import { tryTool } from '../testing/try-tool.ts'
import { createReadArtifactTool } from './read-artifact.ts'

const stored = async (text: string) => {
  const artifacts = createMemoryArtifacts()
  const writer = artifacts.create({ threadId: 'thread_test', callId: 'call_1', tool: 'shell' })
  await writer.write(text)
  return { tool: createReadArtifactTool(artifacts), id: (await writer.close()).id }
}

describe('reading an artifact', () => {
  it('leads from one part to the next until the end', async () => {
    const text = Array.from({ length: 5_000 }, (_, line) => `line ${line} é`).join('\n')
    const { tool, id } = await stored(text)
    let read = ''
    let offset: number | undefined = 0
    let parts = 0
    while (offset !== undefined) {
      const outcome = await tryTool(tool, { id, offset })
      const note = outcome.text.lastIndexOf('\n[')
      read += outcome.text.slice(0, note)
      const next = /read on with offset (\d+)/.exec(outcome.text.slice(note))
      offset = next ? Number(next[1]) : undefined
      parts++
      expect(Buffer.byteLength(outcome.text)).toBeLessThan(16 * 1024 - 256)
    }
    expect(read === text).toBe(true)
    expect(parts).toBe(Math.ceil(Buffer.byteLength(text) / (12 * 1024)))
  })

  it('returns no more than was asked for', async () => {
    const { tool, id } = await stored('abcdefghij')
    expect((await tryTool(tool, { id, offset: 2, limit: 3 })).text).toBe(
      'cde\n[10 bytes in all; read on with offset 5]',
    )
    expect((await tryTool(tool, { id, offset: 10 })).text).toBe('[the end: the result has 10 bytes]')
  })

  it('finds nothing of another thread', async () => {
    const { tool, id } = await stored('secret plans')
    const run = { ...createTestRun(), threadId: 'thread_other' as ThreadId }
    const outcome = await tryTool(tool, { id }, { run })
    expect(outcome).toMatchObject({ ok: false, errorCode: 'ENOENT' })
    expect(outcome.text).not.toContain('secret plans')
  })
})
