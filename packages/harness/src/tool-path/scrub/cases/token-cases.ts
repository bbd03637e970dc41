import type { ScrubCase } from './case.ts'
import { begin, end, leaks } from './case.ts'

/** Secrets that a prefix or a frame gives away, wherever they stand. */
export const TOKEN_CASES: readonly ScrubCase[] = [
  leaks(
    'an OpenAI project key in an error',
    (s, v) => `401 Incorrect API key provided: ${s('sk-', 'proj-', v.base64url(48))}. You can find yours`,
    ['401 Incorrect', 'You can find yours'],
  ),
  leaks(
    'an old OpenAI key in a command',
    (s, v) =>
      `curl https://api.openai.com/v1/models -H "Authorization: Bearer ${s('sk', '-', v.base62(48))}"`,
    ['https://api.openai.com/v1/models'],
  ),
  leaks(
    'an Anthropic key in Python',
    (s, v) => `client = Anthropic(api_key='${s('sk-', 'ant-api03-', v.base64url(80), 'AA')}')`,
    ['client = Anthropic('],
  ),
  leaks('an OpenRouter key bare in a line', (s, v) => `using ${s('sk-', 'or-v1-', v.hex(64))}`, ['using ']),
  leaks(
    'a Google API key in a query',
    (s, v) => `GET /maps/api/geocode/json?address=Ulm&key=${s('AI', 'za', v.base64url(35))}&region=de 200`,
    ['address=Ulm', '&region=de 200'],
  ),
  leaks('a Groq key in YAML', (s, v) => `provider: groq\napi: ${s('gs', 'k_', v.base62(52))}\nmodel: llama`, [
    'provider: groq',
    'model: llama',
  ]),
  leaks('an xAI key', (s, v) => `export X=${s('xa', 'i-', v.base62(80))}`, ['export X=']),
  leaks(
    'a Hugging Face token of letters alone',
    (s, v) => `login with ${s('h', 'f_', v.base62(34).replaceAll(/\d/g, 'Q'))} ok`,
    ['login with ', ' ok'],
  ),
  leaks('a Replicate token', (s, v) => `Token ${s('r', '8_', v.base62(37))}`),
  leaks('a Perplexity key', (s, v) => `key ${s('pp', 'lx-', v.base62(48))} is out of credits`, [
    'is out of credits',
  ]),
  leaks(
    'two kinds of GitHub token',
    (s, v) => `${s('gh', 'p_', v.base62(36))} and ${s('gh', 's_', v.base62(36))}\nend`,
    [' and ', '\nend'],
  ),
  leaks(
    'a fine-grained GitHub token in a remote',
    (s, v) =>
      `origin https://${s('github', '_pat_', v.base62(22), '_', v.base62(59))}@github.com/acme/app.git (push)`,
    ['github.com/acme/app.git (push)'],
  ),
  leaks(
    'a GitHub token behind an escaped newline',
    (s, v) => String.raw`{"log":"done\n${s('gh', 'o_', v.base62(36))}\nbye"}`,
    ['done', 'bye'],
  ),
  leaks(
    'a GitHub token in colours',
    (s, v) => `\u001B[32m${s('gh', 'u_', v.base62(36))}\u001B[0m logged in`,
    ['logged in'],
  ),
  leaks(
    'a GitLab token in a header',
    (s, v) => `PRIVATE-TOKEN: ${s('gl', 'pat-', v.base64url(20))}\r\nAccept: */*`,
    ['PRIVATE-TOKEN', 'Accept: */*'],
  ),
  leaks(
    'a GitLab runner token',
    (s, v) =>
      `gitlab-runner register --url https://git.acme.example --token ${s('gl', 'rt-', v.base64url(20))}`,
    ['--url https://git.acme.example'],
  ),
  leaks(
    'an Atlassian token',
    (s, v) => `bob@acme.example / ${s('ATA', 'TT3', v.base64url(180), '=', v.upper(8))}`,
    ['bob@acme.example'],
  ),
  leaks('a Bitbucket app password', (s, v) => `app password is ${s('AT', 'BB', v.base62(32))}`),
  leaks(
    'a Slack user token',
    (s, v) =>
      `xoxp works: ${s('xo', 'xp-', v.digits(12), '-', v.digits(12), '-', v.digits(13), '-', v.hex(32))}, posted`,
    [', posted'],
  ),
  leaks(
    'a Slack webhook',
    (s, v) =>
      `curl -X POST https://hooks.slack.com/services/T${v.upper(8)}/B${v.upper(10)}/${s(v.base62(24))} -d '{}'`,
    ["-d '{}'"],
  ),
  leaks(
    'a Discord webhook',
    (s, v) => `https://discord.com/api/webhooks/${v.digits(18)}/${s(v.base64url(68))} returned 204`,
    ['returned 204'],
  ),
  leaks(
    'a Discord bot token',
    (s, v) => `client.login("${s('MTA', `4${v.base62(20)}`, '.', 'G', v.base62(5), '.', v.base64url(38))}")`,
    ['client.login('],
  ),
  leaks(
    'a Telegram bot token in a URL',
    (s, v) => `POST https://api.telegram.org/bot${s(v.digits(10), ':AA', v.base64url(33))}/sendMessage 403`,
    ['api.telegram.org', '/sendMessage 403'],
  ),
  leaks('a Stripe live key', (s, v) => `stripe.api_key = "${s('sk', '_live_', v.base62(24))}" # prod`, [
    '# prod',
  ]),
  leaks(
    'a Stripe restricted key and a webhook secret',
    (s, v) => `${s('rk', '_live_', v.base62(48))}\n${s('wh', 'sec_', v.base62(32))}`,
  ),
  leaks('a Twilio API key', (s, v) => `sid=${s('S', 'K', v.hex(32))} status=queued`, ['status=queued']),
  leaks('a SendGrid key', (s, v) => `SENDGRID ${s('S', 'G.', v.base64url(22), '.', v.base64url(43))} 202`, [
    '202',
  ]),
  leaks('a Mailgun key', (s, v) => `api:${s('key', '-', v.hex(32))} sent`, ['sent']),
  leaks('a Mailchimp key', (s, v) => `mailchimp ${s(v.hex(32), '-us', '14')} list 7`, ['list 7']),
  leaks('a Brevo key', (s, v) => `${s('xkey', 'sib-', v.hex(64), '-', v.base62(16))} ok`, [' ok']),
  leaks('a Resend key', (s, v) => `Resend("${s('re', '_', v.base62(8), '_', v.base62(24))}")`, ['Resend(']),
  leaks(
    'an npm token in .npmrc',
    (s, v) => `//registry.example/:_authToken=${s('np', 'm_', v.base62(36))}\nalways-auth=true`,
    ['always-auth=true', '//registry.example/'],
  ),
  leaks(
    'a PyPI token',
    (s, v) => `username = __token__\npassword = ${s('py', 'pi-AgEIcHlwaS5vcmc', v.base64url(120))}`,
    ['username = __token__'],
  ),
  leaks(
    'a Docker Hub token',
    (s, v) => `echo ${s('dckr', '_pat_', v.base64url(27))} | docker login -u acme --password-stdin`,
    ['| docker login -u acme --password-stdin'],
  ),
  leaks(
    'an integration secret of Notion, new and old',
    (s, v) => `${s('nt', 'n_', v.digits(11), v.base62(35))} ${s('secret', '_', v.base62(43))} page ok`,
    ['page ok'],
  ),
  leaks('a Linear key', (s, v) => `Authorization: ${s('lin', '_api_', v.base62(40))}`, ['Authorization']),
  leaks('a Figma token', (s, v) => `X-Figma-Token: ${s('fig', 'd_', v.base64url(40))}`),
  leaks('an Airtable token', (s, v) => `airtable ${s('pat', v.base62(14), '.', v.hex(64))} base app1`, [
    'base app1',
  ]),
  leaks('a Shopify token', (s, v) => `shop acme.myshopify.com ${s('shp', 'at_', v.hex(32))}`, [
    'acme.myshopify.com',
  ]),
  leaks(
    'Square tokens',
    (s, v) => `${s('sq0', 'atp-', v.base64url(22))} ${s('EA', 'AA', v.base64url(60))} USD`,
    ['USD'],
  ),
  leaks('a Heroku key', (s, v) => `heroku ${s('HR', 'KU-AA', v.base64url(58))} app`, ['heroku', 'app']),
  leaks(
    'a Vault token',
    (s, v) =>
      `Key                  Value\n---                  -----\ntoken                ${s('hv', 's.', v.base64url(95))}\ntoken_duration       768h`,
    ['token_duration       768h'],
  ),
  leaks(
    'a Terraform cloud token',
    (s, v) => `credentials "app.terraform.io" { x = ${s(v.base62(14), '.atlas', 'v1.', v.base64url(67))} }`,
    ['app.terraform.io'],
  ),
  leaks('a Sentry token', (s, v) => `sentry-cli --auth ${s('sntr', 'yu_', v.hex(64))} releases list`, [
    'releases list',
  ]),
  leaks(
    'a DSN of Sentry with its secret half',
    (s, v) => `dsn https://${v.hex(32)}:${s(v.hex(32))}@sentry.acme.example/4`,
    ['sentry.acme.example/4'],
  ),
  leaks('a New Relic key', (s, v) => `nr ${s('NR', 'AK-', v.upper(27))} account 12`, ['account 12']),
  leaks(
    'a Supabase secret and access token',
    (s, v) => `${s('sb', 'p_', v.hex(40))} ${s('sb', '_secret_', v.base64url(31))} done`,
    ['done'],
  ),
  leaks('a Netlify token', (s, v) => `netlify status --auth ${s('nf', 'p_', v.base62(36))}`, [
    'netlify status',
  ]),
  leaks('a Fly token', (s, v) => `FLY: ${s('fm', '2_', v.base64(160))} region fra`, ['region fra']),
  leaks('a Doppler token', (s, v) => `doppler ${s('dp', '.pt.', v.base62(43))} run`, ['run']),
  leaks('a Databricks token', (s, v) => `databricks ${s('da', 'pi', v.hex(32))} ws`, ['ws']),
  leaks('a Grafana service token', (s, v) => `grafana ${s('gl', 'sa_', v.base62(32), '_', v.hex(8))} org`, [
    'org',
  ]),
  leaks('a Postman key', (s, v) => `${s('PM', 'AK-', v.hex(24), '-', v.hex(34))} collection`, ['collection']),
  leaks('an age key', (s, v) => `# public key: age1qqqq\n${s('AGE-', 'SECRET-KEY-1', v.upper(58))}\n`, [
    '# public key: age1qqqq',
  ]),
  leaks(
    'a Tailscale key',
    (s, v) => `tailscale up --authkey ${s('ts', 'key-auth-', v.base62(12), '-', v.base62(32))}`,
    ['tailscale up'],
  ),
  leaks('a 1Password service token', (s, v) => `op ${s('op', 's_ey', 'J', v.base64(260))} vault`, ['vault']),
  leaks(
    'an AWS key pair as CSV',
    (s, v) =>
      `User name,Access key ID,Secret access key\nci,${s('AK', 'IA', v.upper(16))},${s(v.base64(40))}\n`,
    ['User name,Access key ID'],
  ),
  leaks(
    'temporary AWS credentials as JSON',
    (s, v) =>
      `{"Credentials":{"AccessKeyId":"${s('AS', 'IA', v.upper(16))}","SecretAccessKey":"${s(v.base64(40))}","SessionToken":"${s('IQoJb3JpZ2luX2Vj', v.base64(200), '==')}","Expiration":"2026-05-01T00:00:00Z"}}`,
    ['"Expiration":"2026-05-01T00:00:00Z"'],
  ),
  leaks(
    'a presigned S3 link',
    (s, v) =>
      `https://acme.s3.amazonaws.com/a.csv?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Expires=900&X-Amz-SignedHeaders=host&X-Amz-Signature=${s(v.hex(64))}`,
    ['X-Amz-Expires=900', 'https://acme.s3.amazonaws.com/a.csv'],
  ),
  leaks('a Google OAuth access token', (s, v) => `ya token ${s('ya', '29.', v.base64url(120))} expires`, [
    'expires',
  ]),
  leaks(
    'an Azure client secret',
    (s, v) =>
      `az login --service-principal -u app -t tenant secret ${s(v.base62(3), '8Q', '~', v.base64url(34))}`,
    ['az login --service-principal'],
  ),
  leaks(
    'a JWT in a sentence',
    (s, v) => `jwt (${s('ey', `JhbGciOiJIUzI1NiJ9.eyJ${v.base64url(40)}.${v.base64url(43)}`)}) is valid`,
    ['is valid'],
  ),
  leaks(
    'a JWT cut off in its signature',
    (s, v) => `got ${s('ey', `JhbGciOiJSUzI1NiJ9.eyJ${v.base64url(60)}.`)}`,
    ['got '],
  ),
  leaks(
    'an EC key, CRLF',
    (s, v) =>
      `${begin('EC PRIVATE KEY')}\r\n${s(v.base64(64))}\r\n${s(v.base64(40))}==\r\n${end('EC PRIVATE KEY')}\r\nnext`,
    ['next'],
  ),
  leaks(
    'a service account of Google',
    (s, v) =>
      String.raw`{"type":"service_account","private_key":"${begin('PRIVATE KEY')}\n${s(v.base64(64))}\n${s(v.base64(64))}\n${end('PRIVATE KEY')}\n","client_email":"a@b.iam.gserviceaccount.com"}`,
    ['"client_email":"a@b.iam.gserviceaccount.com"', '"type":"service_account"'],
  ),
  leaks(
    'an encrypted OpenSSH key, indented',
    (s, v) =>
      `key: |\n  ${begin('OPENSSH PRIVATE KEY')}\n  ${v
        .lines(4)
        .map((line) => s(line))
        .join('\n  ')}\n  ${end('OPENSSH PRIVATE KEY')}\nuser: git`,
    ['user: git', 'key: |'],
  ),
  leaks(
    'an old encrypted key with headers',
    (s, v) =>
      `${begin('RSA PRIVATE KEY')}\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,${s(v.hex(32).toUpperCase())}\n\n${v
        .lines(3)
        .map((line) => s(line))
        .join('\n')}\n${end('RSA PRIVATE KEY')}`,
  ),
  leaks(
    'a key that is cut off',
    (s, v) =>
      `$ head -3 id_rsa\n${begin('OPENSSH PRIVATE KEY')}\n${v
        .lines(2)
        .map((line) => s(line))
        .join('\n')}\n$ whoami\nbob`,
    ['$ whoami', 'bob', '$ head -3 id_rsa'],
  ),
  leaks(
    'a PuTTY key',
    (s, v) =>
      `PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none\nPublic-Lines: 1\nAAAAC3NzaC1lZDI1NTE5AAAAIDDD\nPrivate-Lines: 2\n${s(v.base64(64))}\n${s(v.base64(20))}\nPrivate-MAC: ${v.hex(64)}`,
    ['AAAAC3NzaC1lZDI1NTE5AAAAIDDD', 'Encryption: none'],
  ),
  leaks(
    'a private PGP block',
    (s, v) =>
      `${begin('PGP PRIVATE KEY BLOCK')}\nVersion: GnuPG v2\n\n${s(v.base64(64))}\n=aB3d\n${end('PGP PRIVATE KEY BLOCK')}\nok`,
    ['ok'],
  ),
]
