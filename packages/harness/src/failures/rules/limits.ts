import type { TextRule } from './text-rule.ts'
import { anyOf } from './text-rule.ts'

/** Used up, asked to slow down, or simply too big. */
export const LIMIT_RULES: readonly TextRule[] = [
  {
    name: 'credit-used-up',
    class: 'quota_exhausted',
    pattern: anyOf`
      insufficient (?:user )?(?:quota|credits?|balance|funds|points)
      exceeded your current quota
      (?:credit|account|token|prepaid) balance
      (?:out of|no more|not enough|no remaining|ran out of|run out of|zero|no) (?:\w+ )?(?:credits?|funds|quota|tasks|points|balance|minutes|operations)\b
      credits? (?:\w+ )?(?:exceeded|exhausted|depleted|used up|expired|limit)|(?:more|additional) credits|can only afford
      (?:payment|subscription) (?:is )?required|payments? (?:have |has )?failed|card (?:was |has been )?declined
      spend(?:ing)?[ -]?(?:limit|cap)|usage[ -](?:limit|cap|quota)|hit your limit|exceed your \w+ limit|premium required|must subscribe|key limit exceeded|used all of your
      (?:monthly|daily|weekly|annual|yearly)[ -](?:\w+ ){0,2}(?:limit|quota|cap|allowance|usage)
      total ?requests limit|free[- ]per[- ]day|per[- ]day limit
      (?:disk|storage|drive|mailbox|bandwidth|space|data) ?quota|over ?quota
      (?:mailbox|storage|inbox) (?:is )?(?:almost )?full|storage limit|insufficient space
      (?:billing|budget) (?:hard )?(?:plan )?limit|budget (?:\w+ ){0,2}(?:exceeded|exhausted|used up|spent)
      billing (?:error|not active|limit)|billing (?:is )?not (?:active|enabled)|billing to be enabled|enable billing
      (?:free|current|your) plan (?:\w+ ){0,2}limit|plan limit
      (?:subscription|trial|free tier|plan|license) (?:of (?:\w+ ){1,3})?(?:has |have |is )?(?:been )?(?:expired|ended|lapsed|inactive|not active|used up|exhausted|over)
      used up (?:your|all)|quota(?: has been| is| was)? (?:exhausted|used up|depleted)
      limit (?:resets|will reset|renews) (?:on|at)|reset at midnight
      purchase (?:more|additional)|top up|arrearage|in arrears|in good standing`,
  },
  {
    name: 'slow-down',
    class: 'rate_limited',
    pattern: anyOf`
      rate[- ]?limit|rate exceeded|(?:tpm|rpm|rpd|tpd|qps)\b.{0,20} limit|throttl|slow ?down|backing off|back off (?:and|for|before)|greylist
      too many (?:\w+ )?(?:requests|calls|messages|attempts|tries|queries|logins|failed|invocations|submissions|operations)
      (?:requests?|calls|queries|tokens|messages|transactions|writes|reads|operations)[ /]per[ -](?:second|minute|min\b|hour|day|user)
      per minute
      (?:second|minute|hour|secondly|minutely|hourly|rolling|burst|concurren\w+)[a-z]* (?:request |api |call )?limits?\b
      request ?limit ?exceeded|cool(?:ing)?[- ]?down|flood (?:wait|control)
      throughput ?exceeded|provisioned throughput|(?:exceeded|over) \d+ (?:calls|requests)
      abuse (?:detection|rate)|resource (?:has been )?exhausted(?!.{0,80}larger than)|\b(?:second|minute|hour)[a-z]*[ -]quota
      requests? too (?:frequent|fast|quickly)|doing that too much|too (?:frequent|quickly)
      wait (?:of )?(?:\d+|a few|some) (?:seconds?|minutes?|moments?)|reduce your request rate`,
  },
  {
    name: 'plan-reached',
    class: 'quota_exhausted',
    pattern: anyOf`
      \bquotas?\b.{0,60}(?:exceed|exhaust|reach|limit|run out|hit)
      (?:exceed|exhaust|reach|over|hit|insufficient)\w*.{0,80}\bquota
      (?:check|update|add|review) (?:your |a )?(?:\w+ )?(?:billing|payment method|plan)
      \bbilling\b.{0,40}(?:disabled|issue|problem|overdue|required|enable)
      upgrade (?:your |the |to (?:a|an|the) )?(?:\w+ ){0,2}(?:plan|account|subscription|tier|add more)
      (?:reached|hit|exceeded) (?:your|the|its) (?:\w+ ){0,4}(?:limit|allowance)\b(?!.{0,20}(?:size|length|bytes|characters|mb|kb))
      not included in (?:your|the) (?:plan|subscription)
      requires? (?:a |an )?(?:paid|pro|premium|enterprise|higher) (?:\w+ )?(?:plan|subscription|tier|account)
      license (?:limit|seat)|no (?:available )?seats`,
  },
  {
    name: 'field-too-long',
    class: 'invalid_input',
    pattern: anyOf`
      (?:maximum|max|limit) (?:is|of) \d+ characters
      (?:value|data|name|title|description|string|field|subject|identifier|label|username) (?:\w+ ){0,3}too long
      too long for (?:type|column|field)
      (?:at most|no more than|fewer than|up to|between \d+ and) \d+ characters|\d+ or fewer in length
      string above max length|file ?name too long|enametoolong`,
  },
  {
    name: 'took-too-long',
    class: 'timeout',
    pattern: anyOf`
      (?:took|taking|takes|waited|ran|running) (?:way |far )?too long
      time-?out ?(?:error|exception)\b|timed out (?:after|waiting)
      too long to (?:respond|complete|answer|load|finish|connect)`,
  },
  {
    // None of these is a size or a limit of the caller's input.
    name: 'endless-recursion',
    class: 'unknown',
    pattern: /maximum (?:call stack|recursion)|stack ?overflow|recursion (?:depth|limit|error)/,
  },
  {
    name: 'address-or-type',
    class: 'invalid_input',
    pattern: anyOf`
      (?:unsupported|invalid|missing) content-type|content-type (?:header )?(?:is )?(?:missing|required)
      (?:invalid|malformed|bad) ur[il]\b|unknown scheme|not a valid ur[il]|failed to parse url`,
  },
  {
    name: 'option-not-supported',
    class: 'unsupported',
    pattern:
      /unsupported (?:parameter|value|option|argument)|parameter .{0,40}not supported|not supported with this|can't operate/,
  },
  {
    name: 'clock-differs',
    class: 'bad_credentials',
    pattern: /too skewed|clock skew|(?:clock|time)\b.{0,30}out of sync/,
  },
  {
    name: 'too-big',
    class: 'too_large',
    pattern: anyOf`
      \btoo[ -]?(?:large|big|long|huge)\b|entity ?too ?large|payload size|large files? detected
      (?:request|file|body|content|message|upload|input|prompt|response|result|image|attachment|document|query|packet)s? (?:\w+ ){0,4}exceed
      exceed\w* (?:the |its |our |your |fixed |model's )?(?:\w+ ){0,3}(?:maximum|max|limit|allowed|permitted) (?:\w+ ){0,5}(?:size|length|tokens?|bytes|characters|context|window|[kmg]b)
      exceed\w* (?:the |its |our |your )?(?:\w+ ){0,3}(?:size|length|context|token|byte|memory) ?(?:window|limit|length)?
      (?:context|prompt|token|input)[ -]?(?:length|window|size|limit|overflow) ?(?:exceed|limit|is|was|of)
      context length exceeded|context limit
      maximum (?:\w+ )?(?:context|content|message|file|request|payload|upload|body|prompt|input|allowed) (?:length|size|tokens)
      maximum (?:number of )?(?:tokens|size|length)|max tokens .{0,30}(?:exceed|limit|too)|\bmax length
      (?:over|above|larger than|bigger than|smaller than|greater than|more than) (?:the )?(?:\w+ ){0,3}(?:limit|maximum|max\b|\d[\d,.]* ?(?:[kmg]i?b|bytes|tokens|characters)\b)
      size (?:limit|must be|of .{0,30}exceeds)|\bsize exceed|invalid (?:string|array) length
      out of memory|memory ?error|memory size of \d+ bytes exhausted|bad alloc\b|due to memory usage|heap (?:limit|space)|cannot allocate memory|unable to allocate|\boom\b|oom ?killed
      max ?buffer|result set too|response body too|max allowed packet
      reduce (?:the |your )?(?:length|size|input|prompt|number of)|fewer (?:rows|items|tokens)
      efbig|e2big|emsgsize|enobufs`,
  },
]
