const USUAL_PORTS = [80, 443]

/** Whether a host and port are named in a list of `host`, `*.suffix` and `host:port`. Pure. */
export function isNamedHost(host: string, port: number, named: readonly string[]): boolean {
  const asked = host.toLowerCase().replace(/\.$/, '')
  return named.some((entry) => {
    const { name, ports } = readEntry(entry)
    if (!ports.includes(port)) return false
    return name.startsWith('*.')
      ? asked.endsWith(name.slice(1)) && asked.length > name.length - 1
      : asked === name
  })
}

/** The name of an entry without its port. Pure. */
export function readEntry(entry: string): { readonly name: string; readonly ports: readonly number[] } {
  const written = entry.trim().toLowerCase()
  const [, bracketed, plain, port] = /^(?:\[([0-9a-f:.]+)\]|([^:]*))(?::(\d{1,5}))?$/.exec(written) ?? []
  const name = (bracketed ?? plain ?? written).replace(/\.$/, '')
  return { name, ports: port === undefined ? USUAL_PORTS : [Number(port)] }
}
