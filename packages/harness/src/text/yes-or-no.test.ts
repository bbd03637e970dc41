import { describe, expect, it } from 'vitest'
import { readYesOrNo } from './yes-or-no.ts'

describe('a message that is only a yes or a no', () => {
  it.each([
    ['en', 'yes', 'no'],
    ['de', 'ja', 'nein'],
    ['es', 'sí', 'no'],
    ['fr', 'oui', 'non'],
    ['it', 'sì', 'no'],
    ['pt', 'sim', 'não'],
    ['ru', 'да', 'нет'],
    ['id', 'ya', 'tidak'],
    ['ja', 'はい', 'いいえ'],
    ['ko', '네', '아니요'],
    ['zh', '是', '不'],
    ['ar', 'نعم', 'لا'],
    ['hi', 'हाँ', 'नहीं'],
    ['bn', 'হ্যাঁ', 'না'],
  ])('is read in %s', (_, yes, no) => {
    expect([readYesOrNo(yes), readYesOrNo(no)]).toEqual(['yes', 'no'])
  })

  it.each(['Yes!', ' YES. ', '"ok"', '¡Sí!', 'はい。', 'D’accord', '👍', '👍🏽'])('is yes: %s', (text) => {
    expect(readYesOrNo(text)).toBe('yes')
  })

  it.each(['No.', 'nein!', '不要。', '👎', 'नहीं।'])('is no: %s', (text) => {
    expect(readYesOrNo(text)).toBe('no')
  })

  it.each(['yes, but to Bob', 'no problem', 'yes?', 'ok then send it', '👍👎', '', '  ', 'always', 'yes no'])(
    'is a message of its own: %s',
    (text) => expect(readYesOrNo(text)).toBeUndefined(),
  )
})
