/** The year before the first of each era. */
const ERAS: Readonly<Record<string, number>> = { 令和: 2018, 平成: 1988, 昭和: 1925 }
const ERA_YEAR = /(令和|平成|昭和)\s*(元|\d{1,2})\s*年/gu
const DIGITS = '一二三四五六七八九'
const YEAR = /[〇零一二三四五六七八九]{4}(?=年)/gu
const NUMBER = /[一二三四五六七八九]?十?[一二三四五六七八九]?(?=[月日号])/gu

/** A folded text whose years of Japanese eras, and dates in Chinese numerals, are plain numbers. */
export function withHanDates(folded: string): string {
  if (!/[年月日号]/u.test(folded)) return folded
  return folded
    .replaceAll(
      ERA_YEAR,
      (_all, era: string, year: string) => `${(ERAS[era] ?? 0) + (year === '元' ? 1 : Number(year))}年`,
    )
    .replaceAll(YEAR, (year) => Array.from(year, (digit) => DIGITS.indexOf(digit) + 1).join(''))
    .replaceAll(NUMBER, (number) => (number === '' ? '' : String(toNumber(number))))
}

/** Up to 99. */
function toNumber(number: string): number {
  const [tens = '', ones = ''] = number.includes('十') ? number.split('十') : ['-', number]
  const ten = tens === '-' ? 0 : tens === '' ? 1 : DIGITS.indexOf(tens) + 1
  return ten * 10 + DIGITS.indexOf(ones || '-') + 1
}
