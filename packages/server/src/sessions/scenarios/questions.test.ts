import type { TurnEvent } from '@capstan/protocol'
import { WELCOME_PROMPTS } from '@capstan/protocol'
import { expect, it } from 'vitest'
import { ask, connectNotes, openWorld, startNotes, toPreset } from '../assistant.fixture.ts'

const STORIES = [
  ...WELCOME_PROMPTS.map(({ text }) => text),
  'Save "Tea: three minutes" to my Notes',
  'Show me Markdown',
  'What time is it?',
  'Show me a loop',
]

/** Runs the honest stories of the demo, says yes to everything, and counts the questions. */
async function countQuestions(safetyMode: 'supervised' | 'full') {
  const app = await startNotes()
  const world = await openWorld({ presets: [toPreset(app)] })
  await world.assistant.changeSettings('local', { safetyMode })
  await connectNotes(world, app)
  const questions: Extract<TurnEvent, { type: 'approval-request' }>[] = []
  world.assistant.onUpdate((update) => {
    if (update.type !== 'turn-event' || update.event.type !== 'approval-request') return
    questions.push(update.event)
    void world.assistant.threadsOf('local').answer(update.event.approvalId, 'allow-once')
  })
  for (const words of STORIES) await ask(world, words)
  const isByMode = ({ effect }: (typeof questions)[number]): boolean =>
    effect === 'admin' || (effect === 'write' && safetyMode === 'supervised')
  return { before: questions.filter(isByMode).length, after: questions.length, questions }
}

it.each(['supervised', 'full'] as const)(
  'the honest stories of the demo ask no more than before the data-flow rule, in mode %s',
  { timeout: 120_000 },
  async (mode) => {
    const { before, after, questions } = await countQuestions(mode)
    console.log(`questions in ${STORIES.length} stories, mode ${mode}: ${before} before, ${after} after`)
    expect(questions.filter(({ reason }) => reason).map(({ tool, reason }) => [tool, reason])).toEqual([])
    expect(after).toBe(before)
  },
)
