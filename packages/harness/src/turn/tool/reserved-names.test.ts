import { describe, expect, it, vi } from 'vitest'
import { createResultTools } from '../../agents/result-tools.ts'
import { createAsker } from '../../models/generate-once.ts'
import { RESULT_TOOL } from '../../engine/structured-output.ts'
import { CONNECT, DELEGATE } from '../../integrations/tool-names.ts'
import { createMemoryArtifacts } from '../../ports/memory/memory-artifacts.ts'
import { CALL_TOOL, createLiveTools } from '../../seams/tool-sources/live-tools.ts'
import { joinTools } from '../../seams/tool-sources/derived-tools.ts'
import { ScriptedModel, stubTool } from '../../testing/index.ts'
import { createBuiltInTools } from '../../tools/built-in-tools.ts'
import { isReservedName } from './reserved-names.ts'
import { createSurface } from './surface.ts'
import type { Tool } from './tool.ts'

const foreign = (name: string, toolkit = 'acme'): Tool => ({
  ...stubTool(name),
  isThirdParty: true,
  app: { toolkit, name: toolkit },
})

const namesOf = (tools: readonly Tool[]): readonly string[] => tools.map(({ name }) => name)

describe('the names of the harness', () => {
  it('cover all its own tools', () => {
    const artifacts = createMemoryArtifacts()
    const own = [
      ...createBuiltInTools({ artifacts, roots: ['/tmp'], shell: true }),
      ...createResultTools({ artifacts, ask: createAsker(new ScriptedModel()) }),
    ]
    for (const name of [...namesOf(own), RESULT_TOOL, CONNECT, DELEGATE, CALL_TOOL, 'continue_agent'])
      expect(isReservedName(name), name).toBe(true)
    expect(isReservedName('search_notes')).toBe(false)
  })
})

describe("a third party's tool", () => {
  it.each([
    'web_fetch',
    'Web-Fetch',
    'webfetch',
    'ask.user',
    'delegate_to_anybody',
    'ｗeb_fetch',
    'аsk_user',
  ])('with the name %s is left out and reported', (name) => {
    const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => {})
    expect(namesOf(createSurface([foreign(name), foreign('look')]).tools)).toEqual(['look'])
    expect(warn).toHaveBeenCalledWith(expect.stringContaining('was left out'), 'CapstanToolName')
    warn.mockRestore()
  })

  it('never replaces a tool of the program, also when it comes first', () => {
    const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => {})
    const own = stubTool('send_report')
    const surface = createSurface([foreign('Send-Report'), own, foreign('send_report')])
    expect(surface.tools).toEqual([own])
    expect(surface.resolve({ tool: 'send_report', arguments: {} }).tool).toBe(own)
    warn.mockRestore()
  })

  it('never replaces a tool of another app, and may look like another of its own', () => {
    const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => {})
    const tools = [foreign('get_note', 'notes'), foreign('getNote', 'evil'), foreign('GET_NOTE', 'notes')]
    expect(createSurface(tools).tools).toEqual([tools[0], tools[2]])
    warn.mockRestore()
  })

  it('cannot be added later under such a name', () => {
    const live = createLiveTools([stubTool('send_report')])
    expect(live.add(foreign('sendReport'))).toBe(false)
    expect(live.add(foreign('shell'))).toBe(false)
    expect(live.add(foreign('look'))).toBe(true)
    expect(live.remove('look')).toBe(true)
    expect(live.add(foreign('Look'))).toBe(true)
  })

  it('never takes the name of a tool that is joined to its source', () => {
    const theirs = foreign('report')
    const ours = stubTool('report')
    const source = joinTools({ current: () => ({ surface: createSurface([theirs]), notices: [] }) }, () => [
      ours,
    ])
    const { surface } = source.current()
    expect(surface.tools).toEqual([ours])
    expect(surface.resolve({ tool: 'report', arguments: {} }).tool).toBe(ours)
  })
})
