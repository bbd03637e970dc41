import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { execFileSync } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runStateless } from '../entry-points/stateless-loop.ts'
import { ALLOW_ALL, calls, recordEvents, says, ScriptedModel, stubTool } from '../testing/index.ts'
import { textOf } from '../turn/message/message.ts'
import { createBuiltInAgents } from './built-in-agents.ts'
import { loadAgents } from './load-agents.ts'

let around: string
let folder: string
beforeEach(async () => {
  around = await mkdtemp(join(tmpdir(), 'capstan-agents-'))
  folder = join(around, 'agents')
  await mkdir(folder)
})
afterEach(() => rm(around, { recursive: true, force: true }))

const write = (name: string, ...lines: string[]) => writeFile(join(folder, name), lines.join('\n'))
/** A file with nothing special about it but these lines. */
const agentFile = (name: string, ...more: string[]) =>
  write(name, '---', 'description: Does things.', ...more, '---', 'Do things.')
const ids = ({ agents }: { readonly agents: readonly { readonly id: string }[] }) =>
  agents.map(({ id }) => id)
const builtIns = createBuiltInAgents({ tools: [stubTool('web_fetch')] })

describe('an agents folder', () => {
  it('is read from Markdown files with front matter', async () => {
    await write(
      'accountant.md',
      '---',
      'id: book_keeper # not called as its file is',
      'description: "Keeps the books: invoices and receipts."',
      'model: openai/gpt-5',
      'tools: [read_file, search_files]',
      'deny:',
      '  - mail_*',
      '  - "*"',
      'effect: write',
      'max-iterations: 12',
      'max-result-chars: 4000',
      'agents: [helper]',
      '---',
      '',
      'You keep the books.',
      '',
      '- Add up twice.',
      '',
    )
    await agentFile('helper.md')
    const loaded = await loadAgents(folder)
    const helper = { id: 'helper', description: 'Does things.', instructions: 'Do things.', agents: [] }
    expect(loaded.problems).toEqual([])
    expect(loaded.agents).toEqual([
      {
        id: 'book_keeper',
        description: 'Keeps the books: invoices and receipts.',
        instructions: 'You keep the books.\n\n- Add up twice.',
        model: 'openai/gpt-5',
        tools: ['read_file', 'search_files'],
        deny: ['mail_*', '*'],
        effectCeiling: 'write',
        maxIterations: 12,
        maxResultChars: 4_000,
        agents: [helper],
      },
      helper,
    ])
  })

  it('names an agent after its file when the front matter has no id', async () => {
    await agentFile('mail-writer.md')
    await agentFile('Ärger.md')
    expect(await loadAgents(folder)).toMatchObject({
      agents: [{ id: 'mail_writer' }],
      problems: [{ file: 'Ärger.md', line: 1, problem: expect.stringContaining('write one as "id"') }],
    })
  })

  it('gives no agents when it does not exist, and only Markdown files are read', async () => {
    expect(await loadAgents(join(folder, 'nowhere'), { builtIns })).toEqual({
      agents: builtIns,
      problems: [],
    })
    await write('notes.txt', 'x')
    await write('.hidden.md', 'x')
    await mkdir(join(folder, 'below'))
    await write('below/deep.md', 'x')
    expect(await loadAgents(folder)).toEqual({ agents: [], problems: [] })
    await write('a-file', '')
    expect(await loadAgents(join(folder, 'a-file'))).toMatchObject({
      agents: [],
      problems: [{ problem: 'the folder could not be read' }],
    })
  })

  it.each<[string, readonly string[], number, string]>([
    ['an unknown key', ['efect: read'], 3, 'there is no key "efect"'],
    ['an id that no tool can be called by', ['id: Book Keeper'], 3, '"id" must be small letters'],
    ['an id that is too long', [`id: ${'a'.repeat(49)}`], 3, '"id" must be'],
    ['a list where one value belongs', ['model: [a]'], 3, '"model" is one value'],
    ['one value where a list belongs', ['tools: read_file'], 3, 'such as [read_file]'],
    ['a pattern among the tools', ['tools: ["mail_*"]'], 3, 'whole names of tools'],
    ['a * in the middle', ['deny: ["ma*il"]'], 3, 'with a * at the end at most'],
    ['an unknown effect', ['effect: everything'], 3, 'read, write or admin'],
    ['no number', ['max-iterations: many'], 3, 'a whole number from 1 to 100'],
    ['a number that is too small', ['max-iterations: 0'], 3, 'a whole number from 1 to 100'],
    ['a number that is too large', ['max-result-chars: 999999'], 3, 'a whole number from 100 to 100000'],
    ['a half', ['max-iterations: 1.5'], 3, 'a whole number'],
    ['neither true nor false', ['replace: yes'], 3, 'true or false'],
    ['an unknown agent', ['agents: [nobody]'], 3, 'there is no agent "nobody"'],
    [
      'too long a list',
      [`tools: [${Array.from({ length: 101 }, (_, n) => `t${n}`).join(', ')}]`],
      3,
      'more than 100',
    ],
    ['something that YAML would read another way', ['model: |'], 3, 'put it on one line'],
    ['an item that is no value', ['tools:', '- ok', '- {a: b}'], 5, 'cannot begin with "{"'],
    ['a key that comes twice', ['effect: read', 'effect: write'], 4, '"effect" is there twice'],
    ['something to replace that is not there', ['replace: true'], 3, 'no built-in agent "odd"'],
  ])(
    'skips an agent with %s, reports file and line, and loads the others',
    async (_what, lines, line, problem) => {
      await agentFile('odd.md', ...lines)
      await agentFile('sound.md')
      const loaded = await loadAgents(folder)
      expect(ids(loaded)).toEqual(['sound'])
      expect(loaded.problems).toEqual([{ file: 'odd.md', line, problem: expect.stringContaining(problem) }])
    },
  )

  it('skips agents without a description, without instructions, or with too many', async () => {
    await write('a.md', '---', 'id: a', '---', 'Do it.')
    await write('b.md', '---', 'description: x', '---', '', '  ')
    await write('c.md', '---', 'description: x', '---', '', 'y'.repeat(20_001))
    await write('d.md', '---', `description: ${'x'.repeat(1_001)}`, '---', 'Do it.')
    await write('e.md', 'Just text.')
    await write('f.md', '---', 'description: x')
    expect(await loadAgents(folder)).toEqual({
      agents: [],
      problems: [
        { file: 'a.md', line: 1, problem: expect.stringContaining('"description" is missing') },
        { file: 'b.md', line: 5, problem: expect.stringContaining('no instructions') },
        { file: 'c.md', line: 5, problem: expect.stringContaining('more than 20000') },
        { file: 'd.md', line: 2, problem: expect.stringContaining('more than 1000') },
        { file: 'e.md', line: 1, problem: expect.stringContaining('begin the file with') },
        { file: 'f.md', line: 1, problem: expect.stringContaining('is missing') },
      ],
    })
  })
})

describe('the id of a loaded agent', () => {
  it('belongs to the first file by name', async () => {
    await agentFile('b.md', 'id: same')
    await agentFile('a.md', 'id: same', 'model: x/first')
    const loaded = await loadAgents(folder)
    expect(loaded.agents).toMatchObject([{ id: 'same', model: 'x/first' }])
    expect(loaded.problems).toEqual([{ file: 'b.md', line: 3, problem: 'the id "same" is taken by a.md' }])
  })

  it('cannot be that of a built-in agent unless the file says that it replaces it', async () => {
    await agentFile('critic.md')
    await agentFile('researcher.md', 'replace: true', 'model: x/mine')
    const loaded = await loadAgents(folder, { builtIns })
    expect(ids(loaded)).toEqual(['planner', 'critic', 'researcher'])
    expect(loaded.agents.at(-1)).toMatchObject({ model: 'x/mine', instructions: 'Do things.' })
    expect(loaded.problems).toEqual([
      { file: 'critic.md', line: 1, problem: expect.stringContaining('write "replace: true"') },
    ])
  })

  it.each(['orchestrator', 'integrations_agent', 'triage', 'summariser'])(
    'cannot be one the harness relies on: %s',
    async (id) => {
      await agentFile('mine.md', `id: ${id}`, 'replace: true')
      const forApps = {
        id: 'integrations_agent',
        description: 'x',
        instructions: 'x',
        setup: { input: {}, prepare: async () => ({ tools: [] }) },
      }
      const loaded = await loadAgents(folder, { builtIns: [...builtIns, forApps] })
      expect(loaded.agents).toEqual([...builtIns, forApps])
      expect(loaded.problems).toEqual([
        { file: 'mine.md', line: 3, problem: expect.stringContaining('cannot be replaced') },
      ])
    },
  )
})

describe('the agents a loaded agent may spawn', () => {
  it('are those it names: agents of the folder, replaced agents and built-in agents', async () => {
    await agentFile('lead.md', 'agents: [scout, researcher, planner]')
    await agentFile('scout.md')
    await agentFile('researcher.md', 'replace: true')
    const { agents, problems } = await loadAgents(folder, { builtIns })
    expect(problems).toEqual([])
    const lead = agents.find(({ id }) => id === 'lead')!
    expect(lead.agents).toHaveLength(3)
    for (const child of lead.agents!) expect(agents).toContain(child)
    expect(agents.find(({ id }) => id === 'scout')!.agents).toEqual([])
  })

  it.each([
    ['itself', [['a', 'a']], { 'a.md': 'a → a' }, []],
    [
      'each other',
      [
        ['a', 'b'],
        ['b', 'a'],
        ['c', ''],
      ],
      { 'a.md': 'a → b → a', 'b.md': 'b → a → b' },
      ['c'],
    ],
    [
      'a long way round',
      [
        ['a', 'b'],
        ['b', 'c, d'],
        ['c', 'a'],
        ['d', ''],
      ],
      { 'a.md': 'a → b → c → a', 'b.md': 'b → c → a → b', 'c.md': 'c → a → b → c' },
      ['d'],
    ],
  ] as const)('never form a circle: %s', async (_what, files, circles, left) => {
    for (const [id, agents] of files) await agentFile(`${id}.md`, `agents: [${agents}]`)
    const loaded = await loadAgents(folder)
    expect(ids(loaded)).toEqual(left)
    expect(loaded.problems).toEqual(
      Object.entries(circles).map(([file, way]) => ({
        file,
        line: 3,
        problem: expect.stringContaining(`circle: ${way}`),
      })),
    )
  })

  it('do not include a skipped agent: the agent that names it is skipped and reported too', async () => {
    await agentFile('top.md', 'agents: [middle]')
    await agentFile('middle.md', 'agents: [broken]')
    await agentFile('broken.md', 'effect: none')
    await agentFile('loop.md', 'agents: [loop]')
    await agentFile('near.md', 'agents: [loop]')
    await agentFile('fine.md', 'agents: [leaf]')
    await agentFile('leaf.md')
    const loaded = await loadAgents(folder)
    expect(ids(loaded)).toEqual(['fine', 'leaf'])
    expect(loaded.problems.map(({ file }) => file)).toEqual([
      'broken.md',
      'loop.md',
      'middle.md',
      'near.md',
      'top.md',
    ])
    expect(loaded.problems.at(-1)!.problem).toContain('"middle"')
  })

  it('are none when it names none', async () => {
    await agentFile('scout.md', 'effect: read', 'tools: [look]')
    const { agents } = await loadAgents(folder, { builtIns })
    const events = recordEvents()
    const wrote: string[] = []
    const model = new ScriptedModel(
      calls('delegate_to_scout', { prompt: 'Find it.' }),
      calls('delegate_to_researcher', { prompt: 'x' }),
      calls('save'),
      calls('look'),
      says('Found.'),
      says('Done.'),
    )
    await runStateless({
      model,
      agents,
      tools: [stubTool('look'), stubTool('save', () => void wrote.push('x'), { effect: 'write' })],
      safety: ALLOW_ALL,
      input: 'go',
      onEvent: events.onEvent,
    })
    expect(model.request(1).tools.map(({ name }) => name)).toEqual(['look'])
    expect(model.request(1).system).toMatch(/^Do things\.\n\n/)
    expect(events.of('tool-end').map(({ tool, ok }) => [tool, ok])).toEqual([
      ['delegate_to_researcher', false],
      ['save', false],
      ['look', true],
      ['delegate_to_scout', true],
    ])
    expect(wrote).toEqual([])
    expect(textOf(model.request(5).messages.at(-1)!)).toBe('<untrusted source="agent">\nFound.\n</untrusted>')
  })
})

describe('loading an agents folder', () => {
  it('follows no link out of the folder', async () => {
    const good = ['---', 'description: x', '---', 'SECRET'].join('\n')
    await writeFile(join(around, 'outside.md'), good)
    await symlink(join(around, 'outside.md'), join(folder, 'far.md'))
    await symlink('../outside.md', join(folder, 'near.md'))
    await symlink(join(around, 'nothing.md'), join(folder, 'nowhere.md'))
    await symlink('round.md', join(folder, 'round.md'))
    await mkdir(join(folder, 'below'))
    await writeFile(join(folder, 'below', 'real.md'), good)
    await symlink('below/real.md', join(folder, 'inside.md'))
    const loaded = await loadAgents(folder)
    expect(ids(loaded)).toEqual(['inside'])
    expect(loaded.problems.map(({ file, problem }) => [file, problem])).toEqual([
      ['far.md', 'it is a link to something outside of the folder'],
      ['near.md', 'it is a link to something outside of the folder'],
      ['nowhere.md', 'it is a link that leads nowhere, or was removed'],
      ['round.md', 'it is a link that leads nowhere, or was removed'],
    ])
    expect(JSON.stringify(loaded.problems)).not.toContain('SECRET')
  })

  it('skips binary files, files that are not regular, and files that are too large', async () => {
    await writeFile(join(folder, 'latin.md'), Buffer.from('---\ndescription: caf\xe9\n---\nx', 'latin1'))
    await writeFile(join(folder, 'large.md'), 'x'.repeat(65_537))
    await mkdir(join(folder, 'folder.md'))
    execFileSync('mkfifo', [join(folder, 'pipe.md')])
    const loaded = await loadAgents(folder)
    expect(loaded).toEqual({
      agents: [],
      problems: [
        { file: 'folder.md', problem: expect.stringContaining('is a folder') },
        { file: 'large.md', problem: 'it has more than 65536 bytes' },
        { file: 'latin.md', problem: 'it is not written in UTF-8' },
        { file: 'pipe.md', problem: expect.stringContaining('is a pipe') },
      ],
    })
  })

  it.skipIf(process.getuid?.() === 0)('skips unreadable files', async () => {
    await agentFile('mine.md')
    await chmod(join(folder, 'mine.md'), 0)
    const { agents, problems } = await loadAgents(folder)
    expect(agents).toEqual([])
    expect(problems).toEqual([{ file: 'mine.md', problem: expect.stringContaining('may not be opened') }])
  })

  it('stops after a hundred files', async () => {
    for (let n = 0; n < 102; n++) await agentFile(`a${String(n).padStart(3, '0')}.md`)
    const loaded = await loadAgents(folder)
    expect(loaded.agents).toHaveLength(100)
    expect(loaded.problems.map(({ file }) => file)).toEqual(['a100.md', 'a101.md'])
  })
})
