/** A text as somebody reads it at a glance, in plain letters, and where each of its characters came from. */
export interface FoldedText {
  readonly text: string
  /** The place of the character at `index` in the original: where it starts and where it ends. */
  placeOf(index: number): readonly [start: number, end: number]
}

/** Letters of other scripts that look like those of our marks. Accents and other widths are not listed: they decompose. */
const LOOK_ALIKES: Readonly<Record<string, string>> = {
  a: 'аαɑᴀ⍺ꭺᎪꓮⱭ',
  b: 'вьβʙᏴꓐ',
  c: 'сϲᴄⲥᏟꓚ¢',
  d: 'ԁᴅɖᎠꓓꓒđ',
  e: 'еєҽεɛᴇ℮ᎬꓰΕ',
  f: 'ϝꞙƒꜰꓝ',
  g: 'ɡցɢԍᏀꓖ',
  h: 'һհʜнηᎻꓧΗ',
  i: 'іιıɩɪᎥꓲ',
  k: 'кκᴋⲕĸᏦꓗ',
  l: 'ӏʟłƖᏞꓡǀ∣',
  m: 'мᴍⅿᎷꓟΜ',
  n: 'ոռɴпꓠΝ',
  o: 'оοσօᴏөøꓳ০੦૦௦๐໐',
  p: 'рρᴘþⲣᏢꓑ',
  r: 'гᴦʀɾⲅᎡꓣ',
  s: 'ѕꜱʂƽᏚꓢՏ',
  t: 'тτᴛŧᎢꓔ',
  u: 'υսᴜʋꓴ',
  v: 'νѵᴠᏙꓦ',
  w: 'ѡԝաᴡωɯшᎳꓪ',
  y: 'уγүʏყᎩꓬΥ',
  ' ': '\u2800',
  '<': '‹❮˂ᐸ❬⟨〈《«',
  '[': '❲〔【⟦',
  ']': '❳〕】⟧',
  '/': '⁄∕╱⟋',
  '|': '│┃❘',
  ':': '∶꞉։׃',
  _: 'ˍ',
  '-': '‐–—−⁃',
}

const PLAIN = new Map(
  Object.entries(LOOK_ALIKES).flatMap(([letter, others]) =>
    Array.from(others).flatMap((other) => [other, other.toLowerCase()].map((one) => [one, letter] as const)),
  ),
)
/** What nobody sees: it may stand between two letters of a mark. */
const UNSEEN = /[\p{M}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu
/** Letters in boxes: negative circled, negative squared, and those of flags. */
const BOXED = [0x1_f1_50, 0x1_f1_70, 0x1_f1_e6]

function foldCharacter(character: string): string {
  const code = character.codePointAt(0)!
  const box = BOXED.find((first) => code >= first && code < first + 26)
  if (box !== undefined) return String.fromCharCode(97 + code - box)
  return Array.from(character.normalize('NFKD').replaceAll(UNSEEN, ''))
    .map((one) => PLAIN.get(one) ?? PLAIN.get(one.toLowerCase()) ?? one)
    .join('')
}

/** By code point. A list, because it is asked for every character. */
const known: (string | undefined)[] = []

/** Some characters stand for a whole phrase. None of our marks begins inside one. */
const MAX_UNITS = 2

function plainOf(code: number): string {
  let plain = known[code]
  if (plain === undefined) {
    plain = foldCharacter(String.fromCodePoint(code)).slice(0, MAX_UNITS)
    known[code] = plain
  }
  return plain
}

/** Folds a text: without what is invisible, look-alike letters as the plain ones. Linear in its length. Pure. */
export function foldText(text: string): FoldedText {
  const units = new Uint16Array(text.length * MAX_UNITS)
  const starts = new Uint32Array(units.length)
  let length = 0
  for (let at = 0; at < text.length; at++) {
    const start = at
    let code = text.charCodeAt(at)
    if (code < 128) {
      starts[length] = start
      units[length++] = code
      continue
    }
    if (code >= 0xd8_00 && code < 0xdc_00) {
      code = text.codePointAt(at)!
      if (code > 0xff_ff) at++
    }
    const plain = plainOf(code)
    for (let index = 0; index < plain.length; index++) {
      starts[length] = start
      units[length++] = plain.charCodeAt(index)
    }
  }
  return {
    text: Buffer.from(units.buffer, 0, length * 2).toString('utf16le'),
    placeOf(index) {
      const start = starts[index]!
      return [start, start + (text.codePointAt(start)! > 0xff_ff ? 2 : 1)]
    },
  }
}
