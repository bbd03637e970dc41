import { readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { McpServerPost } from '@capstan/protocol'
import { describe, expect, it } from 'vitest'
import type { World } from '../assistant.fixture.ts'
import { connectNotes, createFolder, openWorld, signIn, startNotes, toPreset } from '../assistant.fixture.ts'

const TIMEOUT = { timeout: 60_000 }

const everything = createRequire(import.meta.url).resolve(
  '@modelcontextprotocol/server-everything/package.json',
)
const STDIO: McpServerPost = {
  name: 'Every thing',
  transport: {
    type: 'stdio',
    command: process.execPath,
    args: [join(everything, '..', 'dist', 'index.js'), "it's"],
  },
}

describe('MCP servers added by a user', TIMEOUT, () => {
  it('show the exact command and are not started without its confirmation', async () => {
    const { assistant } = await openWorld()
    const { slug, command } = assistant.previewMcpServer(STDIO)
    expect(slug).toBe('every_thing')
    expect(command).toBe(`${process.execPath} ${join(everything, '..', 'dist', 'index.js')} 'it'\\''s'`)
    for (const confirmed of [{}, { confirmedCommand: `${command} ` }])
      await expect(assistant.addMcpServer('local', { ...STDIO, ...confirmed })).rejects.toMatchObject({
        field: 'confirmedCommand',
      })
    expect(assistant.listMcpServers()).toEqual([])
  })

  it('are usable at once, survive a restart and can be removed', async () => {
    const app = await startNotes()
    const folder = await createFolder()
    const post: McpServerPost = { name: 'My Notes', transport: { type: 'http', url: app.mcpUrl } }
    const first = await openWorld({ folder })
    expect(await first.assistant.addMcpServer('local', post)).toMatchObject({ slug: 'my_notes' })
    expect(await first.assistant.addMcpServer('local', post)).toMatchObject({ slug: 'my_notes_2' })
    await first.findUpdate(({ type }) => type === 'toolkits-change')
    const { toolkits } = await first.assistant.integrations.directory.read('local')
    expect(toolkits.map(({ slug }) => slug)).toEqual(['my_notes', 'my_notes_2'])
    await first.assistant.stop({ graceMs: 0 })

    const { assistant } = await openWorld({ folder })
    expect(assistant.listMcpServers().map(({ slug }) => slug)).toEqual(['my_notes', 'my_notes_2'])
    const connection = await assistant.integrations.connections.begin('local', 'my_notes')
    await signIn(assistant, app, connection!.id)
    expect(await assistant.removeMcpServer('local', 'my_notes')).toBe(true)
    expect(await assistant.removeMcpServer('local', 'my_notes')).toBe(false)
    expect(await assistant.integrations.connections.list('local')).toEqual([])
    const after = await assistant.integrations.directory.read('local')
    expect(after.toolkits.map(({ slug }) => slug)).toEqual(['my_notes_2'])
    expect(await readFile(join(folder, 'settings.json'), 'utf8')).not.toContain('"my_notes"')
  })

  it.each<[string, McpServerPost]>([
    ['name', { name: ' ', transport: { type: 'http', url: 'https://example.org/mcp' } }],
    ['transport.url', { name: 'A', transport: { type: 'http', url: 'nonsense' } }],
    ['transport.url', { name: 'A', transport: { type: 'http', url: 'http://example.org/mcp' } }],
    ['transport.command', { name: 'A', transport: { type: 'stdio', command: ' ', args: [] } }],
    ['transport.command', { name: 'A', transport: { type: 'stdio', command: '\u202ehs', args: [] } }],
    [
      'transport.args.1',
      { name: 'A', transport: { type: 'stdio', command: 'sh', args: ['-c', 'a\u001b[2K\nb'] } },
    ],
    ['name', { name: 'A\u200b', transport: { type: 'http', url: 'https://example.org/mcp' } }],
  ])('are refused with the name of the field: %s', async (field, post) => {
    const { assistant } = await openWorld()
    await expect(assistant.addMcpServer('local', post)).rejects.toMatchObject({ field })
    expect(assistant.listMcpServers()).toEqual([])
  })

  it('get different slugs when they are added at the same time', async () => {
    const { assistant } = await openWorld()
    const post: McpServerPost = { name: 'Files', transport: { type: 'http', url: 'https://example.org/mcp' } }
    const added = await Promise.all([1, 2, 3].map(() => assistant.addMcpServer('local', post)))
    expect(added.map(({ slug }) => slug)).toEqual(['files', 'files_2', 'files_3'])
  })

  it('are limited to what the settings file can hold', async () => {
    const folder = await createFolder()
    const transport = { type: 'http', url: 'https://example.org/mcp' }
    const mcpServers = Array.from({ length: 200 }, (_, no) => ({
      slug: `s_${no}`,
      name: `S ${no}`,
      transport,
    }))
    await writeFile(join(folder, 'settings.json'), JSON.stringify({ version: 1, mcpServers }))
    const { assistant } = await openWorld({ folder })
    const post: McpServerPost = { name: 'One more', transport: { type: 'http', url: transport.url } }
    await expect(assistant.addMcpServer('local', post)).rejects.toMatchObject({ field: 'name' })
    await assistant.stop({ graceMs: 0 })
    const again = await openWorld({ folder })
    expect(again.assistant.listMcpServers()).toHaveLength(200)
  })

  it('do not prevent the start when they are invalid, and can be removed', async () => {
    const folder = await createFolder()
    const app = await startNotes()
    const first = await openWorld({ folder })
    const post: McpServerPost = { name: 'Notes', transport: { type: 'http', url: 'https://example.org/mcp' } }
    await first.assistant.addMcpServer('local', post)
    await first.assistant.stop({ graceMs: 0 })
    const { assistant, problems } = await openWorld({ folder, presets: [toPreset(app)] })
    expect(String(problems[0])).toContain('"Notes" cannot be used')
    await connectNotes({ assistant } as World, app)
    expect(await assistant.removeMcpServer('local', 'notes')).toBe(true)
    expect(assistant.listMcpServers()).toEqual([])
    const { toolkits } = await assistant.integrations.directory.read('local')
    expect(toolkits).toMatchObject([{ slug: 'notes', connections: [{ status: 'active' }] }])
  })

  it('cannot replace or remove a preset', async () => {
    const app = await startNotes()
    const { assistant } = await openWorld({ presets: [toPreset(app)] })
    const post: McpServerPost = { name: 'Notes', transport: { type: 'http', url: app.mcpUrl } }
    expect(await assistant.addMcpServer('local', post)).toMatchObject({ slug: 'notes_2' })
    expect(await assistant.removeMcpServer('local', 'notes')).toBe(false)
  })
})
