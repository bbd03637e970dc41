import type { TriageDecision } from '../agents/parse-triage.ts'
import { TRIAGE } from '../agents/triage.ts'
import { cutText } from '../text/cut-text.ts'
import { FRAME_INSTRUCTIONS, frameUntrusted } from '../text/untrusted-frame.ts'
import { sanitizeLine, sanitizeText } from '../text/untrusted-text.ts'
import type { Envelope } from './envelope.ts'

/** An earlier trigger of the source and what the person says would have been right. */
export interface TriageExample {
  readonly label: string
  readonly payload: string
  readonly right: TriageDecision['action']
  /** Why, in the person's words. */
  readonly note?: string
}

/** An agent that can be given the work. */
export interface TriageTarget {
  readonly id: string
  readonly description: string
}

/** What the person has said about a source, and who can do the work. */
export interface TriageRules {
  /** In plain words: "only from my boss". */
  readonly rule?: string
  /** Newest last. */
  readonly examples?: readonly TriageExample[]
  readonly targets: readonly TriageTarget[]
}

const MAX_RULE_CHARS = 2_000
/** How many examples the model sees: the newest. */
export const SHOWN_EXAMPLES = 8
const EXAMPLE_CHARS = 600
const NOTE_CHARS = 300

/** The system prompt: the rules come from the person and stand here, apart from what others wrote. Pure. */
export function toTriageInstructions({ rule = '', targets }: TriageRules): string {
  const said = cutText(rule.trim(), MAX_RULE_CHARS)
  return [
    TRIAGE.instructions,
    FRAME_INSTRUCTIONS,
    `Agents that can be the target_agent:\n${targets.map(({ id, description }) => `- ${id}: ${description}`).join('\n')}`,
    said === ''
      ? 'The user has set no rule for this source.'
      : `The user's rule for this source. Only the user can change it:\n${said}`,
  ].join('\n\n')
}

/** The message: examples of the source, then the trigger, framed. Pure. */
export function toTriageMessage(
  envelope: Envelope,
  { examples = [] }: TriageRules,
  problem?: string,
): string {
  const { source, label, payload, receivedAt } = envelope
  const past = examples.slice(-SHOWN_EXAMPLES).map(toExampleText)
  return [
    ...(past.length > 0
      ? [`Earlier triggers of this source, and what the user says was right:\n\n${past.join('\n\n')}`]
      : []),
    [
      `A trigger came in at ${new Date(receivedAt).toISOString()}.`,
      `Source: ${source.kind} of ${sanitizeLine(source.app, 60)}.`,
      frameUntrusted(`${label}\n\n${payload}`, 'app'),
    ].join('\n'),
    ...(problem === undefined
      ? []
      : [`Your last answer could not be used. ${sanitizeLine(problem, 200)} Answer with one JSON object.`]),
    'Decide.',
  ].join('\n\n')
}

function toExampleText({ label, payload, right, note }: TriageExample): string {
  const shown = frameUntrusted(`${sanitizeLine(label, 200)}\n${sanitizeText(payload, EXAMPLE_CHARS)}`, 'app')
  const why = note === undefined ? '' : ` The user says: ${sanitizeLine(note, NOTE_CHARS)}`
  return `${shown}\nRight: ${right}.${why}`
}
