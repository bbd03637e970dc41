import type { ToolOutcome } from '../../turn/tool/tool-outcome.ts'
import { fail } from '../../turn/tool/tool-outcome.ts'

/** Which addresses may be fetched. */
export interface UrlRules {
  /** Exact `host:port` pairs that may be reached wherever they lie. IPv6 hosts in brackets. */
  readonly allowHosts: readonly string[]
  /** The only ports allowed, for all other hosts. Absent: any. */
  readonly allowPorts?: readonly number[]
}

/** Reads a URL once, for good: what is checked here is what is connected to. Pure. */
export function checkUrl(
  text: string,
  rules: UrlRules,
): { readonly url: URL } | { readonly refusal: ToolOutcome } {
  if (!URL.canParse(text)) {
    return { refusal: fail(`"${text.slice(0, 500)}" is not a URL.`, { errorCode: 'invalid_arguments' }) }
  }
  const url = new URL(text)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    return refuse(`Only http and https may be fetched, not ${url.protocol.slice(0, 50)}`)
  }
  if (url.username !== '' || url.password !== '') {
    return refuse('A URL with a user name or password in it is not fetched. Leave it out')
  }
  if (rules.allowPorts && !isAllowedHost(url, rules) && !rules.allowPorts.includes(portOf(url))) {
    return refuse(`Port ${portOf(url)} is not among those that may be fetched`)
  }
  return { url }
}

/** Whether a host is explicitly allowed. */
export const isAllowedHost = (url: URL, { allowHosts }: UrlRules): boolean =>
  allowHosts.some((allowed) => allowed.toLowerCase() === `${url.hostname}:${portOf(url)}`)

const portOf = (url: URL): number => Number(url.port) || (url.protocol === 'https:' ? 443 : 80)

const refuse = (reason: string): { refusal: ToolOutcome } => ({
  refusal: fail(`${reason}. Nothing was fetched.`, { deniedBy: 'policy' }),
})
