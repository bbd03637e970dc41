import type { Surface } from '../turn/tool/surface.ts'
import type { Turn } from './turn.ts'
import { addNotice } from './turn.ts'

/**
 * In a text dialect the provider gets no tools, so the model must read how to call them. The system prompt never changes:
 * tools that it does not explain, because they came later, are explained by a notice, once.
 */
export async function explainTools(turn: Turn, surface: Surface, iteration: number): Promise<void> {
  const { parser, conversation } = turn
  if (parser.dialect === 'native' || surface === conversation.explained) return
  conversation.explained = surface
  const texts = [conversation.system]
  for (const message of conversation.history.messages) if (message.role === 'notice') texts.push(message.text)
  const unknown = surface.tools.filter(({ name }) => !texts.some((text) => listsTool(text, name)))
  const text = unknown.length === 0 ? '' : parser.instructions(unknown)
  if (text !== '') await addNotice(turn, { text }, iteration)
}

/** Whether a line of the text begins with the tool, as instructions list it. */
const listsTool = (text: string, name: string): boolean =>
  [`### ${name}\n`, `${name}[`, `${name}\n`].some((start) => `\n${text}\n`.includes(`\n${start}`))
