import type { ScrubCase } from './case.ts'
import { begin, end, harmless } from './case.ts'

/** Texts that look like secrets and are none. */
export const LOOK_ALIKE_CASES: readonly ScrubCase[] = [
  harmless(
    'git hashes',
    (v) =>
      `commit ${v.hex(40)}\nMerge: ${v.hex(7)} ${v.hex(7)}\n\n    fix(auth): token refresh\n\n    Signed-off-by: A <a@b.example>`,
  ),
  harmless(
    'a checksum list',
    (v) => `${v.hex(64)}  app.tar.gz\n${v.hex(32)} *app.zip\nSHA256 (x.iso) = ${v.hex(64)}`,
  ),
  harmless(
    'a lock file',
    (v) =>
      `"node_modules/js-tokens": {\n  "version": "4.0.0",\n  "resolved": "https://registry.example/js-tokens/-/js-tokens-4.0.0.tgz",\n  "integrity": "sha512-${v.base64(86)}=="\n}`,
  ),
  harmless(
    'a yarn lock',
    (v) =>
      `js-tokens@^4.0.0:\n  version "4.0.0"\n  resolved "https://registry.example/js-tokens/-/js-tokens-4.0.0.tgz#${v.hex(40)}"`,
  ),
  harmless(
    'go.sum',
    (v) =>
      `github.com/x/secret v1.2.0 h1:${v.base64(43)}=\ngithub.com/x/secret v1.2.0/go.mod h1:${v.base64(43)}=`,
  ),
  harmless(
    'ids',
    (v) =>
      `{"user_id":"${v.uuid()}","page_id":"${v.hex(32)}","customer":"cus_${v.base62(14)}","key_id":"${v.base62(20)}"}`,
  ),
  harmless(
    'cursors',
    (v) =>
      `{"nextPageToken":"${v.base64url(40)}","next_cursor":"eyJ${v.base62(30)}","continuation_token":"${v.base64(40)}","nextSyncToken":"${v.base64(24)}=="}`,
  ),
  harmless(
    'a page token in a query',
    (v) => `GET /v1/files?pageSize=10&pageToken=${v.base64url(44)}&fields=id 200`,
  ),
  harmless('a data URI', (v) => `<img src="data:image/png;base64,${v.base64(400)}==">`),
  harmless(
    'a certificate',
    (v) => `${begin('CERTIFICATE')}\n${v.lines(4).join('\n')}\n${end('CERTIFICATE')}`,
  ),
  harmless('a public key', (v) => `${begin('PUBLIC KEY')}\n${v.lines(2).join('\n')}\n${end('PUBLIC KEY')}`),
  harmless(
    'ssh public keys',
    (v) => `ssh-rsa AAAAB3NzaC1yc2E${v.base64(300)} bob@laptop\nSHA256:${v.base64(43)} bob@laptop (RSA)`,
  ),
  harmless(
    'a word about keys',
    `The file must start with ${begin('PRIVATE KEY')} and end with ${end('PRIVATE KEY')}.`,
  ),
  harmless(
    'usage of a model',
    '{"usage":{"prompt_tokens":1200,"completion_tokens":34,"total_tokens":1234},"max_tokens":4096,"token_count":77}',
  ),
  harmless(
    'prose on tokens',
    'The token is expired. Tokens are rotated every 24h; the secret to success is a good password policy.',
  ),
  harmless(
    'validation messages',
    '{"password":"is required","token":"must be a string","secret":"Please enter your secret"}',
  ),
  harmless('a form error', 'password: required\ntoken: invalid\napi_key: missing\nsecret: (not set)'),
  harmless(
    'placeholders',
    'API_KEY=<your-api-key>\nTOKEN=xxxxxxxxxxxx\nSECRET=${SECRET}\nPASSWORD=changeme\nKEY=$KEY\nAPI_TOKEN=your_token_here',
  ),
  harmless(
    'masked values',
    'password=******** token: **** secret="•••••••" key=sk-...abcd api_key: [REDACTED]',
  ),
  harmless(
    'code that reads secrets',
    'const apiKey = process.env.API_KEY ?? \'\'\nconst token = await getToken(user2)\nlet password = req.body.password\nsecret := os.Getenv("SECRET")',
  ),
  harmless(
    'Python that reads secrets',
    "password = os.environ['DB_PASSWORD']\ntoken=self.token\napi_key=settings.API_KEY\nsecret = get_secret('db1')",
  ),
  harmless(
    'types',
    'interface Login { password: string; token?: string; apiKey: string | undefined; secretRef: SecretRef2 }',
  ),
  harmless(
    'workflow secrets',
    'env:\n  GITHUB_TOKEN: ${{ secrets.GITHUB_TOKEN }}\n  NPM_TOKEN: ${{ secrets.NPM_TOKEN }}',
  ),
  harmless(
    'references to secrets',
    'valueFrom:\n  secretKeyRef:\n    name: db-credentials\n    key: password\nsecretName: tls-cert-2024',
  ),
  harmless(
    'a vault path',
    'secret: projects/123/secrets/db-password/versions/2\npassword: op://vault/item/field\ntoken: arn:aws:secretsmanager:eu-west-1:123456789012:secret:prod/db-a1b2c3',
  ),
  harmless(
    'an auth header in docs',
    'Authorization: Bearer <token>\nAuthorization: Bearer $TOKEN\nAuthorization: Bearer YOUR_API_KEY\nAuthorization: Basic <credentials>',
  ),
  harmless(
    'a challenge',
    'WWW-Authenticate: Bearer realm="api", error="invalid_token", error_description="The access token expired"',
  ),
  harmless(
    'docs URL',
    'postgres://user:password@localhost:5432/mydb or amqp://guest:guest@localhost or https://user:pass@example.com',
  ),
  harmless(
    'URLs without a password',
    'ssh://git@github.com:22/a/b.git https://host:8080/@scope/pkg http://a.example:80/x@y git@github.com:a/b.git https://medium.com/@bob/post-1',
  ),
  harmless(
    'words with sk-',
    'task-management-dashboard-v2 risk-assessment-2024-final desk-booking-service-01 ask-me-anything-sessions',
  ),
  harmless(
    'names that begin like tokens',
    'npm_config_registry npm_package_version hf_hub_download hf_transformers glc_context pat_pending key-value-store-2024',
  ),
  harmless('publishable keys', (v) => `pk_live_${v.base62(24)} pk_test_${v.base62(24)}`),
  harmless(
    'minified code',
    'function(e,t,n){"use strict";var r=n(1),o=e.token,i={key:1,password:o};t.a=r.b?o.secret:i.key,n.d(t,"apiKey",(function(){return o}))}',
  ),
  harmless(
    'a lexer',
    'SyntaxError: Unexpected token \'<\', "<!DOCTYPE "... is not valid JSON\ntoken: identifier\nUnexpected token: punc (})',
  ),
  harmless(
    'a tokenizer config',
    '{"bos_token":"<s>","eos_token":"</s>","pad_token":"<|endoftext|>","tokenizer_class":"LlamaTokenizer2","unk_token":"[UNK]"}',
  ),
  harmless(
    'table schema',
    'PRIMARY KEY (id), FOREIGN KEY (user_id) REFERENCES users(id), KEY idx_token_hash (token_hash), UNIQUE KEY api_key_unique',
  ),
  harmless(
    'key names',
    (v) =>
      `cache_key=user:42:${v.hex(8)} sort_key=ORDER#2024-01-01 partition_key=tenant-${v.hex(8)} idempotency_key=${v.uuid()}`,
  ),
  harmless(
    'issue keys',
    '{"key":"PROJ-1234","fields":{"summary":"Password reset broken"},"self":"https://acme.atlassian.net/rest/api/2/issue/10001"}',
  ),
  harmless(
    'request ids',
    (v) =>
      `x-request-id: ${v.uuid()}\nx-amz-request-id: ${v.upper(16)}\ncf-ray: ${v.hex(16)}-FRA\ntraceparent: 00-${v.hex(32)}-${v.hex(16)}-01`,
  ),
  harmless(
    'etag and cookies of no weight',
    (v) =>
      `ETag: W/"${v.hex(32)}"\nCookie: theme=dark; lang=en-US; consent=accepted\nSet-Cookie: tz=Europe%2FBerlin; Path=/; Max-Age=3600`,
  ),
  harmless(
    'docker digests',
    (v) => `Digest: sha256:${v.hex(64)}\nimage: ghcr.io/acme/token-service@sha256:${v.hex(64)}`,
  ),
  harmless(
    'pods',
    (v) =>
      `pod/auth-token-service-${v.hex(10)}-${v.hex(5)} 1/1 Running 0 12d\nsecret/db-credentials Opaque 2 34d`,
  ),
  harmless(
    'AWS names',
    'arn:aws:iam::123456789012:role/secret-reader ami-0abcd1234ef567890 i-0123456789abcdef0 vpc-0a1b2c3d',
  ),
  harmless(
    'Google client id',
    (v) => `client_id=${v.digits(12)}-${v.base62(32).toLowerCase()}.apps.googleusercontent.com`,
  ),
  harmless(
    'times and numbers',
    'token_expires_at: 2026-02-03T04:01:29Z\npassword_changed: 1767225600\nsession: 42\n+49 170 1234567 / 4111 1111 1111 1111',
  ),
  harmless(
    'password rules',
    'password_min_length=12\npassword_policy: strong\npassword_reset_url=https://acme.example/reset\npasswordless: true\nPasswords: 1200 checked',
  ),
  harmless(
    'help text',
    '  --password string       Password for the registry\n  --password-stdin        Read it from stdin\n  --token TOKEN           token to use\n  -p, --publish list      Publish ports',
  ),
  harmless(
    'mkdir and friends',
    'mkdir -p src/auth && cp -p a b && sort -u names && docker run -u 1000:1000 -p 8080:80 app',
  ),
  harmless(
    'CSS and HTML',
    '<label for="password">Password</label><input type="password" name="password" placeholder="Enter password2"><style>.token.keyword{color:#07a}</style>',
  ),
  harmless(
    'a csrf field',
    (v) => `<input type="hidden" name="csrf_token" value="${v.base62(40)}">{"csrfToken":"${v.base62(40)}"}`,
  ),
  harmless(
    'a JWT header alone',
    'A JWT starts with eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9... and has three parts separated by dots.',
  ),
  harmless('wallets and addresses', (v) => `0x${v.hex(40)} bc1q${v.hex(38)} tx ${v.hex(64)}`),
  harmless(
    'a CSP nonce and SRI',
    (v) =>
      `script-src 'nonce-${v.base64(22)}=='; <script integrity="sha384-${v.base64(64)}" crossorigin="anonymous">`,
  ),
  harmless('a source map', (v) => `//# sourceMappingURL=data:application/json;base64,${v.base64(300)}`),
  harmless('Chinese prose', '密码必须至少 8 位。令牌已过期，请重新登录。密码：必填'),
  harmless(
    'German prose',
    'Das Passwort ist abgelaufen. Passwort: erforderlich. Der Schlüssel liegt unter der Matte.',
  ),
  harmless('Russian prose', 'Пароль: обязателен. Токен истёк, войдите снова.'),
  harmless(
    'a grant',
    'grant_type=client_credentials&scope=read&token_type_hint=access_token&response_type=code',
  ),
  harmless(
    'an error code',
    '{"code":"ERR_MODULE_NOT_FOUND","message":"invalid_token"} code=ECONNREFUSED exit code: 137 code=404&state=ok',
  ),
  harmless(
    'a discovery document',
    '{"token_endpoint":"https://id.acme.example/oauth/token","authorization_endpoint":"https://id.acme.example/auth2","jwks_uri":"https://id.acme.example/jwks"}',
  ),
  harmless(
    'a JWKS',
    (v) => `{"keys":[{"kty":"RSA","kid":"${v.hex(40)}","use":"sig","n":"${v.base64url(342)}","e":"AQAB"}]}`,
  ),
  harmless(
    'git trailers',
    (v) =>
      `Co-authored-by: Token Bot <bot@acme.example>\nChange-Id: I${v.hex(40)}\nReviewed-on: https://review.acme.example/c/auth/+/1234`,
  ),
  harmless('a diff', '-  token: "v1",\n+  token: "v2",\n@@ -1,7 +1,7 @@ password_field = "pwd"'),
  harmless(
    'a UI file',
    '{"login.password":"Passwort","login.forgot":"Passwort vergessen?","token.copy":"Token kopieren","secret":"Geheim"}',
  ),
  harmless(
    'algorithms',
    'password hash: argon2id; token: HS256; secret: base64-encoded; signature=sha256 key=ed25519',
  ),
  harmless(
    'Slack and Stripe ids',
    (v) =>
      `channel C0${v.upper(9)} user U0${v.upper(9)} ts 1706000000.123456 evt_${v.base62(24)} price_${v.base62(24)} prod_${v.base62(14)}`,
  ),
  harmless(
    'a Notion page',
    (v) => `https://www.notion.so/acme/Secret-Santa-2024-${v.hex(32)}?v=${v.hex(32)}&pvs=4`,
  ),
  harmless(
    'a phrase with basic',
    'Basic authentication is disabled; Basic usage: run it. bearer tokens expire; Bearer authentication required',
  ),
  harmless(
    'our own marks',
    'password=[secret] Authorization: Bearer [secret] postgres://app:[secret]@db/x [secret:github-token] "token":"[secret]"',
  ),
  harmless(
    'a user agent',
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36',
  ),
  harmless(
    'a Windows path and a registry key',
    String.raw`C:\Users\bob\secrets\token.txt HKEY_LOCAL_MACHINE\SOFTWARE\Acme\Key=Value1`,
  ),
  harmless(
    'an empty setting',
    'DB_PASSWORD=\nAPI_TOKEN=""\nSECRET_KEY=\'\'\nAUTH_TOKEN=null\nSMTP_PASSWORD=none',
  ),
  harmless('a base64 mail part', (v) => `Content-Transfer-Encoding: base64\n\n${v.lines(5).join('\n')}\n`),
]
