import type { FailureClass } from '@capstan/protocol'
import { findReason } from './find-reason.ts'
import { findStatus } from './find-status.ts'
import { readMarker } from './markers.ts'
import { languageRules } from './rules/languages/language-rules.ts'
import type { TextRule } from './rules/text-rule.ts'
import { TERSE_RULES } from './rules/terse.ts'
import { GENERAL_RULES, PARTICULAR_RULES } from './text-rules.ts'

/** What a text gave away, and by which rule. */
export interface TextVerdict {
  readonly class: FailureClass
  readonly rule: string
  readonly fact?: string
}

/** The class of a status code that stands alone. */
export function classOfStatus(status: number): FailureClass | undefined {
  return (
    STATUS_CLASSES[status] ??
    (status >= 500 ? 'service_unavailable' : status >= 400 ? 'invalid_input' : undefined)
  )
}

const STATUS_CLASSES: Readonly<Record<number, FailureClass>> = {
  401: 'bad_credentials',
  402: 'quota_exhausted',
  403: 'missing_permission',
  404: 'not_found',
  405: 'unsupported',
  407: 'bad_credentials',
  408: 'timeout',
  409: 'conflict',
  410: 'not_found',
  412: 'conflict',
  413: 'too_large',
  414: 'too_large',
  415: 'unsupported',
  419: 'bad_credentials',
  421: 'service_unavailable',
  423: 'conflict',
  429: 'rate_limited',
  431: 'too_large',
  440: 'bad_credentials',
  451: 'blocked_by_policy',
  499: 'cancelled',
  501: 'unsupported',
  504: 'timeout',
  505: 'unsupported',
  522: 'timeout',
  524: 'timeout',
}

/** Why a call failed, from its text alone. Undefined when the text gives no reason. Pure; never throws. */
export function classifyText(text: string, tool = ''): TextVerdict | undefined {
  const mark = readMarker(text)
  if (mark) return { class: mark.class, rule: mark.rule }
  const reason = findReason(text)
  if (reason.text === '' && reason.status === undefined) return undefined
  const verdict =
    firstMatch(PARTICULAR_RULES, reason.text) ??
    firstMatch(languageRules(reason.text), reason.text) ??
    fromStatus(reason.status ?? findStatus(reason.text), reason.text) ??
    firstMatch(GENERAL_RULES, reason.text) ??
    (isTerse(reason.text) ? firstMatch(TERSE_RULES, reason.text) : undefined)
  return verdict && aboutModel(verdict, reason.text, tool)
}

const isTerse = (text: string): boolean => text.length <= 200 && !text.includes('\n')

function firstMatch(rules: readonly TextRule[], text: string): TextVerdict | undefined {
  for (const { name, class: failureClass, pattern } of rules) {
    const found = pattern.exec(text)
    if (found) return { class: failureClass, rule: name, fact: toFact(found[0]) }
  }
  return undefined
}

function fromStatus(status: number | undefined, text: string): TextVerdict | undefined {
  if (status === undefined) return undefined
  const standing = classOfStatus(status)
  if (standing === undefined) return undefined
  // These say little by themselves: what the text says besides is nearer to the reason.
  if (status === 400 || status === 422 || status === 404 || status === 500 || status === 403) {
    const more = firstMatch(GENERAL_RULES, text)
    if (more && REFINES[status]?.includes(more.class)) return more
  }
  return { class: standing, rule: `status-${status}`, fact: `status ${status}` }
}

const REFINES: Readonly<Record<number, readonly FailureClass[]>> = {
  400: ['conflict', 'not_found', 'unsupported', 'missing_permission', 'model_unreachable'],
  403: ['missing_permission', 'bad_credentials'],
  404: ['missing_permission', 'model_unreachable', 'not_found'],
  422: ['conflict', 'not_found'],
  500: ['timeout'],
}

const MODEL_TOOL =
  /^(?:llm|models?|ai|chat|completions?|inference|openai|anthropic|claude|gemini|ollama|mistral|groq|cohere|openrouter|litellm|vllm|lmstudio|bedrock|vertex|huggingface|deepseek)(?:[._-]|$)/i
const MODEL_WORDS =
  /\b(?:ollama|llm|lm studio|vllm|litellm|openrouter|openai|anthropic|inference|language model)\b|:11434\b/

// To a person an unreachable model is another matter than an unreachable app.
function aboutModel(verdict: TextVerdict, text: string, tool: string): TextVerdict {
  const asked = MODEL_TOOL.test(tool)
  if (verdict.class === 'service_unavailable' && (asked || MODEL_WORDS.test(text)))
    return { ...verdict, class: 'model_unreachable' }
  if (verdict.class === 'not_found' && asked) return { ...verdict, class: 'model_unreachable' }
  return verdict
}

const MAX_FACT_CHARS = 80

// Long mixed runs may be keys or ids.
const toFact = (found: string): string =>
  found
    .replace(/[\w-]{20,}/g, '…')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, MAX_FACT_CHARS)
