import type { BenchApp, BenchTool } from '../subject.ts'
import { answerOf } from '../answers.ts'

export const APPS = 50
const ACTIONS_PER_APP = 20

/** Fifty apps of twenty actions. Every action takes one argument; those of real apps take more. */
export function toFiftyApps(): readonly BenchApp[] {
  return Array.from({ length: APPS }, (_, n) => {
    const slug = `app_${n}`
    return {
      slug,
      name: `App ${n}`,
      description: 'Keeps what people write down, and finds it again.',
      tools: Array.from({ length: ACTIONS_PER_APP }, (_each, action) => toAction(slug, action)),
    }
  })
}

function toAction(slug: string, action: number): BenchTool {
  return {
    name: `${slug}_read_register_${action}`,
    description:
      `Reads one entry of register ${action} by its number and answers with the line that is written there. ` +
      'Entries are counted from zero in the order in which they were made; a number beyond the last is an error.',
    run: ({ i }) => answerOf(i),
  }
}
