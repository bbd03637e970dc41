import type { FailureClass } from '@capstan/protocol'
import { findReason } from './find-reason.ts'
import { findStatus } from './find-status.ts'
import { readMarker } from './markers.ts'
import { languageRules } from './rules/languages/language-rules.ts'
import type { TextRule } from './rules/text-rule.ts'
import { classOfStatus, mayRatherBe } from './status-classes.ts'
import { TERSE_RULES } from './rules/terse.ts'
import { GENERAL_RULES, PARTICULAR_RULES } from './text-rules.ts'

/** What a text gave away, and by which rule. */
export interface TextVerdict {
  readonly class: FailureClass
  readonly rule: string
  readonly fact?: string
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

// The rest of the text may be more specific than its status code.
function fromStatus(status: number | undefined, text: string): TextVerdict | undefined {
  const standing = status === undefined ? undefined : classOfStatus(status)
  if (status === undefined || standing === undefined) return undefined
  const rather = mayRatherBe(status)
  const more = rather.length > 0 ? firstMatch(GENERAL_RULES, text) : undefined
  if (more && rather.includes(more.class)) return more
  return { class: standing, rule: `status-${status}`, fact: `status ${status}` }
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
