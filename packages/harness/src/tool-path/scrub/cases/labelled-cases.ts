import type { ScrubCase } from './case.ts'
import { leaks } from './case.ts'

/** Secrets that only a name or a URL gives away, in settings, code and JSON. */
export const LABELLED_CASES: readonly ScrubCase[] = [
  leaks(
    'a Postgres URL',
    (s, v) => `DATABASE_URL=postgresql://app:${s(v.base62(16))}@db.acme.example:5432/app?sslmode=require`,
    ['db.acme.example:5432/app?sslmode=require'],
  ),
  leaks(
    'a URL password with raw signs',
    (s, v) => `mysql://root:${s('p@', v.base62(5), '#', v.base62(3), '/!')}@10.0.0.5/shop failed`,
    ['10.0.0.5/shop failed'],
  ),
  leaks('a Redis URL without a user', (s, v) => `redis://:${s(v.base62(20))}@cache:6379/0`, ['cache:6379/0']),
  leaks(
    'a MongoDB URL, password percent-encoded',
    (s, v) => `mongodb+srv://svc:${s(v.base62(6), '%40', v.base62(6))}@c0.mongodb.example/?retryWrites=true`,
    ['c0.mongodb.example/?retryWrites=true'],
  ),
  leaks(
    'an AMQP URL in JSON',
    (s, v) => `{"broker":"amqps://worker:${s(v.base64url(18))}@mq.acme.example/vh","ok":true}`,
    ['mq.acme.example/vh', '"ok":true'],
  ),
  leaks(
    'a proxy URL',
    (s, v) => `HTTPS_PROXY=http://bob:${s('Winter', v.digits(4))}@proxy.acme.example:3128`,
    ['proxy.acme.example:3128'],
  ),
  leaks(
    'a token for a user in a clone URL',
    (s, v) => `git clone https://x-token:${s(v.hex(40))}@git.acme.example/a/b.git`,
    ['git.acme.example/a/b.git'],
  ),
  leaks(
    'JDBC with a password parameter',
    (s, v) => `jdbc:mysql://db:3306/shop?user=shop&password=${s(v.base62(14))}&useSSL=false`,
    ['user=shop', 'useSSL=false'],
  ),
  leaks('JDBC for Oracle', (s, v) => `jdbc:oracle:thin:scott/${s('ti', v.base62(8))}@//db:1521/ORCL`, [
    'db:1521/ORCL',
    'scott',
  ]),
  leaks(
    'a storage account',
    (s, v) =>
      `DefaultEndpointsProtocol=https;AccountName=acme;AccountKey=${s(v.base64(86), '==')};EndpointSuffix=core.windows.net`,
    ['AccountName=acme', 'EndpointSuffix=core.windows.net'],
  ),
  leaks(
    'a shared access signature',
    (s, v) =>
      `https://acme.blob.core.windows.net/c/b?sv=2024-11-04&se=2026-01-01T00%3A00Z&sp=r&sig=${s(v.base62(40), '%2B', v.base62(3), '%3D')}`,
    ['sv=2024-11-04', 'sp=r'],
  ),
  leaks(
    'a service bus',
    (s, v) =>
      `Endpoint=sb://acme.servicebus.windows.net/;SharedAccessKeyName=Root;SharedAccessKey=${s(v.base64(43), '=')}`,
    ['SharedAccessKeyName=Root'],
  ),
  leaks(
    'an ODBC string with braces',
    (s, v) =>
      `Driver={ODBC Driver 18};Server=db;UID=sa;PWD={${s(v.base62(6), ';', v.base62(6))}};Encrypt=yes`,
    ['UID=sa', 'Encrypt=yes'],
  ),
  leaks(
    'a .env file',
    (s, v) =>
      `APP_ENV=local\nAPP_KEY=base64:${s(v.base64(43), '=')}\nDB_PASSWORD="${s(v.base62(9), '$', v.base62(3))}"\nREDIS_PASSWORD=null\nMAIL_PORT=2525`,
    ['APP_ENV=local', 'REDIS_PASSWORD=null', 'MAIL_PORT=2525'],
  ),
  leaks(
    'a weak password in an env line',
    (s) => `POSTGRES_PASSWORD=${s('letmein', 'please')}\nPOSTGRES_DB=app`,
    ['POSTGRES_DB=app'],
  ),
  leaks('compose YAML', (s, v) => `environment:\n  - MYSQL_ROOT_PASSWORD=${s(v.base62(12))}\n  - TZ=UTC`, [
    '- TZ=UTC',
  ]),
  leaks('a YAML field with a numeral in it', (s) => `user: admin\npassword: ${s('hunter', '2')}\nport: 22`, [
    'user: admin',
    'port: 22',
  ]),
  leaks(
    'a TOML file',
    (s, v) => `[auth]\nclient_secret = "${s(v.base64url(32))}"\nissuer = "https://id.acme.example"`,
    ['issuer = "https://id.acme.example"'],
  ),
  leaks(
    'XML of a build',
    (s, v) =>
      `<server><id>nexus</id><username>ci</username><password>${s(v.base62(10), '!x')}</password></server>`,
    ['<username>ci</username>', '</password></server>'],
  ),
  leaks(
    'a NuGet config',
    (s, v) => `<add key="Username" value="ci" /><add key="ClearTextPassword" value="${s(v.base62(18))}" />`,
    ['value="ci"'],
  ),
  leaks('a plist', (s, v) => `<key>api_token</key>\n<string>${s(v.hex(32))}</string>`, ['</string>']),
  leaks(
    'environment of a container as pairs',
    (s, v) => `{"env":[{"name":"DB_PASSWORD","value":"${s(v.base62(15))}"},{"name":"MODE","value":"prod"}]}`,
    ['{"name":"MODE","value":"prod"}'],
  ),
  leaks(
    'environment of a pod in YAML',
    (s, v) => `env:\n- name: API_SECRET\n  value: ${s(v.base62(22))}\n- name: REGION\n  value: eu-1`,
    ['- name: REGION\n  value: eu-1'],
  ),
  leaks(
    'a secret of Kubernetes',
    (s, v) =>
      `apiVersion: v1\ndata:\n  password: ${s(v.base64(22), '==')}\n  username: YWRtaW4=\nkind: Secret`,
    ['kind: Secret'],
  ),
  leaks(
    'a kubeconfig',
    (s, v) =>
      `users:\n- name: ci\n  user:\n    client-certificate-data: LS0tLS1CRUdJTg\n    client-key-data: ${s('LS0tLS1', v.base64(300))}\n    token: ${s(v.base62(44))}`,
    ['client-certificate-data: LS0tLS1CRUdJTg'],
  ),
  leaks(
    'a Docker config',
    (s, v) =>
      `{"auths":{"registry.acme.example":{"auth":"${s(Buffer.from(`ci:${v.base62(16)}`).toString('base64'))}"}}}`,
    ['registry.acme.example'],
  ),
  leaks(
    'a JSON object in a JSON string',
    (s, v) => JSON.stringify({ body: JSON.stringify({ user: 'ada', password: s(v.base62(11)), n: 1 }) }),
    [String.raw`\"user\":\"ada\"`, String.raw`\"n\":1`],
  ),
  leaks(
    'three levels of JSON',
    (s, v) => JSON.stringify(JSON.stringify(JSON.stringify({ apiKey: s(v.base62(24)), page: 2 }))),
    ['page'],
  ),
  leaks('a number as a password in JSON', (s, v) => `{"password": ${s(v.digits(9))}, "retries": 3}`, [
    '"retries": 3',
  ]),
  leaks(
    'OAuth tokens',
    (s, v) =>
      `{"access_token":"${s(v.base64url(40))}","token_type":"Bearer","expires_in":3599,"refresh_token":"${s(v.base64url(60))}","id_token_hint":null}`,
    ['"token_type":"Bearer"', '"expires_in":3599', '"id_token_hint":null'],
  ),
  leaks('an OAuth callback', (s, v) => `GET /oauth/callback?code=${s(v.base64url(44))}&state=xyz HTTP/1.1`, [
    '&state=xyz HTTP/1.1',
  ]),
  leaks(
    'a token in a fragment',
    (s, v) => `https://app.acme.example/#access_token=${s(v.base64url(50))}&expires_in=3600`,
    ['expires_in=3600'],
  ),
  leaks(
    'a token in an encoded redirect',
    (s, v) => `/login?next=%2Fcb%3Faccess_token%3D${s(v.base62(40))}%26lang%3Dde`,
    ['%26lang%3Dde'],
  ),
  leaks(
    'Go JSON with escaped signs',
    (s, v) => String.raw`{"url":"https://x.example/a?token\u003d${s(v.base62(32))}\u0026page\u003d2"}`,
    [String.raw`\u0026page\u003d2`],
  ),
]
