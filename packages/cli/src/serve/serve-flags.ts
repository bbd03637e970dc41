import { UsageError } from '../shell/shell.ts'

/** Reads `--port`. Throws `UsageError` when it is not a port. */
export function parsePort(flag: string): number {
  const port = Number(flag)
  if (!/^\d{1,5}$/.test(flag) || port > 65_535)
    throw new UsageError(`--port is a whole number from 0 to 65535, not "${flag}".`)
  return port
}

/** Reads one `--origin`. Throws `UsageError` when it is not the address of a site. */
export function parseOrigin(flag: string): string {
  const url = URL.parse(flag)
  if (
    !url ||
    !/^https?:$/.test(url.protocol) ||
    !['', '/'].includes(`${url.pathname}${url.search}${url.hash}`)
  )
    throw new UsageError(`--origin is an address such as https://capstan.example.org, not "${flag}".`)
  return url.origin
}

const LEVELS = ['debug', 'info', 'warn', 'error'] as const

/** Reads `--log`. Throws `UsageError` when there is no such level. */
export function parseLogLevel(flag: string): (typeof LEVELS)[number] {
  const level = LEVELS.find((known) => known === flag)
  if (!level) throw new UsageError(`--log is one of ${LEVELS.join(', ')}, not "${flag}".`)
  return level
}
