/** Letters that no decomposition takes apart. */
const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  ı: 'i',
  þ: 'th',
  ى: 'ي',
  ة: 'ه',
  ی: 'ي',
  ک: 'ك',
}
const SPECIAL = new RegExp(`[${Object.keys(LETTERS).join('')}]`, 'gu')

// Accents, Hebrew points, Arabic vowel signs and the tatweel; nukta and candrabindu; joiners and marks of direction.
// The vowel signs of Indic scripts and the voicing marks of kana are letters of their own.
const SIGNS =
  /[\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06ed\u093c\u09bc\u0901\u0981\u200b-\u200f\u2060\ufeff\u00ad]/gu
const OTHER_DIGITS = /[^\P{Nd}0-9]/gu

/** A text without what people leave out or write in two ways: case, accents, vowel signs, width, kinds of digits. */
export function foldLetters(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFD')
    .replaceAll(SIGNS, '')
    .normalize('NFC')
    .replaceAll(SPECIAL, (letter) => LETTERS[letter] ?? letter)
    .replaceAll(OTHER_DIGITS, toAsciiDigit)
}

/** Digits of a script stand in a row, and each row starts at a number whose predecessor is no digit. */
function toAsciiDigit(digit: string): string {
  let value = 0
  for (let code = digit.codePointAt(0) ?? 0; value < 10 && isDigit(code - 1); code--) value++
  return String(value % 10)
}

const isDigit = (code: number): boolean => /^\p{Nd}$/u.test(String.fromCodePoint(code))
