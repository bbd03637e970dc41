import { matchesHost } from '../text/matches-host.ts'

/** Whether a value is an http address whose host is on the list. `*.example.com` matches every name below it. Pure. */
export function isListedHost(value: unknown, hosts: readonly string[]): boolean {
  if (typeof value !== 'string' || !URL.canParse(value)) return false
  const { protocol, hostname, username, password } = new URL(value)
  if ((protocol !== 'https:' && protocol !== 'http:') || username !== '' || password !== '') return false
  return hosts.some((host) => matchesHost(host, hostname))
}
