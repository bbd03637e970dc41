import { fieldError } from './field-error.ts'

const MAX_HOSTS = 50
// A name, `*.` and a name, or an address; with a port or without.
const HOST =
  /^(\*\.)?(?=.{1,253}(:|$))[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*(:\d{1,5})?$/i
const ADDRESS = /^\[[0-9a-f:.]+\](:\d{1,5})?$/i

/** Hosts in lower case and without repeats. Throws a `ConfigurationError` for one that is none. Pure. */
export function checkHosts(
  field: string,
  hosts: readonly string[],
  { max = MAX_HOSTS, allowsPort = true } = {},
): readonly string[] {
  if (hosts.length > max) throw fieldError(field, { kind: 'too-many', most: max })
  const written = hosts.map((host) => host.trim().toLowerCase()).filter((host) => host !== '')
  for (const [index, host] of written.entries()) {
    const isHost = (HOST.test(host) || ADDRESS.test(host)) && (allowsPort || !/:\d+$/.test(host))
    if (!isHost) throw fieldError(`${field}.${index}`, { kind: 'not-a-host', value: host })
    // Everything below `*.com` would be a host of anybody.
    if (/^\*\.[^.]+$/.test(host))
      throw fieldError(`${field}.${index}`, { kind: 'host-too-wide', value: host })
  }
  return [...new Set(written)]
}
