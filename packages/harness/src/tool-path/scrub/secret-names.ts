/** What a name promises of its value. */
export type NameKind =
  /** May be anything. */
  | 'password'
  /** The same, by a word that means other things too. */
  | 'short password'
  /** Does not look like words. */
  | 'token'
  /** Plainly random, or it is none. */
  | 'vague'
  /** Vague, and telling only in a URL. */
  | 'parameter'
  /** May be made of words. */
  | 'phrase'
  /** May carry a scheme in front. */
  | 'authorization'
  /** `user:password` in base64. */
  | 'account'
  /** `user:password` in plain. */
  | 'account pair'

const WORDS = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g

/** What may follow the noun without changing what the value is. */
const TAILS = new Set(
  `value raw plain plaintext text base64 b64 string data base prod production staging stage dev development test
  testing live sandbox default main primary secondary old new current previous backup confirmation confirm again
  repeat verify local ci id`.split(/\s+/),
)

/** Words before the noun that make it something else: a page, a count, a part of a grammar, something public. */
const HARMLESS = new Set(
  `next page paging pagination continuation continue cursor sync skip starting csrf xsrf authenticity antiforgery
  public pub publishable publish max min total num count prompt completion special eos bos pad unk mask cls sep stop
  unexpected syntax lexer design idempotency primary foreign cache sort partition hash range object composite unique
  map dictionary index row record issue translation message react previous prev resume resumption change etag upload
  delta watermark scroll iterator shard checkpoint feature flag color colour existing pull forward backward input output`.split(
    /\s+/,
  ),
)

/** Words before `key` that make it a secret one. */
const KEY_OWNERS = new Set(
  `api app application access secret private priv encryption encrypt decryption decrypt signing sign auth account
  shared sharedaccess master service licence license session ssh deploy subscription storage webhook integration
  routing write ingest ingestion insert consumer hmac aes jwt cipher crypto symmetric preshared admin root client tls
  ssl functions management provisioning registration activation recovery unlock wallet appsecret bot personal user
  developer server apim`.split(/\s+/),
)

const PASSWORD = /(?:password|passwd|passphrase|passcode|passwort|kennwort|pswd|pwd|pword)$/
const SHORT_PASSWORD =
  /^(?:psk|bindpw|(?:db|user|smtp|mail|root|admin|ssh|sql|http|ftp|redis|require|mysql|pg|my|app|store|key|trust)pass)$/
const TOKEN =
  /(?:token|secret|apikey|accesskey|secretkey|privatekey|authkey|accountkey|masterkey|signingkey|encryptionkey|sharedkey|sessionkey|appkey|licensekey|presharedkey)$/
const HARMLESS_START = /^(?:next|page|sync|continuation|csrf|xsrf|public|skip|cursor|max)/
const SESSION =
  /^(?:phpsessid|jsessionid|aspsessionid\w*|sessionid|asp\.net_sessionid|connect\.sid|laravel_session|_?session_token|remember_(?:me|token|web\w*))$/
const PHRASE = /(?:passphrase|mnemonic|seed_?phrase|recovery_?phrase|backup_?phrase)$/
const ONCE_USED = /^(?:(?:device|auth|authorization)_?code|code_?verifier|client_?assertion)$/
const LOUD_KEY = /^[A-Z][A-Z0-9_]*_KEY$/
const PARAMETERS = /^(?:(?:x-(?:amz|goog|ms)-|oauth_)?sig(?:nature)?|hmac|key|code|assertion|ticket|jwt)$/

/** What a name promises, `undefined` when it names no secret. */
export function kindOfName(name: string): NameKind | undefined {
  const lowered = name.toLowerCase()
  if (SESSION.test(lowered) || lowered.endsWith('dockerconfigjson')) return 'token'
  if (lowered === 'authorization' || lowered === 'proxy-authorization') return 'authorization'
  if (lowered === 'auth' || lowered === '_auth') return 'account'
  if (PHRASE.test(lowered)) return 'phrase'
  if (ONCE_USED.test(lowered)) return 'vague'
  const words = (name.match(WORDS) ?? []).map((word) => word.toLowerCase())
  let last = words.length - 1
  while (last > 0 && isTail(words[last] ?? '')) last--
  const noun = words[last] ?? ''
  const isId = words.includes('id', last + 1)
  if (PASSWORD.test(noun) || SHORT_PASSWORD.test(noun)) return isId ? undefined : 'password'
  // `pass` alone is what tests do, and `Pw` is an end of many things.
  if (noun === 'pass') return /[_.-]pass/.test(lowered) ? 'password' : 'short password'
  if (/(?:^|[_.-])pw$/.test(lowered)) return 'password'
  if (noun === 'credentials' || noun === 'creds') return 'account pair'
  const owners = words.slice(0, last)
  // A token against forged requests is no secret in a page, but is one in a header.
  if (!lowered.startsWith('x-') && (HARMLESS_START.test(noun) || owners.some((word) => HARMLESS.has(word))))
    return undefined
  // An id beside a secret is an id, but for the secret half of an AppRole, which is called one.
  if (isId) return noun === 'secret' ? 'vague' : undefined
  if (TOKEN.test(noun)) return 'token'
  if (PARAMETERS.test(lowered)) return 'parameter'
  if (noun !== 'key') return undefined
  if (owners.slice(-2).some(ownsKey)) return 'token'
  return LOUD_KEY.test(name) ? 'vague' : undefined
}

/** Whether a word before a token makes it something else: a page, a count, a part of a grammar, something public. */
export const isHarmlessOwner = (word: string): boolean => HARMLESS.has(word)

/** Whether a word before `key` makes it a secret one. */
export const ownsKey = (word: string): boolean => KEY_OWNERS.has(word)

const isTail = (word: string): boolean => TAILS.has(word) || (/^\d+$/.test(word) && word.length <= 4)
