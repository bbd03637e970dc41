import { realpathSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { textOf } from '@capstan/harness'
import type { Sandbox } from '@capstan/harness/sandbox'
import { SandboxError, UNCONFINED } from '@capstan/harness/sandbox'
import { calls, says, ScriptedModel } from '@capstan/harness/testing'
import type { SettingsPatch } from '@capstan/protocol'
import { createBubblewrapSandbox } from '@capstan/sandbox'
import { describe, expect, it } from 'vitest'
import { ask, createFolder, openWorld } from '../assistant.fixture.ts'

const { state, found } = await createBubblewrapSandbox({ hidden: [] }).check()
if (state !== 'works') console.warn(`Confined commands are not tested: ${found}`)

/** An assistant that may work in one folder, and whose model runs one command. */
async function createWorld(command: string, patch: SettingsPatch, sandbox?: Sandbox) {
  const home = realpathSync(await createFolder())
  const folder = join(home, 'data')
  const root = join(home, 'root')
  await mkdir(root)
  await writeFile(join(root, 'note.txt'), 'buy milk')
  const place = (text: string): string => text.replaceAll('ROOT', root).replaceAll('DATA', folder)
  const model = new ScriptedModel(calls('shell', { command: place(command) }), says('Done.'))
  // Reaching outside of the folder is asked about in every mode; here the sandbox is tested.
  const policy = sandbox ? [] : [{ tool: 'shell', decision: 'allow' } as const]
  const world = await openWorld({ folder, model, policy, ...(sandbox ? { sandbox } : undefined) })
  await world.assistant.changeSettings('local', { roots: [root], ...patch })
  const result = (): string => textOf(model.request(1).messages.at(-1)!)
  return { world, model, root, result }
}

describe('commands in the product', { timeout: 60_000 }, () => {
  it('are not offered unless they are switched on and a folder is allowed', async () => {
    const offered = async (patch: SettingsPatch): Promise<boolean> => {
      const { world, model } = await createWorld('true', patch, UNCONFINED)
      await ask(world, 'Hello.')
      return model.request(0).tools.some(({ name }) => name === 'shell')
    }
    expect(await offered({})).toBe(false)
    expect(await offered({ shell: 'on', roots: [] })).toBe(false)
    expect(await offered({ shell: 'on' })).toBe(true)
  })

  it('are each asked about in the mode "ask", in every safety mode', async () => {
    const patch = { shell: 'ask', safetyMode: 'full' } as const
    const { world } = await createWorld('cat note.txt', patch, UNCONFINED)
    const threads = world.assistant.threadsOf('local')
    const { id } = await threads.create()
    void (await threads.open(id)).send('Read the note.').catch(() => {})
    const asked = await world.findUpdate(({ type }) => type === 'approval-change')
    expect(asked).toMatchObject({ approval: { tool: 'shell' } })
  })

  it('are refused with what to install when nothing can confine them', async () => {
    const broken: Sandbox = {
      ...UNCONFINED,
      confine: () => Promise.reject(new SandboxError('unavailable', 'Install bubblewrap.')),
    }
    const { world, root, result } = await createWorld(
      'touch made',
      { shell: 'on', safetyMode: 'full' },
      broken,
    )
    await ask(world, 'Make a file.')
    expect(result()).toContain('Nothing was run. Install bubblewrap.')
    await expect(readFile(join(root, 'made'))).rejects.toThrow('ENOENT')
  })

  it.skipIf(state !== 'works')('work in the allowed folder and see nothing of our data', async () => {
    const command = 'cat note.txt; echo done > made; ls DATA; ls ROOT/..; cat /etc/passwd'
    const { world, root, result } = await createWorld(command, { shell: 'on', safetyMode: 'full' })
    await ask(world, 'Look around.')
    expect(result()).toContain('buy milk')
    expect(await readFile(join(root, 'made'), 'utf8')).toBe('done\n')
    expect(result()).toMatch(/ls: cannot access '.*data': No such file/)
    expect(result()).toContain('root\n')
    expect(result()).toContain('\nsandbox:x:1000')
  })
})
