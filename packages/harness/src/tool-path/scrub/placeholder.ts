import { MARK_START } from './span.ts'
import type { Shape } from './value-shape.ts'
import { isWordy } from './value-shape.ts'

/** Words that stand where a secret would, in prose, schemas, forms and settings. */
const PLAIN_WORDS = new Set(
  `null nil none undefined true false yes no on off empty unset default string str text number int integer boolean
  bool object array any unknown never void optional required missing invalid expired valid wrong incorrect correct
  rejected accepted denied allowed disabled enabled hidden masked redacted removed filtered omitted encrypted
  protected private public secret secrets password passwords passwd pass pwd pw passphrase passcode token tokens key
  keys apikey api_key auth authorization authentication credential credentials bearer basic cookie session value
  values input output prompt type name user username admin field param parameter argument arg variable env
  environment config setting settings example sample placeholder changeme change_me todo tbd n/a na see here below
  above file path stdin stdout header query body form data json yaml xml html base64 base64url utf8 utf-8 hex ascii
  plain plaintext cleartext hash hashed salt bcrypt scrypt argon2 argon2i argon2d argon2id pbkdf2 md5 sha1 sha256
  sha384 sha512 sha-256 sha-512 hmac hs256 hs384 hs512 rs256 rs384 rs512 es256 es384 es512 ps256 eddsa ed25519 aes256
  aes-256-gcm x509 pkcs8 pkcs12 jwt jws jwe oauth oauth2 oidc saml saml2 ldap mtls tls ssl https http2 self this
  identifier keyword punctuation operator literal comment whitespace eof newline client_credentials
  authorization_code refresh_token access_token id_token not-set not_set notset passed failed passwort kennwort contraseña senha
  wachtwoord lösenord parola hasło heslo пароль 密码 密碼 パスワード 비밀번호 geheim geheimnis secreto segredo segreto jeton`.split(
    /\s+/,
  ),
)

const LONGEST_PLAIN_WORD = 20
const MASK = /^[*•·.xX#_?~=-]+$/
/** Part of the value was masked by its author. */
const MASKED = /\*{3}|•{3}|\.{3}|…|x{8}|X{8}/

/** Words that mark a whole value as made up for show, when it consists of words. */
const SHOW_WORDS =
  /(?:^|[^a-z])(?:your|my|our|some|insert|enter|replace|put|paste|example|sample|dummy|placeholder|change|redacted|here|goes|todo|password|secret|token|key|pass|pwd|value|name)(?:[^a-z]|$)/i
/** The same, where even one of them in a random-looking value is telling. */
const LOUD_WORDS =
  /(?:^|[-_ .])(?:your|insert|replace|placeholder|redacted|changeme|example|xxx+)(?:[-_ .]|$)/i

const FRAME_SIGNS = '<$[{(#%:@?!E'
const FRAMES = new RegExp(
  [
    '<[^<>]*>?$', // <token>
    String.raw`\$[{(]`, // ${TOKEN}, $(cat token)
    String.raw`\$(?:[A-Za-z_]\w*|\d)$`, // $TOKEN, $1
    String.raw`\{\{`, // {{ token }}
    String.raw`[{[(][\w .-]*[\])}]?$`, // {token}, [hidden], (none)
    '[#%]\\{', // #{token}, %{token}
    String.raw`(?:%\(?[a-z_]{0,20}\)?[sdvq][^\w%]?)+$`, // %s, %(token)s, %s:%s
    String.raw`%[a-z_]\w*%$`, // %TOKEN%
    '[:@][a-z_]+$', // :password, @password
    String.raw`\?+$`,
    String.raw`ENC\[`, // encrypted by sops
    String.raw`!(?:Ref|Sub|vault|secret|env_var)\b`,
  ]
    .map((frame) => `^${frame}`)
    .join('|'),
  'i',
)

/** Whether a value only stands in for a secret: a placeholder, a mask, a plain word, or a mark of ours. */
export function isPlaceholder(value: string): boolean {
  if (value.length === 0) return true
  if (FRAME_SIGNS.includes(value.charAt(0)) && FRAMES.test(value)) return true
  if (value.length <= LONGEST_PLAIN_WORD && PLAIN_WORDS.has(value.toLowerCase())) return true
  return isFiller(value) || MASKED.test(value) || LOUD_WORDS.test(value) || value.includes(MARK_START)
}

/** Whether it consists of words and one of them names a secret: `my-secret-token`, `DB_PASSWORD`. */
export function isShowcase(value: string, shape: Shape): boolean {
  return isWordy(shape) && SHOW_WORDS.test(value.replaceAll(/([a-z])([A-Z])/g, '$1 $2'))
}

/** Whether hardly any character differs: `xxxx-xxxx`, `********`, `0000`, `.....`. */
export function isFiller(value: string): boolean {
  const length = Math.min(value.length, 64)
  let distinct = ''
  for (let at = 0; at < length; at++) {
    const letter = value.charAt(at)
    if (distinct.includes(letter)) continue
    if (distinct.length === 4) return false
    distinct += letter
  }
  return distinct.length <= length / 4 || MASK.test(value)
}
