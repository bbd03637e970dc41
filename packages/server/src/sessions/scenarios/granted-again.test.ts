import type { TurnEvent } from '@capstan/protocol'
import { WELCOME_PROMPTS } from '@capstan/protocol'
import { expect, it } from 'vitest'
import { connectNotes, openWorld, startNotes, toPreset } from '../assistant.fixture.ts'

it(
  'a grant for always saves the question for the same request in the same conversation',
  { timeout: 120_000 },
  async () => {
    const app = await startNotes()
    const world = await openWorld({ presets: [toPreset(app)] })
    await connectNotes(world, app)
    const questions: Extract<TurnEvent, { type: 'approval-request' }>[] = []
    const threads = world.assistant.threadsOf('local')
    world.assistant.onUpdate((update) => {
      if (update.type !== 'turn-event' || update.event.type !== 'approval-request') return
      questions.push(update.event)
      void threads.answer(update.event.approvalId, 'allow-always')
    })
    const session = await threads.open((await threads.create()).id)
    for (let no = 0; no < 3; no++) {
      const { outcome } = await session.submit(WELCOME_PROMPTS[0]!.text)
      await outcome
    }
    expect(questions.map(({ tool, reason }) => [tool, reason])).toEqual([[questions[0]?.tool, undefined]])
  },
)
