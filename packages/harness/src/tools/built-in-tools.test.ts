import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runStateless } from '../entry-points/stateless-loop.ts'
import { createMemoryArtifacts } from '../ports/memory/memory-artifacts.ts'
import { calls, says, ScriptedModel } from '../testing/index.ts'
import { textOf } from '../turn/message/message.ts'
import { toJsonSchema } from '../turn/tool/tool.ts'
import { createBuiltInTools } from './built-in-tools.ts'

let root: string
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'capstan-built-in-'))
  await writeFile(join(root, 'notes.txt'), 'bake rye')
})
afterAll(() => rm(root, { recursive: true, force: true }))

const FILES = ['read_file', 'list_files', 'search_files', 'write_file', 'edit_file']
const artifacts = createMemoryArtifacts()

describe('the built-in tools', () => {
  it.each([
    ['nothing', () => ({}), ['clock', 'ask_user', 'web_fetch']],
    ['no web', () => ({ web: false }) as const, ['clock', 'ask_user']],
    ['artifacts', () => ({ artifacts }), ['clock', 'ask_user', 'web_fetch', 'read_artifact']],
    ['roots', () => ({ roots: [root] }), ['clock', 'ask_user', 'web_fetch', ...FILES]],
    [
      'roots and a shell',
      () => ({ roots: [root], shell: true }),
      ['clock', 'ask_user', 'web_fetch', ...FILES, 'shell'],
    ],
    ['a shell without roots', () => ({ shell: true }), ['clock', 'ask_user', 'web_fetch']],
  ])('are the expected ones, given %s', (_what, options, names) => {
    expect(createBuiltInTools(options()).map(({ name }) => name)).toEqual(names)
  })

  it('have a description each, and for every argument', () => {
    for (const tool of createBuiltInTools({ artifacts, roots: [root], shell: true })) {
      expect(tool.description).not.toBe('')
      const schema = toJsonSchema(tool.input) as { properties: Record<string, { description?: string }> }
      for (const field of Object.values(schema.properties)) expect(field.description).toMatch(/\w/)
    }
  })

  it('work in a turn', async () => {
    const model = new ScriptedModel(calls('read_file', { path: 'notes.txt' }), says('Rye.'))
    const outcome = await runStateless({
      model,
      tools: createBuiltInTools({ roots: [root] }),
      input: 'What to bake?',
    })
    expect(outcome).toMatchObject({ type: 'done', text: 'Rye.' })
    expect(textOf(model.request(1).messages[2]!)).toBe('<untrusted source="file">\nbake rye\n</untrusted>')
  })
})
