import { sanitizeLine } from '../text/untrusted-text.ts'

/** A model as the conventions name it. */
export interface ModelName {
  readonly provider: string
  readonly model: string
  /** The host of a model with an address of its own. */
  readonly server?: string
}

/** Our names of providers that the conventions call otherwise. */
const PROVIDERS: Readonly<Record<string, string>> = {
  google: 'gcp.gemini',
  mistral: 'mistral_ai',
  xai: 'x_ai',
  bedrock: 'aws.bedrock',
}

const MAX_CHARS = 100

/** Reads `provider/model` and `https://host/v1#model`. Of an address only the host is kept. */
export function toModelName(id: string): ModelName {
  if (/^https?:\/\//.test(id)) return ofAddress(id)
  const slash = id.indexOf('/')
  if (slash < 1) return { provider: 'unknown', model: clean(id) }
  const provider = clean(id.slice(0, slash))
  return { provider: PROVIDERS[provider] ?? provider, model: clean(id.slice(slash + 1)) }
}

function ofAddress(id: string): ModelName {
  const url = URL.parse(id)
  if (!url) return { provider: 'unknown', model: 'unknown' }
  const model = clean(url.hash.slice(1))
  return { provider: 'openai', model: model === '' ? 'unknown' : model, server: url.hostname }
}

const clean = (text: string): string => sanitizeLine(text, MAX_CHARS)
