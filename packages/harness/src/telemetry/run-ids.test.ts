import type { CallId, RunId } from '@capstan/protocol'
import { expect, it } from 'vitest'
import { createdAt, newRunId } from '../turn/new-id.ts'
import { RunIds, callSpanIdOf, runSpanIdOf, traceIdOf } from './run-ids.ts'

it('the ids of runs and calls are the same in every process', () => {
  const run = 'run_1' as RunId
  expect(traceIdOf(run)).toMatch(/^[\da-f]{32}$/)
  expect(traceIdOf(run)).toBe(traceIdOf(run))
  const spans = [runSpanIdOf(run), callSpanIdOf(run, 'a' as CallId), callSpanIdOf(run, 'b' as CallId)]
  expect(new Set(spans).size).toBe(3)
  for (const span of spans) expect(span).toMatch(/^[\da-f]{16}$/)
})

it('given ids are used once', () => {
  const ids = new RunIds()
  expect(ids.use({ spanId: 'a', traceId: 'b' }, () => [ids.generateSpanId(), ids.generateTraceId()])).toEqual(
    ['a', 'b'],
  )
  expect(ids.generateSpanId()).toMatch(/^[\da-f]{16}$/)
  expect(ids.generateTraceId()).toMatch(/^[\da-f]{32}$/)
})

it('a run id says when the run was made', () => {
  const before = Date.now()
  expect(createdAt(newRunId())).toBeGreaterThanOrEqual(before)
  expect(createdAt('run_1')).toBeUndefined()
})
