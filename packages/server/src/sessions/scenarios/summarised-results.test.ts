import { calls, fails, says, ScriptedModel, stubTool } from '@capstan/harness/testing'
import type { Step } from '@capstan/harness/testing'
import type { RecordOf } from '@capstan/harness/stores'
import { describe, expect, it } from 'vitest'
import { openWorld } from '../assistant.fixture.ts'

const ROWS = Array.from({ length: 4_000 }, (_, n) => `row ${n}: value ${n * 7}`).join('\n')
/** It reads what strangers wrote. */
const list = stubTool('list_rows', () => ROWS, { isThirdParty: true, returns: ['untrusted'] })

async function run(steps: readonly Step[]) {
  const model = new ScriptedModel(...steps)
  const { assistant } = await openWorld({ model, tools: [list] })
  const threads = assistant.threadsOf('local')
  const { id } = await threads.create()
  const session = await threads.open(id)
  const outcome = await session.send('List the rows.')
  const results = (await assistant.store.ledger.read(id)).filter(
    (record): record is RecordOf<'call-result'> => record.type === 'call-result',
  )
  return { assistant, model, outcome, id, result: results[0]! }
}

describe('a result that is too long for the model, in the assistant', () => {
  it('is sent and stored as a summary in the frame of its source, and stays readable whole', async () => {
    const { assistant, model, outcome, id, result } = await run([
      calls('list_rows'),
      says('4,000 rows, from row 0 to row 3999.'),
      says('There are 4,000.'),
    ])
    expect(outcome).toMatchObject({ type: 'done', text: 'There are 4,000.' })

    const asked = JSON.stringify(model.request(1).messages)
    expect(model.request(1).tools).toEqual([])
    expect(asked).toContain('row 3999: value 27993')
    expect(asked).toContain('<untrusted source=')
    const sent = JSON.stringify(model.request(2).messages)
    expect(sent).toMatch(/<untrusted source=.*4,000 rows, from row 0 to row 3999\./)
    expect(sent).not.toContain('row 3998')

    const { message } = result
    expect(message).toMatchObject({ ok: true, from: expect.any(String) as string })
    expect(message.text).toContain('4,000 rows, from row 0 to row 3999.\n[A summary is shown')
    expect(message.text).not.toContain('row 3998')
    expect(result.result.read).toMatchObject({ returns: expect.arrayContaining(['untrusted']) as string[] })
    const artifact = /read_artifact {"id": "([^"]+)"/.exec(message.text)![1]!
    const whole = await assistant.store.artifacts.read(id, artifact, { offset: 0, maxBytes: 1_000_000 })
    expect(whole?.text).toBe(ROWS)
  })

  it('costs what its summary costs, in the usage of the turn and of the user', async () => {
    const { assistant, outcome } = await run([calls('list_rows'), says('4,000 rows.'), says('Done.')])
    const [used] = await assistant.store.runs.usage({ userId: 'local' })
    expect(used).toMatchObject({ calls: 3 })
    expect(outcome.usage.inputTokens).toBe(used!.usage.inputTokens)
  })

  it('is shown in part when the model cannot summarise it', async () => {
    const { outcome, result } = await run([calls('list_rows'), fails(400), says('A part of them.')])
    expect(outcome).toMatchObject({ type: 'done', text: 'A part of them.' })
    expect(result.message.text).toContain('row 0: value 0')
    expect(result.message.text).toContain('[A part is shown')
  })
})
