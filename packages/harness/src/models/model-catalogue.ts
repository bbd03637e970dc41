import type { ModelAbilities } from './model-client.ts'
import { longestPrefix } from './prices.ts'

const PDF = ['application/pdf']
const NONE: readonly string[] = []
const AUDIO = ['wav', 'x-wav', 'mp3', 'mpeg', 'aiff', 'aac', 'ogg', 'flac'].map((type) => `audio/${type}`)
const HEARS = /^google\/gemini-/

// Context window in tokens, then whether it reads images and PDF files, and supports structured output with tools.
const CATALOGUE: Readonly<
  Record<string, readonly [window: number, images: boolean, pdf: boolean, structuredOutput: boolean]>
> = {
  'openai/gpt-4.1': [1_047_576, true, true, true],
  'openai/gpt-4o': [128_000, true, true, true],
  'openai/gpt-5': [400_000, true, true, true],
  'openai/gpt-5.4': [1_050_000, true, true, true],
  'openai/gpt-5.5': [1_050_000, true, true, true],
  'openai/gpt-5.6': [1_050_000, true, true, true],
  'openai/gpt-6': [1_050_000, true, true, true],
  'openai/o3': [200_000, true, true, true],
  'openai/o3-mini': [200_000, false, false, true],
  'openai/o4-mini': [200_000, true, true, true],
  'anthropic/claude-haiku-4-5': [200_000, true, true, true],
  'anthropic/claude-haiku-5-5': [1_000_000, true, true, true],
  'anthropic/claude-opus-4': [200_000, true, true, false],
  'anthropic/claude-opus-5': [1_000_000, true, true, true],
  'anthropic/claude-sonnet-4': [200_000, true, true, false],
  'anthropic/claude-sonnet-5': [1_000_000, true, true, true],
  'anthropic/claude-fable-5': [1_000_000, true, true, true],
  'google/gemini-2.5': [1_048_576, true, true, false],
  'google/gemini-3': [1_048_576, true, true, true],
  'google/gemini-4': [1_048_576, true, true, true],
}

const TAKES_MEDIA_IN_RESULTS = /^(openai|anthropic|google)\//

/**
 * The abilities of a model, by its name. An unknown model is assumed to support tools and images, because a provider's
 * refusal explains itself; its window stays unknown, and nothing is trimmed.
 */
export function abilitiesOf(id: string): ModelAbilities {
  const row = longestPrefix(CATALOGUE, id)
  const mediaInResults = TAKES_MEDIA_IN_RESULTS.test(id)
  if (!row)
    return { tools: true, images: true, files: NONE, ...(mediaInResults ? { mediaInResults } : undefined) }
  const [contextWindow, images, pdf, structuredOutput] = row
  const files = [...(pdf ? PDF : NONE), ...(HEARS.test(id) ? AUDIO : NONE)]
  return { tools: true, images, files, structuredOutput, mediaInResults, contextWindow }
}
