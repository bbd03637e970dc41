import { mkdir, readFile, readdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { ConfigurationError } from '@capstan/harness'
import type { SettingsPatch } from '@capstan/protocol'
import { describe, expect, it } from 'vitest'
import { createFolder, NO_MODELS, openWorld } from '../sessions/assistant.fixture.ts'

const KEY = 'sk-proj-abcdefghijklmnopqrstuvwxyz0123456789'

describe('settings', () => {
  it('survive a restart, and no key is on the disk in clear text', async () => {
    const folder = await createFolder()
    const first = await openWorld({ folder })
    await first.assistant.changeSettings('local', {
      model: 'openai/gpt-6-sol',
      modelKeys: { openai: KEY },
      safetyMode: 'full',
      language: 'zh-CN',
      theme: 'dark',
      reduceMotion: true,
    })
    await first.assistant.stop({ graceMs: 0 })
    const second = await openWorld({ folder })
    const settings = second.assistant.readSettings('local')
    expect(settings).toMatchObject({
      modelInUse: { name: 'openai/gpt-6-sol', isDemo: false, from: 'settings' },
      safetyMode: 'full',
      language: 'zh-CN',
      theme: 'dark',
      reduceMotion: true,
    })
    expect(settings.modelKeys).toContainEqual({ provider: 'openai', from: 'settings' })
    expect(JSON.stringify(settings)).not.toContain(KEY)
    for (const file of await readdir(folder, { recursive: true, withFileTypes: true }))
      if (file.isFile())
        expect((await readFile(join(file.parentPath, file.name))).toString('latin1')).not.toContain(KEY)
  })

  it('lose a key that is set to an empty string', async () => {
    const { assistant } = await openWorld()
    await assistant.changeSettings('local', { modelKeys: { openai: KEY } })
    expect(assistant.readSettings('local').modelInUse.isDemo).toBe(false)
    await assistant.changeSettings('local', { modelKeys: { openai: '' } })
    expect(assistant.readSettings('local').modelInUse).toMatchObject({ isDemo: true, from: 'demo' })
  })

  it('of one user do not change those of another', async () => {
    const { assistant } = await openWorld()
    await assistant.changeSettings('ada', { theme: 'dark', modelKeys: { openai: KEY } })
    expect(assistant.readSettings('grace')).toMatchObject({ theme: 'system', modelInUse: { isDemo: true } })
  })

  it('replace the model named at the start, for every user', async () => {
    const { assistant } = await openWorld({ modelName: 'http://127.0.0.1:9/v1#named' })
    const inUse = (userId: string): string => assistant.readSettings(userId).modelInUse.name
    expect([inUse('local'), inUse('eve')]).toEqual(Array(2).fill('http://127.0.0.1:9/v1#named'))
    await assistant.changeSettings('local', { model: 'demo' })
    expect([inUse('local'), inUse('eve')]).toEqual(Array(2).fill('demo/scripted'))
  })

  it('keep all concurrent changes', async () => {
    const { assistant } = await openWorld()
    await Promise.all([
      assistant.changeSettings('local', { theme: 'dark' }),
      assistant.changeSettings('local', { language: 'de' }),
      assistant.changeSettings('local', { modelKeys: { openai: KEY } }),
      assistant.changeSettings('local', { modelKeys: { anthropic: `${KEY}-2` } }),
    ])
    const settings = assistant.readSettings('local')
    expect(settings).toMatchObject({ theme: 'dark', language: 'de' })
    expect(settings.modelKeys.filter(({ from }) => from === 'settings')).toHaveLength(2)
  })

  it.each<[string, SettingsPatch]>([
    ['model', { model: 'fantasy/one' }],
    ['model', { model: 'openai/gpt-6-sol' }],
    ['safetyMode', { safetyMode: 'yolo' as 'full' }],
    ['theme', { theme: 'pink' as 'dark' }],
    ['language', { language: '../../etc' }],
    ['reduceMotion', { reduceMotion: 'yes' as unknown as boolean }],
    ['queueMode', { queueMode: 'later' as never }],
    ['hosts.0', { hosts: ['https://docs.example/path'] }],
    ['hosts.0', { hosts: ['*'] }],
    ['hosts.0', { hosts: ['*.com'] }],
    ['hosts.1', { hosts: ['docs.example', 'a b'] }],
    ['roots.0', { roots: ['relative/path'] }],
    ['roots.0', { roots: ['/no/such/folder'] }],
    ['modelKeys.openai', { modelKeys: { openai: 'two words' } }],
    ['modelKeys.acme', { modelKeys: { acme: 'x' } as SettingsPatch['modelKeys'] & object }],
    ['composioKey', { composioKey: 'a\u0000b' }],
  ])('refuse an invalid %s with its name and change nothing', async (field, patch) => {
    const { assistant, updates } = await openWorld()
    const before = assistant.readSettings('local')
    const change = assistant.changeSettings('local', { theme: 'dark', ...patch })
    await expect(change).rejects.toBeInstanceOf(ConfigurationError)
    await expect(change).rejects.toMatchObject({ field })
    expect(assistant.readSettings('local')).toEqual(before)
    expect(updates.filter(({ type }) => type === 'settings-change')).toEqual([])
  })

  it('refuse folders around or inside the data folder, also through a link', async () => {
    const outer = await createFolder()
    const folder = join(outer, 'data')
    const { assistant } = await openWorld({ folder })
    await mkdir(join(folder, 'sub'), { recursive: true })
    await mkdir(join(outer, 'papers'))
    await symlink(folder, join(outer, 'link'))
    for (const root of [outer, folder, join(folder, 'sub'), join(outer, 'link')])
      await expect(assistant.changeSettings('local', { roots: [root] })).rejects.toMatchObject({
        field: 'roots.0',
      })
    const settings = await assistant.changeSettings('local', { roots: [join(outer, 'papers')] })
    expect(settings.roots).toEqual([join(outer, 'papers')])
  })

  it('fall back to the demo model when the key of the model is missing', async () => {
    const folder = await createFolder()
    const first = await openWorld({ folder, env: { ...NO_MODELS, OPENAI_API_KEY: KEY } })
    await first.assistant.changeSettings('local', { model: 'openai/gpt-6-sol' })
    await first.assistant.stop({ graceMs: 0 })
    const { assistant, problems } = await openWorld({ folder })
    expect(assistant.readSettings('local').modelInUse.isDemo).toBe(true)
    const { checks } = await assistant.diagnose()
    expect(checks.find(({ id }) => id === 'model')).toMatchObject({ state: 'warning' })
    expect(String(problems[0])).toContain('OPENAI_API_KEY')
  })
})
