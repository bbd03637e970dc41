import { isPlaceholder, isShowcase } from './placeholder.ts'
import type { NameKind } from './secret-names.ts'
import type { Shape } from './value-shape.ts'
import { isWordy, shapeOf } from './value-shape.ts'

/**
 * How a value is tied to its name: as `NAME=value` or `&name=value`, as `name=value`, in quotes, with a blank, in a
 * sentence.
 */
export type Tie = 'field' | 'tight' | 'quoted' | 'loose' | 'prose'

/** A call, an index, a regular expression, an operator: what stands right of `=` in a program. */
const CODE =
  /^[!(]?[A-Za-z_$][\w$]*(?:(?:\?\.|\.#?|::|->)[A-Za-z_$][\w$]*)*(?:\?\.)?[([{]|^[!(](?:this|[a-z]\w*)\.|^\(\{|^\[\w|^\/[\^([]|=>|\$\{|===|\/\*|\?\./
const MEMBER = /^[A-Za-z_$]{1,24}(?:\.#?[A-Za-z_$]{1,24})+(?:$|[,;?)!|&=<>}])/
const PATH_OF_NAMES =
  /^(?:this|self|process|env|config|settings|options|opts|params|props|args|ctx|req|request|res|state|data|user|os|import|module|secrets|vars|var|local|each)(?:\.#?[A-Za-z_$][\w$]*)+$/
const LIST_OF_NAMES = /^[A-Za-z_$][\w$]*(?:,[A-Za-z_$][\w$]*)+$/
const IDENTIFIER = /^[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*$/
const REFERENCE =
  /^(?:[a-z][a-z0-9+.-]{1,20}:\/\/|\/\/|0x[0-9a-f]{1,8}$|arn:|urn:|projects\/|secret\/|vault:|ssm:|env:|file:|data:|sha(?:1|256|512)[:-]|@|~\/)/i
const PATH = /^\.{0,2}\/(?:[\w.@-]+\/)*[\w.@-]*$/
/** The source of a regular expression, which describes a secret and is none. */
const PATTERN = /\[\^?\\?\w-\w|\(\?[:P<]|\\[wdsWDS]/
const DATE = /^\d{4}-\d\d-\d\d(?:[T ]|$)/
const EMAIL = /^[^@\s]{1,64}@[\w-]+(?:\.[\w-]+)+$/
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Whether a value under a telling name is a secret, rather than a word, a reference, a piece of code. */
export function looksSecret(value: string, kind: NameKind, tie: Tie): boolean {
  if (kind === 'account') return isAccount(value)
  const shape = shapeOf(value)
  if (!hasSecretShape(value, shape, kind, tie) || isPlaceholder(value)) return false
  if (REFERENCE.test(value) || DATE.test(value) || PATTERN.test(value)) return false
  if (PATH.test(value) && isWordy(shape)) return false
  return tie === 'quoted' || !isCode(value, shape)
}

function hasSecretShape(value: string, shape: Shape, kind: Exclude<NameKind, 'account'>, tie: Tie): boolean {
  switch (kind) {
    case 'password':
      return isPassword(value, shape, tie)
    case 'short password':
      return shape.blanks === 0 && isPassword(value, shape, 'loose')
    case 'phrase':
      return isPhrase(shape) || isPassword(value, shape, tie)
    case 'token':
      return isToken(value, shape, tie)
    case 'vague':
    case 'parameter':
    case 'account pair':
      return isRandom(shape, 16)
    case 'authorization':
      return shape.length >= 8 && shape.blanks === 0 && !isWordy(shape) && !/^[a-z]\w*=$/i.test(value)
  }
}

/** Whether it is plainly drawn at random: long, of letters and digits, nothing like words. */
export function isRandom(shape: Shape, minLength: number): boolean {
  if (shape.length < minLength || shape.blanks > 0 || shape.nonAsciiLetters > 0) return false
  return (shape.digits > 0 || shape.length >= 20) && shape.letters > 0 && !isWordy(shape)
}

/** Whether it is base64 of `user:password`, as basic authentication sends it. */
export function isAccount(value: string): boolean {
  if (value.length < 8 || !/^[A-Za-z0-9+/_-]+={0,2}$/.test(value)) return false
  return /^[\u0020-\u007E]{0,128}:[\u0020-\u007E]{1,256}$/.test(
    Buffer.from(value, 'base64').toString('latin1'),
  )
}

function isPassword(value: string, shape: Shape, tie: Tie): boolean {
  // Capitals in the middle of small letters are rare in short words, and make passwords.
  const isOddlyCased = shape.longestCapitalRun >= 3 && shape.words >= 3 && shape.length <= 16
  const wordy = isWordy(shape) && !isOddlyCased
  if (shape.blanks > 1 || (shape.blanks === 1 && wordy)) return false
  if (tie === 'loose' || tie === 'prose') {
    if (shape.length < 6 || (wordy && (shape.parts > 1 || shape.digits === 0))) return false
    if (shape.letters === 0 && (shape.digits < 6 || shape.parts > 1)) return false
  } else {
    // A bare name of several words is a variable of the program.
    const isVariable =
      tie === 'tight' && wordy && shape.digits === 0 && shape.words > 1 && /^[a-z_]/.test(value)
    if (shape.length < 4 || isVariable) return false
  }
  return !isShowcase(value, shape) && !EMAIL.test(value)
}

function isToken(value: string, shape: Shape, tie: Tie): boolean {
  if (shape.length < 8 || shape.blanks > 0 || shape.nonAsciiLetters > 0) return false
  if (shape.letters === 0) return shape.digits >= 16 && shape.parts === 1
  const isOpen = tie === 'loose' || tie === 'prose'
  if (!isWordy(shape)) return !isOpen || shape.digits > 0 || shape.length >= 16
  if (shape.length === 36 && UUID.test(value)) return true
  const isShort = isOpen || shape.digits === 0 || shape.parts > 1
  return !isShort && !isShowcase(value, shape)
}

/** Twelve words or more, as wallets write their keys. */
function isPhrase(shape: Shape): boolean {
  return shape.words >= 12 && shape.blanks >= 11 && shape.digits === 0 && shape.signs === 0
}

function isCode(value: string, shape: Shape): boolean {
  if (CODE.test(value) || PATH_OF_NAMES.test(value)) return true
  if (LIST_OF_NAMES.test(value)) return value.split(',').every((name) => isWordy(shapeOf(name)))
  return value.includes('.') && (MEMBER.test(value) || (isWordy(shape) && IDENTIFIER.test(value)))
}
