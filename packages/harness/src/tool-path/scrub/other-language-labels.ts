import { looksSecret } from './looks-secret.ts'
import { endOfValue, readValue } from './read-value.ts'
import type { NameKind } from './secret-names.ts'
import type { Finder } from './site.ts'

/** What people call a secret in other languages, in letters the names of programs do not use. */
const WORDS: Readonly<Record<'password' | 'token', string>> = {
  password: `zugangscode|contraseña|contrasena|clave|senha|palavra-passe|mot de passe|parola d'ordine|parola|
    wachtwoord|lösenord|adgangskode|passord|salasana|hasło|haslo|heslo|jelszó|şifre|sifre|mật khẩu|kata sandi|sandi|
    пароль|пароля|κωδικός|סיסמה|كلمة المرور|كلمة السر|पासवर्ड|পাসওয়ার্ড|รหัสผ่าน|密码|密碼|口令|パスワード|暗証番号|비밀번호|암호`,
  token: `токен|ключ|ключ api|api-ключ|令牌|密钥|密鑰|秘钥|トークン|シークレット|シークレットキー|apiキー|토큰|비밀키|api 키|رمز|مفتاح|
    टोकन|টোকেন|jeton|geheimnis|schlüssel|clé|clé api|clé d'api|clave de api|clave api|chave|chave de api|chiave|chiave api|geheim`,
}

const LINK =
  /[ \t\u00A0]{0,4}(?:[:：=＝]|(?:ist|lautet|est|es|è|é|adalah|это|هي|هو|—)(?=[ \t])|[은는이가](?=[ \t])|是|为|為|は|->|→)[ \t\u00A0]{0,4}/iy
/** Letters, and the end of a mark, which stands for letters. */
const LETTER = /[\p{L}\p{N}_\]]/u

/** The words and the finder for each of them. */
export const FOREIGN_LABELS: readonly (readonly [word: string, find: Finder])[] = Object.entries(
  WORDS,
).flatMap(([kind, words]) =>
  words.split('|').map((word) => [word.trim(), createFinder(kind as NameKind)] as const),
)

function createFinder(kind: NameKind): Finder {
  return (site) => {
    const { text, start, end } = site
    LINK.lastIndex = end
    if (!LINK.test(text)) return 0
    // Inside a longer word of the same script it is another word; scripts without blanks know no such thing.
    if (text.charCodeAt(start) < 0x0e_00 && LETTER.test(text.charAt(start - 1))) return 0
    const value = readValue(text, LINK.lastIndex)
    const judged = text.slice(value.start, value.end)
    if (!looksSecret(judged, kind, 'prose')) return 0
    return site.hide(value.start, endOfValue(text, value.start, value.quote))
  }
}
