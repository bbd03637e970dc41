import { ModelError } from '../turn/errors.ts'
import type { ModelErrorFacts } from '../turn/errors.ts'
import type { ModelAbilities, ModelClient, ModelRequest, OnPart } from './model-client.ts'

/**
 * A model with fallbacks. The next model is called when one fails before its first part for a reason of its own: it is
 * unavailable, or refuses the key. An invalid request is not sent to the next model. Keeps no state: each request starts
 * with the first model.
 */
export function withFallback(first: ModelClient, ...others: readonly ModelClient[]): ModelClient {
  const clients = [first, ...others]
  return {
    id: first.id,
    abilities: sharedAbilities(clients.map(({ abilities }) => abilities)),
    stream: (request, signal, onPart) => streamFirst(clients, request, signal, onPart),
  }
}

async function streamFirst(
  clients: readonly ModelClient[],
  request: ModelRequest,
  signal: AbortSignal,
  onPart: OnPart,
): Promise<void> {
  for (const [n, client] of clients.entries()) {
    let begun = false
    try {
      return await client.stream(request, signal, (part) => {
        begun = true
        return onPart(part)
      })
    } catch (error) {
      const isLast = n === clients.length - 1
      if (begun || isLast || signal.aborted) throw error
      if (!(error instanceof ModelError) || !mayWorkElsewhere(error.facts)) throw error
    }
  }
}

function mayWorkElsewhere({ kind, httpStatus, retryable }: ModelErrorFacts): boolean {
  if (kind === 'refused' || kind === 'unsupported') return false
  return retryable || (httpStatus !== undefined && REFUSES_US.has(httpStatus))
}

/** Key, money, permission, model name, quota. */
const REFUSES_US: ReadonlySet<number> = new Set([401, 402, 403, 404, 429])

/** The abilities that all models share, because any of them may get the next request. */
function sharedAbilities(all: readonly ModelAbilities[]): ModelAbilities {
  const [first] = all
  const windows = all.filter(({ contextWindow }) => contextWindow !== undefined)
  const smallest = windows.toSorted((a, b) => (a.contextWindow ?? 0) - (b.contextWindow ?? 0))[0]
  return {
    tools: all.every(({ tools }) => tools),
    images: all.every(({ images }) => images),
    files: (first?.files ?? []).filter((type) => all.every(({ files }) => files.includes(type))),
    mediaInResults: all.every(({ mediaInResults }) => mediaInResults === true),
    structuredOutput: all.every(({ structuredOutput }) => structuredOutput === true),
    contextWindow: smallest?.contextWindow,
    windowIsLoaded: smallest?.windowIsLoaded,
  }
}
