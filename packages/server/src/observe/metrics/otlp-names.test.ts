import { METRIC } from '@capstan/harness/telemetry'
import { expect, it } from 'vitest'
import { toAttributeName, toLabelName, toMetricName, toOtlpName } from './otlp-names.ts'

it.each([
  ['capstan_turns_total', 'capstan.turns', ''],
  ['capstan_ledger_seconds', 'capstan.ledger', 's'],
  ['capstan_sockets', 'capstan.sockets', ''],
  ['gen_ai_client_operation_duration_seconds', 'gen_ai.client.operation.duration', 's'],
  ['gen_ai_client_token_usage', 'gen_ai.client.token.usage', ''],
])('%s is %s over OTLP', (metric, name, unit) => {
  expect(toOtlpName(metric)).toEqual({ name, unit })
})

it('names of the conventions come back as they were', () => {
  for (const { name } of Object.values(METRIC)) expect(toOtlpName(toMetricName(name, 's')).name).toBe(name)
  expect(toAttributeName(toLabelName('gen_ai.request.model'))).toBe('gen_ai.request.model')
  expect(toAttributeName('outcome')).toBe('outcome')
})
