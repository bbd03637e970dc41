import type { ScrubCase } from './case.ts'
import { leaks } from './case.ts'

/** Secrets given away by a header, a command, or the words of a person. */
export const SPELLED_OUT_CASES: readonly ScrubCase[] = [
  leaks(
    'a bearer header in JSON',
    (s, v) => `{"headers":{"Authorization":"Bearer ${s(v.base64url(30))}","Accept":"*/*"}}`,
    ['"Accept":"*/*"', '"Authorization":"Bearer '],
  ),
  leaks(
    'a basic header',
    (s, v) =>
      `> Authorization: Basic ${s(Buffer.from(`bob:${v.base62(12)}`).toString('base64'))}\n> Host: acme.example`,
    ['> Host: acme.example'],
  ),
  leaks('an API key header', (s, v) => `-H 'X-Api-Key: ${s(v.base62(32))}' -H 'Accept: application/json'`, [
    'Accept: application/json',
  ]),
  leaks('a header set by code', (s, v) => `req.headers["x-auth-token"] = "${s(v.hex(40))}";`, [
    'req.headers[',
  ]),
  leaks('a header passed to a function', (s, v) => `.header("X-Api-Key", "${s(v.base62(26))}").send()`, [
    '.send()',
  ]),
  leaks(
    'curl with a user',
    (s, v) => `curl -sS -u admin:${s(v.base62(10))} https://nexus.acme.example/repo`,
    ['https://nexus.acme.example/repo', 'admin'],
  ),
  leaks('MySQL on a command line', (s, v) => `mysql -h db -uroot -p${s(v.base62(12))} shop < dump.sql`, [
    '-uroot',
    'shop < dump.sql',
  ]),
  leaks('sshpass', (s, v) => `sshpass -p '${s(v.base62(6), ' ', v.base62(4))}' ssh deploy@10.1.1.1 uptime`, [
    'ssh deploy@10.1.1.1 uptime',
  ]),
  leaks('docker login with -p', (s, v) => `docker login -u ci -p ${s(v.base62(20))} registry.acme.example`, [
    'registry.acme.example',
  ]),
  leaks('redis-cli -a', (s, v) => `redis-cli -h cache -a ${s(v.base62(16))} ping`, ['ping']),
  leaks('a long flag', (s, v) => `psql-migrate --db-password ${s(v.base62(14))} --dry-run`, ['--dry-run']),
  leaks('a flag with an equals sign', (s, v) => `vault login --token=${s(v.base62(26))} --method=token`, [
    '--method=token',
  ]),
  leaks('openssl pass phrase', (s, v) => `openssl rsa -in a.pem -passin pass:${s(v.base62(9))} -out b.pem`, [
    '-out b.pem',
  ]),
  leaks(
    'cookies of a request',
    (s, v) =>
      `Cookie: theme=dark; sessionid=${s(v.base62(32))}; csrftoken=${s(v.base62(32))}\nHost: acme.example`,
    ['theme=dark', 'Host: acme.example'],
  ),
  leaks(
    'a set-cookie line',
    (s, v) => `set-cookie: connect.sid=s%3A${s(v.base64url(32))}; Path=/; HttpOnly; SameSite=Lax`,
    ['Path=/; HttpOnly; SameSite=Lax'],
  ),
  leaks(
    'cookies in an array',
    (s, v) =>
      `"set-cookie": [\n  "lang=de; Path=/",\n  "__Host-auth=${s(v.base64url(48))}; Path=/; Secure"\n]`,
    ['lang=de; Path=/', '; Path=/; Secure"'],
  ),
  leaks('a netrc line', (s, v) => `machine api.acme.example login bob password ${s(v.base62(13))}`, [
    'machine api.acme.example login bob',
  ]),
  leaks(
    'SQL that makes a user',
    (s, v) => `CREATE USER 'app'@'%' IDENTIFIED BY '${s(v.base62(11))}'; GRANT ALL`,
    ['GRANT ALL'],
  ),
  leaks(
    'SQL of Postgres',
    (s, v) => `ALTER ROLE app WITH LOGIN PASSWORD '${s(v.base62(17))}' VALID UNTIL 'infinity'`,
    ["VALID UNTIL 'infinity'"],
  ),
  leaks('a pgpass line', (s, v) => `db.acme.example:5432:shop:app:${s(v.base62(15))}`, [
    'db.acme.example:5432:shop:app',
  ]),
  leaks('a password in prose', (s, v) => `Hi Ada, the password is ${s(v.base62(10))}. Change it soon.`, [
    'Hi Ada',
    'Change it soon.',
  ]),
  leaks(
    'a password in German',
    (s) => `Zugang: Benutzer leo, Passwort: ${s('Som', 'mer2024!')} bitte ändern`,
    ['Benutzer leo', 'bitte ändern'],
  ),
  leaks('a password in Spanish', (s, v) => `Usuario: ana / Contraseña: ${s(v.base62(11))}`, ['Usuario: ana']),
  leaks('a password in French', (s, v) => `Mot de passe : ${s(v.base62(9), '#4')}\nMerci`, ['Merci']),
  leaks('a password in Russian', (s, v) => `Логин: ivan, пароль: ${s(v.base62(12))}. Спасибо`, [
    'Логин: ivan',
    'Спасибо',
  ]),
  leaks('a password in Japanese', (s, v) => `パスワードは「${s(v.base62(12))}」です。`, ['です。']),
  leaks('a password in Korean', (s, v) => `비밀번호: ${s(v.base62(12))} 입니다`, ['입니다']),
  leaks('a password in Arabic', (s, v) => `كلمة المرور: ${s(v.base62(12))}`, ['كلمة المرور']),
  leaks('a key in Chinese', (s, v) => `API密钥：${s(v.base62(32))}，请妥善保管`, ['请妥善保管']),
  leaks('an API key in a sentence', (s, v) => `Your API key: ${s(v.base62(32))} (keep it safe)`, [
    '(keep it safe)',
  ]),
  leaks('a table', (s, v) => `| name | value |\n| api_token | ${s(v.base62(30))} |\n| region | eu |`, [
    '| region | eu |',
  ]),
  leaks(
    'Rust debug output',
    (s, v) => `Config { user: "a", password: Some("${s(v.base62(14))}"), port: 1 }`,
    ['port: 1 }', 'user: "a"'],
  ),
  leaks('a Python repr', (s, v) => `{'user': 'a', 'secret_key': b'${s(v.hex(48))}', 'debug': True}`, [
    "'debug': True",
  ]),
  leaks('a form body', (s, v) => `username=ada&password=${s(v.base62(8), '%21')}&grant_type=password`, [
    'username=ada',
    '&grant_type=password',
  ]),
  leaks(
    'a new password twice',
    (s, v) => {
      const p = s(v.base62(12))
      return `{"password":"${p}","password_confirmation":"${p}","locale":"en"}`
    },
    ['"locale":"en"'],
  ),
  leaks('a PowerShell assignment', (s, v) => `$env:AZURE_CLIENT_SECRET = "${s(v.base62(34))}"; az login`, [
    'az login',
  ]),
  leaks('a PHP constant', (s, v) => `define('DB_PASSWORD', '${s(v.base62(16))}');`, ["define('DB_PASSWORD'"]),
  leaks(
    'a one-time secret in its URL',
    (s, v) => `otpauth://totp/Acme:bob?secret=${s(v.upper(32))}&issuer=Acme`,
    ['issuer=Acme'],
  ),
  leaks(
    'a JSON web key',
    (s, v) => `{"kty":"EC","crv":"P-256","x":"${v.base64url(43)}","d":"${s(v.base64url(43))}"}`,
    ['"crv":"P-256"'],
  ),
  leaks(
    'a WireGuard file',
    (s, v) => `[Interface]\nPrivateKey = ${s(v.base64(43), '=')}\nAddress = 10.0.0.2/32`,
    ['Address = 10.0.0.2/32'],
  ),
  leaks(
    'a seed phrase',
    (s) =>
      `mnemonic: ${s('ozone drill grab fiber curtain grace ', 'pudding thank cruise elder eight picnic')}`,
    ['mnemonic'],
  ),
  leaks('a UUID under a token name', (s, v) => `SNYK_TOKEN=${s(v.uuid())}\nSNYK_ORG=acme`, ['SNYK_ORG=acme']),
  leaks(
    'a Datadog pair',
    (s, v) => `DD-API-KEY: ${s(v.hex(32))}\nDD-APPLICATION-KEY: ${s(v.hex(40))}\nhost: a`,
    ['host: a'],
  ),
  leaks(
    'an app key under a name of its own',
    (s, v) => `ACME_SIGNING_KEY=${s(v.base62(40))}\nSTRIPE_KEY=${s(v.base62(30))}`,
    ['ACME_SIGNING_KEY=', 'STRIPE_KEY='],
  ),
]
