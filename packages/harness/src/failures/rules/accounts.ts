import type { TextRule } from './text-rule.ts'
import { anyOf } from './text-rule.ts'

const SECRET = [
  '(?:api[ -]?keys?|access[ -]?keys?|(?:(?:access|refresh|bearer|auth|id|session|security|personal access|oauth|bot)[ -]?)?tokens?',
  'credentials?|passwords?|passphrase|passcode|jwt|client secret|secret|session|login|log-?in|sign-?in|x-api-key|cookie',
  'authori[sz]ation(?: header| code)?|otp|2fa|mfa|username)',
].join('|')
const SPOILT = [
  '(?:invalid|expired|revoked|missing|incorrect|wrong|not valid|not found|malformed|required|disabled|rejected|bad|not accepted',
  'not recogni[sz]ed|no longer valid|deleted|inactive|invalidated|not set|not provided|empty|failed|unset|stale)',
].join('|')

/** Whether there is an account at all, and whether its key still fits. */
export const ACCOUNT_RULES: readonly TextRule[] = [
  {
    name: 'line-not-open',
    class: 'service_unavailable',
    pattern: anyOf`
      \b(?:socket|client|transport(?: endpoint)?|database|server|mongo\w*|redis|web ?socket|ws|network|internet|bus|driver|device|smtp|imap|connection|peer|host|stream|pool|browser|cluster|broker) (?:is |was )?(?:not|never) (?:yet )?connected
      not connected to (?:the |a |any )?(?:server|database|network|internet|host|device|broker|cluster)
      client must be connected|enotconn|^\W*(?:error: )?not connected\W*$|temporary authentication failure`,
  },
  {
    name: 'not-connected',
    class: 'not_connected',
    pattern: anyOf`
      \b(?:is|are|has|have|was) not (?:yet )?(?:been )?(?:connected|linked|set up yet)\b
      \b(?:isn't|aren't|hasn't been|haven't) (?:yet )?(?:connected|linked)\b
      \bnot (?:been )?(?:connected|linked) (?:yet|for|to (?:this|your|any|the) (?:user|workspace|account|entity))
      \bnot[ -]connected\b|account (?:is |was )?disconnected
      no (?:active |valid |existing )?(?:connected |linked )?(?:connections?|accounts?|integrations?) (?:found|exists?|available|configured|for|with|linked|connected)
      (?:could not|couldn't|cannot|can't|unable to) find (?:an? |any )?(?:active )?connection (?:with|for)
      no (?:\S+ )?accounts? (?:is |are )?(?:connected|linked)
      \b(?:needs?|has|have) to be (?:connected|linked)\b|\bno (?:\w+ )?connection for (?:this|the|your|any) (?:person|user|workspace|app)\b
      no (?:active )?connected accounts?|connected ?account ?(?:not ?found|does not exist|missing)
      \b(?:connect|link) (?:it|one|an? (?:\w+ )?account|your \w+(?: \w+)? (?:account|workspace)|(?:the |your )?\w+(?: \w+)? ?(?:account|app|integration|toolkit|workspace)?) ?(?:first|before|in (?:the )?(?:settings|integrations|connections|apps))
      (?:please|to|must) (?:connect|link) (?:your|an?|the|it|\w+ (?:account|first|before))\b
      (?:has not|have not|haven't|hasn't) (?:authori[sz]ed|connected|linked)
      integration (?:\S+ )?(?:is )?not (?:connected|linked|configured|enabled|set up|installed|found)|not (?:yet )?installed (?:the|this|our|your) (?:\S+ )?(?:app|integration|bot)\b
      not (?:been )?integrated|start the oauth flow|complete the (?:oauth|authori[sz]ation) flow
      no connection (?:matching|for)|unknown connection|connection (?:is )?(?:not active|inactive|initiated but)|(?:auth(?:entication)?|connection) (?:is )?required for`,
  },
  {
    name: 'certificate',
    class: 'service_unavailable',
    pattern: anyOf`
      certificate of .{1,60}(?:not|n't|expired|revoked)|certificate (?:verify|verification|has expired|is not|not |expired|chain|signed by|problem|revoked|subject|authority|common)
      self[- ]signed cert|x509:|pkix|unable to (?:get|verify) (?:local issuer|the first|leaf)
      altnames|cert (?:has expired|authority|verification)|err cert|unable to verify leaf|err tls cert`,
  },
  {
    name: 'scope-too-narrow',
    class: 'bad_credentials',
    pattern: anyOf`
      (?:missing|insufficient|invalid) (?:\w+ )?scopes?\b|scope insufficient|insufficient (?:authentication|oauth)
      scopes? (?:\S+ )?(?:is |are )?(?:missing|required|not granted|insufficient|needed)
      (?:requires?|lacks?|without|needs?|missing|not (?:been )?granted|does not have) (?:\S+ ){0,6}scopes?\b
      not accessible by (?:personal access token|integration)
      re-?authori[sz]ation required|incremental authori[sz]ation`,
  },
  {
    name: 'not-entitled',
    class: 'missing_permission',
    pattern: anyOf`
      unauthori[sz]ed (?:to|operation|access)\b|not authori[sz]ed (?:to|on|for)\b|does not have authori[sz]ation to
      saml enforcement|api has not been used in project|grant (?:your|the) \S+ ?\S* access to|(?<!requested )access to .{1,80} (?:is|was) denied`,
  },
  {
    // Tokens of a list or of a parser, not of a sign-in.
    name: 'other-token',
    class: 'invalid_input',
    pattern: /(?:next|page|continuation|sync|pagination|cursor|unexpected|syntax error,? at) ?token/,
  },
  {
    name: 'sign-in-spoilt',
    class: 'bad_credentials',
    pattern: anyOf`
      \b${SPOILT} (?:or (?:\w+ ){1,2})?(?:(?:the|your|an?|any|or|user|account|google|github|slack|server|proxy|required|authentication|sudo|root|database) ){0,3}${SECRET}\b
      \b${SECRET}(?: \S+){0,3}? ?(?:(?:has|have|is|was|are|were|that was|you) )?(?:been )?(?:provided )?(?:is )?${SPOILT}\b
      invalid (?:grant|client|auth)\b|unauthori[sz]ed client|not authed|account inactive|auth (?:error|failed|required)
      unauthenticated|unauthori[sz]ed\b|(?:interaction|consent) required
      auth(?:entication|ori[sz]ation)? ?(?:has |is )?(?:failed|failure|error|required|expired|invalid|unsuccessful|rejected)|refresh ?error
      (?:failed|unable|could not|couldn't|cannot|can't|failure) (?:to )?(?:authenticate|log ?in|sign ?in|authori[sz]e)
      must (?:be|first be) authenticated|not authenticated|bad auth\b|auth fail|authenticate$|basic authentication|authentication with passwords
      login (?:failed|denied|incorrect|required)|log ?in (?:again|required)
      (?:please|must|need to|to) (?:first )?(?:log|sign) ?in\b|(?:not|be|no longer) (?:currently )?(?:logged|signed) ?in
      \b(?:auth|docker|npm|az|gcloud|gh|aws sso|heroku|vercel) (?:auth )?login\b|set the \S*token|set (?:the )?\w+ token environment
      re-?authenticate|re-?authori[sz]e|reconnect (?:the|your) account
      could not read (?:username|password)|terminal prompts disabled
      permission denied \((?:publickey|password|keyboard)|publickey|host key verification failed
      access denied for user .{0,80}using password|noauth\b|wrongpass
      (?:invalid|bad|missing|incorrect) (?:request )?signature|signature (?:is )?(?:invalid|expired|mismatch|verification)|signature ?does ?not ?match|signature we calculated|invalid (?:access ?key|client ?token)|unrecognized ?client|missing auth
      unable to locate credentials|no (?:valid )?credentials|could not (?:find|load) (?:\w+ )?credentials|provide credentials
      credentials (?:were |was )?not (?:found|loaded|available)|check credentials
      username and password not accepted|no password supplied|(?:peer|password) authentication|no pg ?hba
      two-factor|multi-?factor|mfa (?:is )?required|lifetime validation failed|aadsts\d+|www-authenticate
      needs? auth|eneedauth|e401|requested access to the resource is denied|authentication credentials?
      oauth (?:token|access|error)|(?:token|oauth) refresh|refresh (?:the )?(?:oauth )?token
      incorrect (?:username|password|login|api)|bad credentials
      (?:api key|token|secret)\b.{0,30}not (?:valid|recogni[sz]ed|configured)|no api[ -]?key|api[ -]?key (?:is )?(?:not|missing)
      (?:provide|set|check|supply) (?:\w+ ){0,3}api[ -]?key|validating (?:the )?(?:access )?token|^\W*invalid key\W*$|jwt (?:expired|malformed)
      session (?:has |is )?(?:expired|ended|invalid|not found)
      account (?:\S+ )?is in expired|account (?:has been |is )?(?:locked|suspended|disabled|deactivated)|ora-01017|^53[045]\b`,
  },
]

/** Errors about a lock or a socket that only an administrator may use. */
export const ROOT_RULES: readonly TextRule[] = [
  {
    name: 'needs-root',
    class: 'missing_permission',
    pattern: /are you root|\(13: permission denied\)|dubious ownership/,
  },
]

/** The account is accepted, but this action is not allowed. */
export const PERMISSION_RULES: readonly TextRule[] = [
  {
    name: 'not-shared',
    class: 'missing_permission',
    pattern: anyOf`
      shared with (?:your|the|this) (?:integration|bot|app|account)
      (?:not|hasn't|isn't|never) (?:been )?shared\b
      not (?:a member|in (?:the |this )?channel|invited|part of (?:the|this))|not (?:a )?member\b
      must be invited|request access|(?:invite|add) (?:the|your) (?:bot|app|integration)
      bot was (?:kicked|blocked|removed)|(?:need|ask .{0,20}for|missing|no|without) access\b`,
  },
  {
    // Services that do not distinguish the two mean the first.
    name: 'absent-or-hidden',
    class: 'not_found',
    pattern: anyOf`
      (?:not found|not exist|doesn't exist|not be found|no such \w+|not available|not in the \w+ \w+)[^.\n]{0,60}\bor\b[^.\n]{0,60}(?:access|permission|authori[sz]ed|visible|private|require)
      either (?:does not|doesn't|do not) exist or`,
  },
  {
    name: 'permission-denied',
    class: 'missing_permission',
    pattern: anyOf`
      permissions? ?-?(?:to .{1,60} )?(?:was |is |has been |have been )?(?:denied|missing|required|not granted|refused|has not been granted|insufficient)
      permission error|eacces\b|\beperm\b|erofs|noperm\b
      access (?:to .{1,80} )?(?:is |was |has been )?(?:denied|forbidden|not allowed|restricted|not permitted)
      not allowed error|not allowed by the (?:user agent|platform)
      operation not permitted|not permitted\b|\bforbidden\b|restricted (?:action|resource|access)
      (?:not|n't|no|cannot) (?:have|has|had|hold) (?:the |any |an? |enough |sufficient |required |necessary |adequate |proper |correct )*(?:\w+ ){0,2}(?:permissions?|access|rights?|privileges?|role|authority)\b
      (?:insufficient|missing|lack(?:s|ing)?|inadequate|not enough|without|no) (?:the |required |sufficient |necessary |any )*(?:\w+[ .]){0,2}(?:permissions?|privileges?|access rights?|rights|role)\b
      insufficient(?: file)? (?:permissions?|access|privilege|rights)
      not (?:authori[sz]ed|allowed|entitled|eligible) (?:to|for)|is not authori[sz]ed|not allowed \w+ access
      must (?:be|have) (?:an? |the )?(?:owner|admin|administrator|root|superuser|member|push access|write access|admin rights)
      (?:only|requires?|need) (?:\w+ ){0,2}(?:owners?|admins?|administrators?|root|sudo|elevat\w+|superuser)
      are you root|not the owner|elevation|elevated|command denied|sudoers
      read-only (?:file ?system|replica|transaction|access|database|volume|connection|permission)|readonly database
      os error 13\b|errno 13\b|os error 1\b|\berrno 1\]|private (?:repository|video|file)`,
  },
]

/** A plain refusal of a sign-in. */
export const REFUSED_SIGN_IN_RULES: readonly TextRule[] = [
  {
    name: 'refused-at-sign-in',
    class: 'bad_credentials',
    pattern: /unable to access .{0,200}returned error: 40[13]/,
  },
]
