import { ConfigurationError } from '../turn/errors.ts'

/** The parts of a name such as `http://localhost:8000/v1#qwen`. Throws a `ConfigurationError`. */
export function splitAddress(name: string): { baseURL: string; model: string } {
  const hash = name.indexOf('#')
  const baseURL = name.slice(0, hash)
  const model = name.slice(hash + 1)
  if (hash === -1 || model === '' || !URL.canParse(baseURL)) {
    throw new ConfigurationError(
      'model',
      `"${name}" needs a model behind a #, such as ${name.split('#')[0]}#llama`,
    )
  }
  return { baseURL, model }
}

/** OLLAMA_HOST as people write it: with or without scheme, port and path. */
export function ollamaAddress(host: string | undefined): string {
  if (!host) return 'http://127.0.0.1:11434/v1'
  const address = /^https?:\/\//.test(host) ? host : `http://${host}`
  if (!URL.canParse(address)) throw new ConfigurationError('OLLAMA_HOST', `"${host}" is not an address`)
  const url = new URL(address)
  if (url.port === '' && !/^https?:\/\//.test(host)) url.port = '11434'
  // "Listen on all interfaces" is not an address to connect to.
  if (url.hostname === '0.0.0.0') url.hostname = '127.0.0.1'
  return `${url.origin}${url.pathname.replace(/(?<!\/)\/+$/, '').replace(/\/v1$/, '')}/v1`
}
