import { COMMANDS, createCommandFinder } from './command-flags.ts'
import { createTokenFinder } from './find-token.ts'
import { FOREIGN_LABELS } from './other-language-labels.ts'
import { findBasic, findBearer, findCookieFlag, findCookies, findJwt, findSetCookie } from './http-secrets.ts'
import type { KeywordAutomaton } from './keyword-automaton.ts'
import { createKeywordAutomaton } from './keyword-automaton.ts'
import type { KnownSecrets } from './known-secrets.ts'
import { findLabelled, LABEL_KEYWORDS } from './labelled-values.ts'
import {
  findAuthTuple,
  findAwsSecret,
  findDiscordToken,
  findDockerfileSecret,
  findJwkNumber,
  findNetrcPassword,
  findPgpass,
  findPlainSetting,
  findSecureString,
  findSqlPassword,
  findUnsealKey,
} from './odd-formats.ts'
import { findPrivateKey, findPuttyKey } from './private-keys.ts'
import type { Finder } from './site.ts'
import { Site } from './site.ts'
import type { Span } from './span.ts'
import { MARK, MARK_START, replaceSpans } from './span.ts'
import { TOKEN_FORMATS } from './token-formats.ts'
import { findEncodedUrlPassword, findOraclePassword, findUrlPassword } from './url-passwords.ts'

/** What was scrubbed before is not looked at again. */
const stepOverMark: Finder = ({ text, start }) => {
  MARK.lastIndex = start
  return MARK.test(text) ? MARK.lastIndex : 0
}

/** Each keyword and who looks around it. Where one keyword ends another, the longer is asked first. */
const FINDERS: readonly (readonly [keyword: string, find: Finder])[] = [
  [MARK_START, stepOverMark],
  ['akia', findAwsSecret],
  ['asia', findAwsSecret],
  ...TOKEN_FORMATS.flatMap((format) =>
    format.starts.split(' ').map((start) => [start, createTokenFinder(format, start)] as const),
  ),
  ...FOREIGN_LABELS,
  ...LABEL_KEYWORDS.map((keyword) => [keyword, findLabelled] as const),
  ...COMMANDS.map((command) => [`${command.name} `, createCommandFinder(command)] as const),
  ...['-----begin', '---- begin'].map((keyword) => [keyword, findPrivateKey] as const),
  ['private-lines:', findPuttyKey],
  ['://', findUrlPassword],
  [String.raw`:\/\/`, findUrlPassword],
  ['%3a%2f%2f', findEncodedUrlPassword],
  ['oracle:thin:', findOraclePassword],
  ['sqlplus ', findOraclePassword],
  ['bearer', findBearer],
  ['basic', findBasic],
  ['eyj', findJwt],
  ['cookie', findCookies],
  ...[`-b '`, `-b "`].map((flag) => [flag, findCookieFlag] as const),
  ...['path=', 'httponly', 'expires=', 'max-age=', 'domain=', 'samesite', 'secure'].map(
    (attribute) => [`; ${attribute}`, findSetCookie] as const,
  ),
  ['.', findDiscordToken],
  ...['d', 'p', 'q', 'dp', 'dq', 'qi', 'k']
    .flatMap((name) => [`"${name}"`, `"${name}\\`])
    .map((name) => [name, findJwkNumber] as const),
  ['identified', findSqlPassword],
  [':5432:', findPgpass],
  ['login ', findNetrcPassword],
  ['auth=(', findAuthTuple],
  ['unseal key', findUnsealKey],
  ['convertto-securestring', findSecureString],
  ['requirepass', findPlainSetting],
  ['masterauth', findPlainSetting],
  ...['env ', 'setenv ', 'setx '].map((keyword) => [keyword, findDockerfileSecret] as const),
]

const KEYWORDS = FINDERS.map(([keyword]) => keyword)
// Made for the first text: it would cost every start of a program.
let automaton: KeywordAutomaton | undefined

/**
 * Puts a mark in place of every secret. Pure: the same text gives the same bytes, and scrubbing again changes nothing.
 * JSON stays JSON. Never throws; linear in the length of the text.
 */
export function scrubSecrets(text: string, known?: KnownSecrets): string {
  const spans = findSecrets(text, known)
  return spans.length === 0 ? text : replaceSpans(text, spans)
}

/** Where the secrets are; the spans may overlap and come in no order. */
export function findSecrets(text: string, known?: KnownSecrets): readonly Span[] {
  const spans: Span[] = []
  known?.find(text, spans)
  let site: Site | undefined
  ;(automaton ??= createKeywordAutomaton(KEYWORDS)).walk(text, (keyword, end) => {
    site ??= new Site(text, spans)
    site.start = end - (KEYWORDS[keyword]?.length ?? 0)
    site.end = end
    return FINDERS[keyword]?.[1](site) ?? 0
  })
  return spans
}
