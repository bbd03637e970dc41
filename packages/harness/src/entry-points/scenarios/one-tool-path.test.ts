import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import type { CallId, Failure } from '@capstan/protocol'
import type { AgentDefinition } from '../../agents/agent-definition.ts'
import type { RecordedEvents, Step } from '../../testing/index.ts'
import {
  calls,
  createTestRun,
  malformedCall,
  recordEvents,
  says,
  ScriptedModel,
  stubTool,
} from '../../testing/index.ts'
import { createLiveTools } from '../../seams/tool-sources/live-tools.ts'
import { fail } from '../../turn/tool/tool-outcome.ts'
import type { Tool } from '../../turn/tool/tool.ts'
import { createAgent } from '../agent.ts'
import type { AgentOptions } from '../agent-options.ts'
import { createSession } from '../session/session.ts'
import { runStateless } from '../stateless-loop.ts'
import { runChild } from '../child-run.ts'

const helper: AgentDefinition = { id: 'helper', description: 'Helps.', instructions: 'You help.' }

/** Runs the same two steps through every entry point. */
const ENTRY_POINTS: Readonly<
  Record<string, (options: AgentOptions, steps: readonly Step[]) => Promise<unknown>>
> = {
  session: (options, steps) => createSession({ ...options, model: new ScriptedModel(...steps) }).send('go'),
  stateless: (options, steps) =>
    runStateless({ ...options, model: new ScriptedModel(...steps), input: 'go' }),
  'sub-agent': (options, steps) => {
    const run = createTestRun({ onEvent: (event) => void options.onEvent?.(event) })
    const agent = createAgent('parent', { ...options, model: new ScriptedModel(...steps) })
    return runChild(helper, { prompt: 'go' }, { agent, run, callId: 'call_parent' as CallId })
  },
  delegation: (options, steps) =>
    createSession({
      ...options,
      agents: [helper],
      model: new ScriptedModel(calls('delegate_to_helper', { prompt: 'go' }), ...steps, says('ok')),
    }).send('go'),
}

async function through(entryPoint: string, tool: Tool, step: Step): Promise<RecordedEvents> {
  const events = recordEvents()
  const options = { model: 'unused', tools: [tool], onEvent: events.onEvent, origin: 'web' as const }
  await ENTRY_POINTS[entryPoint]!(options, [step, says('ok')])
  return events
}

describe('a call that fails', () => {
  it.each<[string, Tool, Step]>([
    ['by its own word', stubTool('act', () => fail('no such page', { httpStatus: 404 })), calls('act')],
    [
      'by an error',
      stubTool('act', () => Promise.reject(Object.assign(new Error('slow down'), { status: 429 }))),
      calls('act'),
    ],
    ['by words alone', stubTool('act', () => fail('The token has expired.')), calls('act')],
    ['by its arguments', stubTool('act', undefined, { input: { required: ['to'] } }), calls('act')],
    ['unread', stubTool('act'), malformedCall('act', '{"to": ')],
    ['unknown', stubTool('other'), calls('act')],
    ['for want of a person', stubTool('act', undefined, { effect: 'write' }), calls('act')],
    ['because it is not for models', stubTool('act', undefined, { scope: 'host' }), calls('act')],
  ])('fails the same way through every entry point: %s', async (_how, tool, step) => {
    const failures: (Failure | undefined)[] = []
    for (const entryPoint of Object.keys(ENTRY_POINTS)) {
      const ends = (await through(entryPoint, tool, step)).of('tool-end').filter((end) => end.tool === 'act')
      expect(ends).toHaveLength(1)
      failures.push(ends[0]!.failure)
    }
    expect(failures[0]).toBeDefined()
    for (const failure of failures) expect(failure).toEqual(failures[0])
  })
})

describe('the tool path', () => {
  /** A tool that records which file accessed its `run`. */
  function watched(name: string) {
    const reached: string[] = []
    const { run, ...rest } = stubTool(name, () => 'ok')
    const tool = Object.defineProperty({ ...rest }, 'run', {
      enumerable: true,
      get() {
        const frames = new Error('reached').stack!.split('\n').slice(1)
        const frame = frames.find((line) => !line.includes('one-tool-path.test.ts'))
        reached.push(/([^/\\]+\.ts)/.exec(frame ?? '')?.[1] ?? 'nobody')
        return run
      },
    }) as Tool
    return { tool, reached }
  }

  it.each(Object.keys(ENTRY_POINTS))('runs a tool only in execute.ts: %s', async (entryPoint) => {
    const { tool, reached } = watched('act')
    const events = await through(entryPoint, tool, calls('act'))
    expect(events.of('tool-end').find((end) => end.tool === 'act')).toMatchObject({ ok: true })
    expect(reached).toEqual(['execute.ts'])
  })

  it('runs a tool added later only in execute.ts', async () => {
    const { tool, reached } = watched('act')
    const tools = createLiveTools([])
    const asks = calls('call_tool', { name: 'act', arguments: {} })
    const session = createSession({ model: new ScriptedModel(says('hello'), asks, says('ok')), tools })
    await session.send('one')
    tools.add(tool)
    await session.send('two')
    expect(reached).toEqual(['execute.ts'])
  })
})

/** Patterns of code that accesses a tool's `run`, or calls something like it. */
const REACHES: readonly RegExp[] = [
  /\b\w*[tT]ools?\w*(?:\([^()]*\)|\[[^\]]*\]|[!?)])*\.run\b(?!\s*[:=])/g,
  /(?<!\bcommand)\.run\??\.?\(\s*(?:args|arguments|input|checked|call\b)/g,
  /\.run\.(?:call|apply|bind)\(/g,
  /\{[^{}]*\brun\b[^{}]*\}\s*(?::\s*\w+\s*)?=\s*\w*[tT]ool/g,
  /\{[^{}]*\brun\b[^{}]*\}\s*:\s*Tool\b/g,
  /[tT]ool\w*[!?)]*\s*\[\s*['"`]run['"`]\s*\]/g,
]

const reachesIn = (source: string) => REACHES.flatMap((pattern) => source.match(pattern) ?? [])

describe('the source files', () => {
  const root = fileURLToPath(new URL('../../../../..', import.meta.url))

  it('run a tool in one place; tools that wrap another tool are listed here', () => {
    const found = globSync('packages/*/src/**/*.{ts,tsx}', { cwd: root })
      .map((file) => file.replaceAll('\\', '/'))
      .filter((file) => !/\.test\.tsx?$|\/testing\//.test(file))
      .filter((file) => reachesIn(readFileSync(`${root}/${file}`, 'utf8')).length > 0)
    expect(found.toSorted()).toEqual([
      'packages/connectors/src/local/run-action.ts',
      'packages/demo/src/demo-tools.ts', // delays its tools: the outer tool came down the tool path
      'packages/harness/src/tool-path/execute.ts',
      'packages/server/src/sessions/live-shell.ts', // asks for the settings at each command
      'packages/server/src/sessions/user-agent.ts', // file tools for the current folders: the outer tool came down the tool path
    ])
  })

  it.each([
    'await tool.run(args, context)',
    'tools[0]!.run(input)',
    'byName.get(name)!.run(args)',
    'findTool(name).run({})',
    'const { run } = tool',
    'const { name, run }: Tool = found',
    'const start = ({ run }: Tool) => run',
    "target.tool['run'](args)",
    'target.tool?.run?.(args)',
    'const go = tool.run',
    'entry.run.call(entry, args)',
  ])('are checked for access to a tool’s run: %s', (source) => {
    expect(reachesIn(source)).not.toEqual([])
  })

  it.each([
    'turn.run.report(event)',
    'const { run, services } = path',
    '{ ...tool, run: wrapped }',
    'return command.run(args, shell)',
  ])('may contain %s', (source) => {
    expect(reachesIn(source)).toEqual([])
  })
})
