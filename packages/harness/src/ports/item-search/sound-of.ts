const ROMAN: Readonly<Record<string, string>> = Object.fromEntries(
  Array.from('абвгдежзийклмнопрстуфхцчшщъыьэюяіїєґ', (letter, index) => [
    letter,
    'a b v g d e zh s i i k l m n o p r s t u f h ts ch sh sh  i  e iu ia i i e g'.split(' ')[index] ?? '',
  ]),
)

/**
 * A word roughly as it sounds: letters that languages exchange for one another become the same, doubled ones single, and
 * Cyrillic is written in Latin letters. Misspelt words, and names and loanwords of another language, come close to each
 * other.
 */
export function soundOf(word: string): string {
  return word
    .replaceAll(/\p{Script=Cyrillic}/gu, (letter) => ROMAN[letter] ?? letter)
    .replaceAll('ph', 'f')
    .replaceAll('th', 't')
    .replaceAll('ck', 'k')
    .replaceAll(/[cq]/g, 'k')
    .replaceAll('y', 'i')
    .replaceAll('w', 'v')
    .replaceAll('z', 's')
    .replaceAll(/([a-z])\1/g, '$1')
}
