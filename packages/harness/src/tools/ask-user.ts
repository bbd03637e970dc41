import type { Tool } from '../turn/tool/tool.ts'
import { defineTool } from '../turn/tool/tool.ts'
import { fail, succeed } from '../turn/tool/tool-outcome.ts'
import { labelled } from './labelled.ts'

/** Asks the user and ends the turn: the answer is the next message. */
export function createAskUserTool(): Tool {
  return defineTool({
    name: 'ask_user',
    description:
      'Ask the user one question and wait for the answer. Use it only when you cannot go on without something that ' +
      'the user alone knows or decides. The turn ends here and goes on with their answer.',
    effect: 'read',
    returns: [], // the answer comes as the user's next message
    destinations: [],
    exact: true, // a question is asked word for word
    endsTurn: true,
    input: {
      type: 'object',
      properties: {
        question: { type: 'string', description: 'The question, complete in itself.' },
        options: {
          type: 'array',
          items: { type: 'string' },
          maxItems: 10,
          description: 'Answers to choose from, if there are a few likely ones.',
        },
      },
      required: ['question'],
      additionalProperties: false,
    },
    label: labelled('Ask you', 'question'),
    run(args) {
      const { question, options = [] } = args as { question: string; options?: readonly string[] }
      if (question.trim() === '') return fail('The question is empty.', { errorCode: 'invalid_arguments' })
      return succeed([question, ...options.map((option, index) => `${index + 1}. ${option}`)].join('\n'))
    },
  })
}
