import { describe, expect, it } from 'vitest'
import type { CommandReducer } from './command-reducer.ts'
import type { OutputFacts } from './compact-output.ts'
import { compactOutput } from './compact-output.ts'
import { FAILED_TESTS, SERVER_LOG, facts, linesOf, ordersJson } from './outputs.fixture.ts'

const answers = (text: string | undefined): CommandReducer => ({ reduce: () => Promise.resolve(text) })
const neverAsked: CommandReducer = { reduce: () => Promise.reject(new Error('the rules were asked')) }
const compact = (text: string, known: Partial<OutputFacts> = {}, reducer = neverAsked) =>
  compactOutput(text, facts(known), reducer)

const PROSE = 'The ferry leaves at eight, and the bus waits for it. '.repeat(200)
const STEPS = linesOf(300, (index) => `step ${index * 7} took ${index * 13} ms`)

describe('compacting an output', () => {
  it('skips one under 512 characters', () => {
    const json = `[${' '.repeat(509)}]`
    expect(compact(json)).toBeUndefined()
    expect(compact(`${json} `)).toEqual({ text: '[]', lossy: false })
  })

  it('skips one that no compactor recognises', () => {
    expect(compact(PROSE)).toBeUndefined()
  })

  it('does nothing when compaction is off', () => {
    expect(compact(ordersJson(500), { profile: 'off' })).toBeUndefined()
  })

  it('skips one that would shrink by a twentieth or less', () => {
    expect(compact(`{"a": "${'x'.repeat(2_000)}"}`)).toBeUndefined()
  })

  it('skips a command that shows files', () => {
    expect(compact(ordersJson(500), { command: 'cat orders.json' })).toBeUndefined()
    expect(compact(SERVER_LOG, { command: 'tail -n 400 server.log' })).toBeUndefined()
  })
})

describe('the lossy flag', () => {
  it('is correct for JSON', () => {
    expect(compact(ordersJson(20))).toMatchObject({ lossy: false })
    expect(compact(ordersJson(500))).toMatchObject({ lossy: true })
  })

  it('is never set in the light profile', () => {
    const orders = ordersJson(500)
    const light = { profile: 'light' } as const
    const minified = orders.replaceAll(/\n\s*|(?<=:) /g, '')
    expect(compact(orders, light)).toEqual({ text: minified, lossy: false })
    expect(compact(SERVER_LOG, light)).toBeUndefined()
    expect(compact(STEPS, { ...light, command: 'weigh-things' })).toBeUndefined()
    expect(compact(`<html>${'<p>one</p>'.repeat(500)}</html>`, light)).toBeUndefined()
  })

  it('is not set for removed colours', () => {
    const red = linesOf(60, (index) => `\u001B[31mbottle ${index}\u001B[39m on the wall`)
    const plain = linesOf(60, (index) => `bottle ${index} on the wall`)
    expect(compact(red)).toEqual({ text: plain, lossy: false })
  })

  it('is not set for an output that is small after tidying', () => {
    const text = linesOf(500, () => 'waiting for the lock')
    expect(compact(text, { command: 'weigh-things' })).toEqual({
      text: 'waiting for the lock [×500]',
      lossy: false,
    })
  })
})

describe('the output of a command', () => {
  it('goes to the rules when its content has no known form', async () => {
    const status = answers('M: a.ts')
    expect(await compact(STEPS, { command: 'git status' }, status)).toEqual({ text: 'M: a.ts', lossy: true })
  })

  it.each([
    ['JSON', ordersJson(500)],
    ['a log', SERVER_LOG],
    ['hits of a search', linesOf(300, (index) => `src/a.ts:${index}:const total = ${index}`)],
  ])('that is %s does not go to the rules', (_, text) => {
    expect(compact(text, { command: 'fetch-things' })).toMatchObject({ lossy: true })
  })

  it('is compacted here when there is no rule or no answer', async () => {
    const compacted = await compact(`${STEPS}\n${STEPS}`, { command: 'weigh-things' }, answers(undefined))
    expect(compacted?.lossy).toBe(true)
    expect(compacted?.text).toMatch(/^step 0 took 0 ms\n.*lines left out.*ms$/s)
  })

  it('that failed is compacted here, and keeps more', async () => {
    const printed = linesOf(2_000, (index) => `step ${index * 7} took ${index * 13} ms`)
    const passed = await compact(printed, { command: 'build' }, answers(undefined))
    const failed = await compact(printed, { command: 'build', ok: false })
    expect(failed?.text.length).toBeGreaterThan(1.8 * (passed?.text.length ?? Infinity))
  })

  it('keeps the assertion of a failed test, even if the command reports success', async () => {
    const compacted = await compact(FAILED_TESTS, { command: 'npx vitest run || true' })
    expect(compacted?.text).toContain('AssertionError: expected 119 to be 238')
    expect(compacted?.text).toContain('\n- 238\n+ 119\n')
  })

  it('goes to the rules when its tests passed', async () => {
    const passed = linesOf(200, (index) => ` ✓ refuses an error of kind ${index * 3} (2 tests)`)
    expect(await compact(passed, { command: 'npm test' }, answers('200 passed'))).toMatchObject({
      text: '200 passed',
    })
  })

  it('is compacted here when the rules would lose an error', async () => {
    const printed = `${STEPS}\nERROR: mirror not reachable\n${STEPS}`
    const compacted = await compact(printed, { command: 'npm install' }, answers('added 12 packages'))
    expect(compacted?.text).toContain('ERROR: mirror not reachable')
    const kept = answers('ERROR: mirror not reachable\nadded 12 packages')
    expect((await compact(printed, { command: 'npm install' }, kept))?.text).toMatch(/^ERROR.*\nadded/)
  })
})
