import { runStateless } from '@capstan/harness'
import { calls, recordEvents, says, ScriptedModel } from '@capstan/harness/testing'
import { expect, it } from 'vitest'
import { clock } from './clock.ts'

async function look(args: Record<string, string>) {
  const events = recordEvents()
  const model = new ScriptedModel(calls('clock', args), says('ok'))
  await runStateless({ model, tools: [clock], input: 'go', onEvent: events.onEvent })
  return { start: events.of('tool-start')[0], end: events.of('tool-end')[0] }
}

it('tells the date and the time of a place', async () => {
  const { start, end } = await look({ zone: 'Pacific/Kiritimati' })
  expect(start).toMatchObject({ label: 'Look at the clock', detail: 'Pacific/Kiritimati' })
  expect(end?.output).toMatch(/^\w+day,? \d+ \w+ \d{4} at \d\d:\d\d$/)
})

it('says that a place is not known', async () => {
  const { end } = await look({ zone: 'Atlantis' })
  expect(end).toMatchObject({ ok: false, failure: { class: 'invalid_input' } })
})
