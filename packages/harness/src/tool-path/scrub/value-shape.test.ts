import { expect, it } from 'vitest'
import { isWordy, shapeOf } from './value-shape.ts'

it.each([
  'required',
  'my-secret-name',
  'nextPageToken',
  'HTTPServer',
  'userID',
  'DB_PASSWORD',
  'argon2id',
  'postgres-password',
  'release-2024',
  'application/json',
  'Schlüssel',
  'projects/123/secrets/db',
])('%j looks like words', (value) => {
  expect(isWordy(shapeOf(value))).toBe(true)
})

it.each([
  'a8f5f167f44f4964',
  'kF3CDZtK4Q',
  'xkqzvbnmrt',
  'GqSVXKdcnj',
  'Tr0ub4dor&3',
  'JBSWY3DPEHPK3PXP',
  'P@ssw0rd',
  'e3b0c442-98fc-1c14-9afb-f4c8996fb924',
  'aGVsbG8gd29ybGQ=',
  '1a2b3c4d',
])('%j looks random', (value) => {
  expect(isWordy(shapeOf(value))).toBe(false)
})

it('words are counted by capitals, parts by separators', () => {
  expect(shapeOf('HTTPServer nextPage-42x')).toMatchObject({
    length: 23,
    letters: 19,
    digits: 2,
    blanks: 1,
    parts: 3,
    words: 5,
    digitRuns: 1,
    innerDigitRuns: 0,
  })
})
