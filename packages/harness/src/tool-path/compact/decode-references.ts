const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  ndash: '–',
  mdash: '—',
  hellip: '…',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
  bull: '•',
  middot: '·',
  copy: '©',
  euro: '€',
}

/** Character references as characters: every number, and the names met most. The rest stays as written. */
export function decodeReferences(text: string): string {
  if (!text.includes('&')) return text
  return text.replaceAll(
    /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,8}));/gi,
    (written, decimal, hex, name) => {
      if (typeof name === 'string') return NAMED[name] ?? written
      const code = typeof decimal === 'string' ? Number(decimal) : Number.parseInt(String(hex), 16)
      const isCharacter = code > 0 && code <= 0x10_ff_ff && (code < 0xd8_00 || code > 0xdf_ff)
      return isCharacter ? String.fromCodePoint(code) : '\uFFFD'
    },
  )
}
