/**
 * Whether a host is the named one. `*.example.com` stands for every host below `example.com`, and not for `example.com`
 * itself. Letter case and a dot at the end do not count. Pure.
 */
export function matchesHost(pattern: string, host: string): boolean {
  const wanted = toPlain(pattern)
  const given = toPlain(host)
  return wanted.startsWith('*.')
    ? given.endsWith(wanted.slice(1)) && given.length >= wanted.length
    : given === wanted
}

const toPlain = (host: string): string => host.toLowerCase().replace(/\.$/, '')
