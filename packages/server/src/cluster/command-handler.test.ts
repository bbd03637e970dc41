import type { Session } from '@capstan/harness'
import type { Store } from '@capstan/harness/stores'
import { expect, it, vi } from 'vitest'
import type { ThreadActions } from '../sessions/thread-actions.ts'
import { createCommandHandler } from './command-handler.ts'
import { readAnswer } from './command-answer.ts'
import type { Answer, Commands, OpenCommand } from './commands.ts'

const COMMAND: OpenCommand = {
  threadId: 'thread_1',
  id: 'message m1',
  userId: 'ann',
  kind: 'message',
  body: { text: 'hello', messageId: 'm1' },
  createdAt: 0,
  attempts: 0,
  isIntact: true,
}

function openHandler() {
  const answers: Answer[] = []
  const message = vi.fn(async () => ({ messageId: 'm1' }))
  const handler = createCommandHandler({
    store: {} as Store,
    commands: { answer: async (_threadId, _id, answer) => void answers.push(answer) } as Commands,
    actionsOf: () => ({ message }) as unknown as ThreadActions,
    noteAnswer: () => {},
  })
  return { message, answers, carryOut: (command: OpenCommand) => handler.carryOut(command, {} as Session, 1) }
}

it('a command that was begun before is done again: its node may have died by chance', async () => {
  const { carryOut, message, answers } = openHandler()
  await carryOut({ ...COMMAND, attempts: 4 })
  expect(message).toHaveBeenCalledTimes(1)
  expect(readAnswer(answers[0]!.json)).toEqual({ messageId: 'm1' })
})

it('a command that has brought down one node after the other is refused with words', async () => {
  const { carryOut, message, answers } = openHandler()
  await carryOut({ ...COMMAND, attempts: 5 })
  expect(message).not.toHaveBeenCalled()
  expect(() => readAnswer(answers[0]!.json)).toThrow('was tried several times')
})
