import { z } from 'zod'
import type { Environment } from './choose-model.ts'

const Tags = z.object({ models: z.array(z.object({ name: z.string().min(1).max(200) })) })
const DEFAULT_PORT = '11434'
/** Short: most machines have no Ollama. */
const PATIENCE_MS = 200
/** With OLLAMA_HOST set, an answer is expected. */
const LONGER_MS = 2_000

/** The first chat model of a running Ollama, as `ollama/…`. Never throws. */
export async function findLocalModel(
  env: Environment,
  fetch = globalThis.fetch,
): Promise<string | undefined> {
  const host = env['OLLAMA_HOST']
  const address = toAddress(host)
  if (!address) return undefined
  try {
    const response = await fetch(new URL('/api/tags', address), {
      signal: AbortSignal.timeout(host ? LONGER_MS : PATIENCE_MS),
      redirect: 'error',
    })
    if (!response.ok) return undefined
    const tags = Tags.safeParse(await response.json())
    // Embedding models cannot chat.
    const first = tags.data?.models.find(({ name }) => !/embed|bge|minilm/i.test(name))
    return first && `ollama/${first.name}`
  } catch {
    return undefined
  }
}

function toAddress(host: string | undefined): URL | undefined {
  if (!host) return new URL(`http://127.0.0.1:${DEFAULT_PORT}`)
  const hasScheme = /^https?:\/\//.test(host)
  const written = hasScheme ? host : `http://${host}`
  if (!URL.canParse(written)) return undefined
  const url = new URL(written)
  if (url.port === '' && !hasScheme) url.port = DEFAULT_PORT
  if (url.hostname === '0.0.0.0') url.hostname = '127.0.0.1'
  return url
}
