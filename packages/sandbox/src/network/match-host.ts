import { matchesHost } from '@capstan/harness/sandbox'

const USUAL_PORTS = [80, 443]

/** Whether a host and port are named in a list of `host`, `*.suffix` and `host:port`. Pure. */
export function isNamedHost(host: string, port: number, named: readonly string[]): boolean {
  return named.some((entry) => {
    const { name, ports } = readEntry(entry)
    return ports.includes(port) && matchesHost(name, host)
  })
}

/** The name of an entry without its port. Pure. */
export function readEntry(entry: string): { readonly name: string; readonly ports: readonly number[] } {
  const written = entry.trim().toLowerCase()
  const [, bracketed, plain, port] = /^(?:\[([0-9a-f:.]+)\]|([^:]*))(?::(\d{1,5}))?$/.exec(written) ?? []
  const name = (bracketed ?? plain ?? written).replace(/\.$/, '')
  return { name, ports: port === undefined ? USUAL_PORTS : [Number(port)] }
}
