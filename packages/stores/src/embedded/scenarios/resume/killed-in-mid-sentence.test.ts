import { expect, it } from 'vitest'
import { createThreads } from '@capstan/harness'
import { checkInvariants, ScriptedModel, says, stubTool } from '@capstan/harness/testing'
import type { TurnEvent } from '@capstan/protocol'
import { openEmbeddedStore } from '../../open-store.ts'
import { useStoreFolders } from '../../fixtures/store-folder.fixture.ts'
import { THREAD } from '../../../fixtures/lead-and-helpers.fixture.ts'
import { runUntil } from '../../../fixtures/run-process.fixture.ts'

const PROGRAM = new URL('stream-until-killed.fixture.ts', import.meta.url)
const createFolder = useStoreFolders()

it('text that a killed process had shown is kept as a cut reply, and the model goes on from there', async () => {
  const folder = await createFolder()
  const isHalfACall = (line: string) => line.includes('"tool-args-delta"')
  const lines = await runUntil(PROGRAM, [folder], isHalfACall)
  const seen = lines.map((line) => JSON.parse(line) as TurnEvent)
  const shown = seen.reduce((text, event) => (event.type === 'text-delta' ? text + event.delta : text), '')
  expect(shown).toBe('Once upon a time, there was a tide')

  const store = openEmbeddedStore({ folder })
  const model = new ScriptedModel(says(' that turned.'))
  let sent = 0
  const threads = createThreads({
    store,
    agent: { model, origin: 'web', tools: [stubTool('send', () => void sent++, { effect: 'write' })] },
  })
  expect(await threads.resume()).toEqual({ running: 1, waiting: 0 })
  await threads.idle()
  const [turn] = await store.runs.list({ userId: 'local' })
  expect(turn?.outcome).toMatchObject({ type: 'done', text: `${shown} that turned.` })
  expect(sent).toBe(0)

  const [, cut, notice] = model.request(0).messages
  expect(cut).toEqual({ role: 'assistant', cut: true, parts: [{ type: 'text', text: shown }] })
  expect(notice).toMatchObject({ role: 'notice', text: expect.stringContaining('cut off') as string })
  const usage = (await store.ledger.read(THREAD)).flatMap((record) =>
    record.type === 'usage' ? [record.usage] : [],
  )
  expect(usage).toEqual([
    expect.objectContaining({ estimated: true }),
    expect.not.objectContaining({ estimated: true }),
  ])
  expect(usage[0]!.outputTokens).toBeGreaterThan(0)

  // A client that was there before the kill only has to ask for the rest.
  const events = await store.ledger.readEvents(THREAD, 0)
  expect(events.slice(0, seen.length)).toEqual(seen)
  expect(await store.ledger.readEvents(THREAD, seen.length)).toEqual(events.slice(seen.length))
  expect(await checkInvariants(store, [THREAD])).toEqual([])
  await store.close()
})
