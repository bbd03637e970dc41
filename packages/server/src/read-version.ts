import { readFileSync } from 'node:fs'

/** Of this package, which is the product's. */
export function readVersion(): string {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8')
  return (JSON.parse(text) as { version: string }).version
}
