import { isDigit, isLower, isUpper } from './characters.ts'

/** What a value is made of, counted in one pass. Words end at digits, signs and a capital after a small letter. */
export interface Shape {
  readonly length: number
  readonly letters: number
  /** Letters beyond ASCII, which only a password may hold. */
  readonly nonAsciiLetters: number
  readonly digits: number
  /** Characters that are neither letter, digit, blank nor one of `-_.:/`. */
  readonly signs: number
  readonly blanks: number
  /** Runs of letters and digits. */
  readonly parts: number
  readonly words: number
  readonly longestWord: number
  /** Words of four letters or more without a vowel, but for acronyms. */
  readonly muteWords: number
  readonly digitRuns: number
  readonly longestDigitRun: number
  /** Digit runs with letters on both sides. */
  readonly innerDigitRuns: number
  /** Neighbouring letters within words, and how many of these pairs hardly occur in any word. */
  readonly pairs: number
  readonly oddPairs: number
  /** Runs of two capitals or more that touch small letters, and the longest of them. */
  readonly capitalRuns: number
  readonly longestCapitalRun: number
}

const BLANK = 32
const VOWEL = 1
const JOINT = 2
const MARKS = new Uint8Array(128)
for (const letter of 'aeiouyAEIOUY') MARKS[letter.charCodeAt(0)] = VOWEL
for (const sign of '-_.:/') MARKS[sign.charCodeAt(0)] = JOINT

/** For each letter those that often follow it, in English and its neighbours. */
const FOLLOWERS = `a:abcdefgiklmnprstuvwy b:abceilorsuy c:acdehiklorstuy d:abdefilorsu e:abcdefgiklmnopqrstuvwxy
  f:aefiloruy g:aeghilnorsu h:aehiortu i:abcdefgklmnoprstvxz j:aeosu k:aeilosu l:adeilostuvy m:abeimopsu
  n:acdefgiklmnopstuvy o:abcdfgiklmnoprstuvwx p:aehiloprstu q:u r:abcdefgiklmnoprstuvy s:acefhiklmnopstuy
  t:acdehilmnorstuy u:abcdegilmnprst v:aeio w:aehinors x:eipt y:aeilnps z:aei`
const LETTER_BITS = 5
const isCommonPair = new Uint8Array(2 ** (2 * LETTER_BITS))
for (const [first = '', , ...followers] of FOLLOWERS.split(/\s+/)) {
  for (const second of followers) isCommonPair[pairOf(first.charCodeAt(0), second.charCodeAt(0))] = 1
}

/** A number for two ASCII letters, whatever their case. */
function pairOf(first: number, second: number): number {
  return ((first & 31) << LETTER_BITS) | (second & 31)
}

/** Counts what `text` holds from `start` to `end`. */
export function shapeOf(text: string, start = 0, end = text.length): Shape {
  const shape = emptyShape(end - start)
  // Of the word, the digit run and the part the loop is in.
  let word = 0
  let vowels = 0
  let capitals = 0
  let wasSmall = false
  let touchesSmall = false
  let run = 0
  let partLetters = 0
  let inPart = false
  let previous = 0
  for (let at = start; at <= end; at++) {
    const code = at < end ? text.charCodeAt(at) : BLANK
    const isSmall = isLower(code) || code > 127
    const isLetter = isSmall || isUpper(code)
    // `HTTPServer` is two words: the last capital of a run begins the next.
    const splits = isLetter && word > 0 && (isSmall ? capitals > 1 : capitals === 0)
    if (word > 0 && (!isLetter || splits)) {
      const length = splits && isSmall ? word - 1 : word
      shape.words++
      if (length > shape.longestWord) shape.longestWord = length
      const isAcronym = capitals >= word && length <= 5
      if (length >= 4 && vowels === 0 && !isAcronym) shape.muteWords++
      word -= length
      vowels = 0
    }
    if (capitals > 1 && (isSmall || (!isLetter && touchesSmall))) {
      shape.capitalRuns++
      const length = isSmall ? capitals - 1 : capitals
      if (length > shape.longestCapitalRun) shape.longestCapitalRun = length
    }
    if (isLetter) {
      if (run > 0 && partLetters > 0) shape.innerDigitRuns++
      run = 0
      if (capitals === 0 && !isSmall) touchesSmall = wasSmall
      wasSmall = isSmall
      capitals = isSmall ? 0 : capitals + 1
      shape.letters++
      if (word > 0 && code < 128 && previous < 128) {
        shape.pairs++
        if (isCommonPair[pairOf(previous, code)] === 0) shape.oddPairs++
      }
      word++
      partLetters++
      if (code > 127) shape.nonAsciiLetters++
      if (code > 127 || MARKS[code] === VOWEL) vowels++
    } else if (isDigit(code)) {
      capitals = 0
      wasSmall = false
      if (run === 0) shape.digitRuns++
      run++
      shape.digits++
      if (run > shape.longestDigitRun) shape.longestDigitRun = run
    } else {
      run = 0
      capitals = 0
      wasSmall = false
      partLetters = 0
      inPart = false
      if (at === end) break
      if (code === BLANK) shape.blanks++
      else if (MARKS[code] !== JOINT) shape.signs++
      continue
    }
    previous = code
    if (!inPart) shape.parts++
    inPart = true
  }
  return shape
}

type MutableShape = { -readonly [Field in keyof Shape]: Shape[Field] }

const emptyShape = (length: number): MutableShape => ({
  length,
  letters: 0,
  nonAsciiLetters: 0,
  digits: 0,
  signs: 0,
  blanks: 0,
  parts: 0,
  words: 0,
  longestWord: 0,
  muteWords: 0,
  digitRuns: 0,
  longestDigitRun: 0,
  innerDigitRuns: 0,
  pairs: 0,
  oddPairs: 0,
  capitalRuns: 0,
  longestCapitalRun: 0,
})

/** Whether it could be words a person wrote, an identifier or a version, rather than something drawn at random. */
export function isWordy(shape: Shape): boolean {
  if (shape.longestWord > 20 || shape.muteWords > 0 || shape.signs > 0) return false
  if (shape.digitRuns > 2 || shape.longestDigitRun > 4 || shape.innerDigitRuns > 1) return false
  if (shape.oddPairs * 4 > shape.pairs + 4 || shape.capitalRuns > 1 || shape.longestCapitalRun > 4)
    return false
  return shape.words === 0 || shape.letters / shape.words >= 3
}
