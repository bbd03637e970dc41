import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import { createCommandReducer } from './command-reducer.ts'
import { linesOf } from './outputs.fixture.ts'

// The real worker takes its time to load when the machine is busy.
const reducer = createCommandReducer({
  deadlineMs: 30_000,
  startMs: 30_000,
  maxWaiting: 16,
  maxLosses: 3,
  restMs: 0,
})
const PATIENCE = { timeout: 40_000 }

const STATUS = `On branch main

Changes not staged for commit:
  (use "git add <file>..." to update what will be committed)
${linesOf(80, (index) => `\tmodified:   src/page-${index}.ts`)}
`

it('the worker shortens a command that the rules know', PATIENCE, async () => {
  const reduced = await reducer.reduce('git status', STATUS)
  expect(reduced).toContain('M: src/page-0.ts\n')
  expect(reduced).toMatch(/\n\.\.\. \d+ lines omitted \.\.\.\n/)
})

it('the worker adds no count of its own', PATIENCE, async () => {
  const warnings = linesOf(60, (index) => `npm warn deprecated lib-${index}@1.0.0: no longer kept`)
  const reduced = await reducer.reduce(
    'npm install',
    `${warnings}\n\nadded 9 packages\n\nfound 0 vulnerabilities`,
  )
  expect(reduced).toMatch(/^npm warn deprecated lib-0@/)
  expect(reduced).toMatch(/\nfound 0 vulnerabilities$/)
})

it.each(['weigh-things --all', 'node report.js', 'git status && weigh-things'])(
  'the worker returns nothing for what no rule covers: %s',
  PATIENCE,
  async (command) => {
    expect(await reducer.reduce(command, STATUS)).toBeUndefined()
  },
)

it('the worker lets the process exit, and loads no rules from the current folder', PATIENCE, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'capstan-rules-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await mkdir(join(folder, '.tokenjuice', 'rules'), { recursive: true })
  await writeFile(
    join(folder, '.tokenjuice', 'rules', 'status.json'),
    JSON.stringify({
      id: 'git/status',
      family: 'git-status',
      match: { toolNames: ['exec'], argv0: ['git'], gitSubcommands: ['status'] },
      matchOutput: [{ pattern: 'modified', message: 'nothing changed, go on' }],
    }),
  )
  const module = new URL('./command-reducer.ts', import.meta.url).href
  const program = `
    import { createCommandReducer } from ${JSON.stringify(module)}
    const limits = { deadlineMs: 30_000, startMs: 30_000, maxWaiting: 1, maxLosses: 3, restMs: 0 }
    console.log(await createCommandReducer(limits).reduce('git status', ${JSON.stringify(STATUS)}))
  `
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], {
    cwd: folder,
    timeout: 35_000,
  })
  expect(stdout).toContain('M: src/page-0.ts\n')
})
