/** A kind of token that its beginning gives away. */
export interface TokenFormat {
  readonly kind: string
  /** How it may begin, separated by blanks; case matters. */
  readonly starts: string
  /** What follows, as the source of a regular expression. Issuers change lengths, so it asks for a minimum only. */
  readonly body: string
  /** The beginning also occurs in ordinary names, so what follows must not look like words. */
  readonly common?: true
  /** The beginning is an address worth reading; only what follows it is secret. */
  readonly address?: true
  /** What stands before the beginning and belongs to the token. */
  readonly before?: { readonly character: RegExp; readonly min: number; readonly max: number }
}

const alnum = (min: number): string => `[A-Za-z0-9]{${min},}`
const word = (min: number): string => `\\w{${min},}`
const url = (min: number): string => `[\\w-]{${min},}`
const b64 = (min: number): string => `[A-Za-z0-9+/_-]{${min},}={0,3}`
const hex = (min: number): string => `[0-9a-fA-F]{${min},}`
const UUID = '[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}'

const HEX_BEFORE = { character: /[0-9a-f]/, min: 32, max: 32 }

/** Public token formats, by what they open. */
export const TOKEN_FORMATS: readonly TokenFormat[] = [
  // Models
  { kind: 'openai-key', starts: 'sk-proj- sk-svcacct- sk-admin- sk-None-', body: url(16) },
  { kind: 'anthropic-key', starts: 'sk-ant-', body: url(16) },
  { kind: 'openrouter-key', starts: 'sk-or-v1- sk-or-', body: url(24) },
  { kind: 'api-key', starts: 'sk-', body: url(16), common: true },
  { kind: 'api-key', starts: 'sk_ sk-lf- csk- ctx7sk-', body: url(24), common: true },
  { kind: 'google-key', starts: 'AIza', body: url(28) },
  { kind: 'groq-key', starts: 'gsk_', body: alnum(20), common: true },
  { kind: 'xai-key', starts: 'xai-', body: alnum(20), common: true },
  { kind: 'perplexity-key', starts: 'pplx-', body: alnum(20) },
  { kind: 'huggingface-token', starts: 'hf_ api_org_', body: alnum(20), common: true },
  { kind: 'replicate-token', starts: 'r8_', body: alnum(20), common: true },
  { kind: 'nvidia-key', starts: 'nvapi-', body: url(20) },
  { kind: 'langsmith-key', starts: 'lsv2_pt_ lsv2_sk_ ls__', body: word(24) },
  { kind: 'pinecone-key', starts: 'pcsk_', body: word(24) },
  { kind: 'tavily-key', starts: 'tvly-', body: url(16), common: true },
  { kind: 'fireworks-key', starts: 'fw_ fc- rpa_ tgp_v1_ jina_ e2b_ esecret_', body: url(20), common: true },
  { kind: 'bedrock-key', starts: 'ABSK bedrock-api-key-', body: b64(60) },
  { kind: 'databricks-token', starts: 'dapi dkea dose', body: `${hex(32)}(?:-\\d)?` },

  // Code hosts, packages, builds
  { kind: 'github-token', starts: 'ghp_ gho_ ghu_ ghs_ ghr_', body: word(16) },
  { kind: 'github-token', starts: 'github_pat_', body: word(20) },
  {
    kind: 'gitlab-token',
    starts: 'glpat- gldt- glrt- glcbt- glptt- glft- glimt- glagent- gloas- glsoat- glffct- glwt-',
    body: '[\\w-]{16,}(?:\\.[\\w-]{2,})*',
  },
  { kind: 'gitlab-token', starts: 'GR1348941', body: url(16) },
  { kind: 'gitlab-session', starts: '_gitlab_session=', body: alnum(20), address: true },
  { kind: 'atlassian-token', starts: 'ATATT3 ATCTT3 ATSTT3', body: '[\\w=-]{30,}' },
  { kind: 'bitbucket-token', starts: 'ATBB BBDC-', body: b64(20) },
  { kind: 'npm-token', starts: 'npm_', body: alnum(30), common: true },
  { kind: 'pypi-token', starts: 'pypi-', body: url(40) },
  { kind: 'docker-token', starts: 'dckr_pat_ dckr_oat_', body: url(16) },
  { kind: 'rubygems-token', starts: 'rubygems_', body: hex(32) },
  { kind: 'crates-token', starts: 'cio', body: '[A-Za-z0-9]{32}(?![A-Za-z0-9])', common: true },
  { kind: 'nuget-key', starts: 'oy2', body: '[a-z0-9]{43}(?![a-z0-9])' },
  { kind: 'clojars-token', starts: 'CLOJARS_', body: alnum(40) },
  { kind: 'jfrog-token', starts: 'AKCp cmVmdGtu', body: alnum(40) },
  { kind: 'circleci-token', starts: 'CCIPAT_ CCIPRJ_', body: word(20) },
  { kind: 'buildkite-token', starts: 'bkua_ bkpt_', body: alnum(30) },
  { kind: 'sonar-token', starts: 'squ_ sqp_ sqa_', body: hex(32) },
  { kind: 'sourcegraph-token', starts: 'sgp_', body: '(?:[0-9a-f]{16}_|local_)?[0-9a-f]{40}' },
  { kind: 'snyk-token', starts: 'snyk_uat. snyk_sat.', body: '[\\w.-]{20,}' },
  { kind: 'postman-key', starts: 'PMAK- PMAT-', body: url(24) },
  { kind: 'readme-key', starts: 'rdme_', body: alnum(40) },
  { kind: 'octopus-key', starts: 'API-', body: '[A-Z0-9]{26,}' },
  { kind: 'harness-token', starts: 'pat. sat.', body: '[\\w-]{22}\\.[0-9a-zA-Z]{24}\\.[0-9a-zA-Z]{20}' },

  // Chat and mail
  { kind: 'slack-token', starts: 'xoxb- xoxp- xoxa- xoxr- xoxo- xoxs- xoxc- xoxd-', body: '[\\w%-]{10,}' },
  { kind: 'slack-token', starts: 'xoxe- xoxe.xoxb- xoxe.xoxp- xapp-', body: url(16) },
  {
    kind: 'slack-webhook',
    starts:
      'hooks.slack.com/services/ hooks.slack.com/workflows/ hooks.slack.com/triggers/ hooks.slack-gov.com/services/',
    body: '[\\w/-]{20,}',
    address: true,
  },
  {
    kind: 'discord-webhook',
    starts: 'discord.com/api/webhooks/ discordapp.com/api/webhooks/',
    body: '\\d{6,}/[\\w-]{20,}',
    address: true,
  },
  {
    kind: 'teams-webhook',
    starts: 'webhook.office.com/webhookb2/ outlook.office.com/webhook/',
    body: '[\\w@/-]{40,}',
    address: true,
  },
  { kind: 'feishu-webhook', starts: 'open-apis/bot/v2/hook/', body: url(20), address: true },
  { kind: 'zapier-webhook', starts: 'hooks.zapier.com/hooks/catch/', body: '[\\w/]{8,}', address: true },
  { kind: 'telegram-token', starts: ':AA', body: url(30), before: { character: /\d/, min: 6, max: 12 } },
  { kind: 'discord-token', starts: 'mfa.', body: url(60) },
  { kind: 'sendgrid-key', starts: 'SG.', body: '[\\w-]{16,}\\.[\\w-]{16,}' },
  { kind: 'mailgun-key', starts: 'key-', body: '[0-9a-f]{32}(?![0-9a-zA-Z])' },
  { kind: 'mailchimp-key', starts: '-us', body: '\\d{1,2}(?![0-9a-zA-Z])', before: HEX_BEFORE },
  { kind: 'brevo-key', starts: 'xkeysib- xsmtpsib-', body: url(32) },
  { kind: 'mailersend-key', starts: 'mlsn.', body: hex(32) },
  { kind: 'resend-key', starts: 're_', body: '[A-Za-z0-9]{6,}_[A-Za-z0-9]{18,}', common: true },
  { kind: 'twilio-key', starts: 'SK', body: '[0-9a-f]{32}(?![0-9a-zA-Z])' },
  { kind: 'twitch-token', starts: 'oauth:', body: '[a-z0-9]{30}(?![a-z0-9])' },
  { kind: 'facebook-token', starts: 'EAA', body: '[A-Za-z0-9_-]{50,}' },
  { kind: 'instagram-token', starts: 'IGQV IGAA', body: url(40) },
  { kind: 'twitter-token', starts: 'AAAAAAAAAAAAAAAAAAAAA', body: '[A-Za-z0-9%]{50,}' },

  // Money and shops
  { kind: 'stripe-key', starts: 'sk_live_ sk_test_ sk_prod_ rk_live_ rk_test_ rk_prod_', body: alnum(10) },
  { kind: 'webhook-secret', starts: 'whsec_', body: b64(16) },
  { kind: 'square-token', starts: 'sq0atp- sq0csp- sq0idb-', body: url(20) },
  { kind: 'paypal-token', starts: 'access_token$production$ access_token$sandbox$', body: '[0-9a-z$]{30,}' },
  { kind: 'plaid-token', starts: 'access-sandbox- access-development- access-production-', body: UUID },
  { kind: 'shippo-token', starts: 'shippo_live_ shippo_test_', body: hex(32) },
  { kind: 'easypost-key', starts: 'EZAK EZTK', body: alnum(40) },
  { kind: 'flutterwave-key', starts: 'FLWSECK- FLWSECK_TEST- FLWSECK_LIVE-', body: url(12) },
  { kind: 'xendit-key', starts: 'xnd_production_ xnd_development_', body: word(24) },
  { kind: 'midtrans-key', starts: 'Mid-server-', body: url(16) },
  { kind: 'duffel-token', starts: 'duffel_live_ duffel_test_', body: url(30) },
  { kind: 'shopify-token', starts: 'shpat_ shpca_ shppa_ shpss_ shpua_ shptka_', body: hex(24) },
  { kind: 'amazon-token', starts: 'amzn.mws.', body: UUID },
  { kind: 'amazon-token', starts: 'amzn1.oa2-cs.v1. Atza| Atzr|', body: '[\\w|-]{30,}' },

  // Work apps
  { kind: 'notion-token', starts: 'ntn_', body: alnum(30) },
  { kind: 'notion-token', starts: 'secret_', body: alnum(32), common: true },
  { kind: 'linear-key', starts: 'lin_api_ lin_oauth_', body: alnum(24) },
  { kind: 'figma-token', starts: 'figd_ figdr_ figo_ figu_', body: url(24) },
  { kind: 'airtable-token', starts: 'pat', body: '[A-Za-z0-9]{14}\\.[0-9a-f]{40,}' },
  { kind: 'hubspot-token', starts: 'pat-na1- pat-na2- pat-eu1- pat-ap1-', body: UUID },
  { kind: 'clickup-token', starts: 'pk_', body: '\\d{6,}_[A-Z0-9]{32}' },
  { kind: 'klaviyo-key', starts: 'pk_', body: '[0-9a-f]{34}(?![0-9a-zA-Z])' },
  { kind: 'asana-token', starts: '1/ 2/', body: '\\d{12,}(?:/\\d{12,})?:[0-9a-f]{32}' },
  { kind: 'typeform-token', starts: 'tfp_', body: '[\\w.=-]{40,}' },
  { kind: 'contentful-token', starts: 'CFPAT-', body: url(30) },
  { kind: 'intercom-token', starts: 'dG9rO', body: b64(36) },
  { kind: 'dropbox-token', starts: 'sl. sl.u.', body: '[\\w=-]{60,}' },
  { kind: 'salesforce-token', starts: '00D', body: '[A-Za-z0-9]{12,15}![\\w.]{60,}' },
  { kind: 'apify-token', starts: 'apify_api_', body: alnum(24) },
  { kind: 'posthog-key', starts: 'phx_', body: alnum(24) },
  { kind: 'retool-token', starts: 'retool_', body: alnum(24), common: true },
  { kind: 'frameio-token', starts: 'fio-u-', body: url(40) },
  { kind: 'adafruit-key', starts: 'aio_', body: alnum(24) },
  { kind: 'riot-key', starts: 'RGAPI-', body: UUID },
  {
    kind: 'maxmind-key',
    starts: '_mmk',
    body: '(?![A-Za-z0-9])',
    before: { character: /\w/, min: 36, max: 36 },
  },

  // Clouds and infrastructure
  { kind: 'aws-access-key', starts: 'AKIA ASIA ABIA ACCA', body: '[A-Z0-9]{16}(?![A-Za-z0-9])' },
  { kind: 'aws-session-token', starts: 'IQoJb3JpZ2lu FwoGZXIvYXdz', body: b64(80) },
  { kind: 'google-oauth-secret', starts: 'GOCSPX-', body: url(20) },
  { kind: 'google-oauth-token', starts: 'ya29.', body: '[\\w.-]{20,}' },
  { kind: 'google-refresh-token', starts: '1//0', body: url(30) },
  { kind: 'google-oauth-code', starts: '4/0', body: url(40) },
  {
    kind: 'azure-client-secret',
    starts: 'Q~',
    body: '[\\w~.-]{28,}',
    before: { character: /[\w~.]/, min: 4, max: 4 },
  },
  { kind: 'alibaba-key', starts: 'LTAI', body: alnum(16) },
  { kind: 'tencent-key', starts: 'AKID', body: '[A-Za-z0-9]{32}(?![A-Za-z0-9])' },
  { kind: 'yandex-key', starts: 'AQVN YCAJ', body: url(32) },
  { kind: 'yandex-token', starts: 't1.', body: '[\\w-]{20,}={0,2}\\.[\\w-]{80,}={0,2}' },
  { kind: 'digitalocean-token', starts: 'dop_v1_ doo_v1_ dor_v1_', body: hex(32) },
  { kind: 'heroku-key', starts: 'HRKU-', body: url(32) },
  { kind: 'fly-token', starts: 'fo1_ fm1a_ fm1r_ fm2_', body: b64(40) },
  { kind: 'vercel-token', starts: 'vcp_ vci_ vca_ vcr_ vck_ vercel_blob_rw_', body: word(20), common: true },
  { kind: 'netlify-token', starts: 'nfp_ nfc_ nfo_ nfb_ nfu_', body: alnum(30) },
  { kind: 'render-key', starts: 'rnd_', body: alnum(24), common: true },
  { kind: 'supabase-key', starts: 'sbp_ sb_secret_', body: url(20) },
  { kind: 'neon-key', starts: 'napi_', body: alnum(40) },
  { kind: 'planetscale-key', starts: 'pscale_tkn_ pscale_pw_ pscale_oauth_', body: '[\\w.=-]{24,}' },
  { kind: 'cloudflare-key', starts: 'v1.0-', body: '[0-9a-f]{24}-[0-9a-f]{100,}' },
  { kind: 'doppler-token', starts: 'dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit.', body: '[\\w.-]{32,}' },
  { kind: 'vault-token', starts: 'hvs. hvb. hvr.', body: url(20) },
  { kind: 'vault-token', starts: 's.', body: '[A-Za-z0-9]{24}(?![\\w.])', common: true },
  {
    kind: 'terraform-token',
    starts: '.atlasv1.',
    body: url(40),
    before: { character: /[A-Za-z0-9]/, min: 10, max: 20 },
  },
  { kind: 'pulumi-token', starts: 'pul-', body: hex(32) },
  { kind: 'infracost-key', starts: 'ico-', body: '[A-Za-z0-9]{32}(?![\\w-])', common: true },
  { kind: 'scalingo-token', starts: 'tk-us-', body: url(40) },
  { kind: 'tailscale-key', starts: 'tskey-', body: url(16), common: true },
  { kind: 'openshift-token', starts: 'sha256~', body: url(40) },
  { kind: 'prefect-key', starts: 'pnu_ pnb_', body: alnum(30) },
  { kind: 'grafana-token', starts: 'glsa_ glc_', body: '[\\w+/]{24,}={0,3}', common: true },
  { kind: 'grafana-token', starts: 'eyJrIjoi', body: '[A-Za-z0-9]{60,}={0,3}' },
  { kind: 'newrelic-key', starts: 'NRAK- NRII- NRAA- NRRA- NRSP-', body: url(20) },
  { kind: 'sentry-token', starts: 'sntrys_ sntryu_ sntrya_', body: b64(30) },
  { kind: 'dynatrace-token', starts: 'dt0c01. dt0s01. dt0s16.', body: '[A-Z0-9]{8,}\\.[A-Z0-9]{32,}' },
  { kind: 'honeycomb-key', starts: 'hcaik_ hcxik_ hcxlk_ hcalk_', body: alnum(24) },
  { kind: 'launchdarkly-key', starts: 'sdk- api-', body: UUID },
  { kind: 'onepassword-token', starts: 'ops_eyJ', body: b64(40) },
  { kind: 'onepassword-key', starts: 'A3-', body: '[A-Z0-9]{6}-[A-Z0-9]{6,11}(?:-[A-Z0-9]{5}){3,4}' },
  { kind: 'adobe-secret', starts: 'p8e-', body: url(24) },
  { kind: 'stytch-secret', starts: 'secret-live- secret-test-', body: url(24) },
  { kind: 'inngest-key', starts: 'signkey-prod- signkey-test- signkey-branch-', body: hex(24) },
  { kind: 'trigger-key', starts: 'tr_dev_ tr_prod_ tr_pat_', body: alnum(16) },
  { kind: 'pubnub-key', starts: 'sec-c-', body: b64(32) },

  // Keys
  { kind: 'age-key', starts: 'AGE-SECRET-KEY-1', body: '[A-Z0-9]{20,}' },
  { kind: 'nostr-key', starts: 'nsec1', body: '[a-z0-9]{40,}' },
  { kind: 'wallet-key', starts: 'xprv yprv zprv', body: alnum(80) },
]
