import type { TextRule } from './text-rule.ts'
import { anyOf } from './text-rule.ts'

const NOT = "(?:not|n't|no|cannot|without|lacks?|never|unable|missing|insufficient)"

/** Either order, on one line, a few words apart. */
const near = (one: string, other: string): string =>
  `(?:${one}).{0,50}(?:${other})|(?:${other}).{0,50}(?:${one})`

/**
 * What a reason is about and how it went, wherever the two stand near each other. Read last, when no phrase that
 * we know was found.
 */
export const LOOSE_RULES: readonly TextRule[] = [
  { name: 'about-time', class: 'timeout', pattern: anyOf`\btime-?out\b|\btimed out` },
  {
    name: 'about-pace',
    class: 'rate_limited',
    pattern: anyOf`
      (?:calls?|requests?|messages?|queries|attempts) ?(?:\/|per|an?|each|every) ?(?:second|sec|minute|min|hour|hr)\b
      ${near('\\b(?:api|requests?|calls?|messages?|quer(?:y|ies)|complexity)\\b', '\\blimit(?:s|ed)?\\b')}`,
  },
  {
    name: 'about-allowance',
    class: 'quota_exhausted',
    pattern: anyOf`
      ${near('\\b(?:storage|plan|account|workspace|subscription|monthly|daily|weekly|usage|tier|number of \\w+ allowed|seats?|credits?)\\b', '\\b(?:limit|cap|allowance)\\b')}
      (?:run|ran) out of|unpaid|insufficient space|limit exceeded|limit reached|maximum number of`,
  },
  {
    name: 'about-size',
    class: 'too_large',
    pattern: anyOf`
      ${near('\\b(?:size|length|tokens?|bytes|characters|[kmg]i?b|dimensions|rows)\\b', '\\b(?:exceed\\w*|maximum|max|limit|greater than|larger than|over)\\b')}`,
  },
  {
    name: 'about-connection',
    class: 'not_connected',
    pattern: anyOf`
      requires? an? (?:\w+ )?connection|connect \w+ to (?:continue|use|proceed)|unknown connection
      no (?:\w+ ){0,2}(?:workspace|account|app|integration|calendar|mailbox) (?:is |has been )?(?:linked|connected)
      connection (?:to \w+ )?(?:has not been|is not|was not|not) (?:set up|configured|created|established for)
      no connection (?:matching|for|with|found)|no auth ?provisions`,
  },
  {
    name: 'about-sign-in',
    class: 'bad_credentials',
    pattern: anyOf`
      ${near('authenticat\\w+|\\b(?:logged in|login|(?<!error |unexpected |\\W )token|password|credentials?|api key|session|passcode)\\b', `\\b${NOT}\\b|n't|invalid\\w*|expired|fail\\w*|error|wrong|revoked|required|changed`)}
      ^\W*(?:not authori[sz]ed|invalid key)\W*$|active account`,
  },
  {
    name: 'about-permission',
    class: 'missing_permission',
    pattern: anyOf`
      ${near('\\b(?:access|permissions?|privileges?|authori[sz]ed|rights?|role|owner)\\b', `\\b${NOT}\\b|n't|denied|denial|refused|requires?|need(?:s|ed)?`)}
      security exception|read[- ]only|\bcant \w+`,
  },
  {
    name: 'about-rules',
    class: 'blocked_by_policy',
    pattern: /\bblocked\b|\bprohibited\b|deny rule|content restrictions?/,
  },
  {
    name: 'about-clash',
    class: 'conflict',
    pattern: anyOf`
      \bconflicts?\b|\bduplicate\b|in the middle of an?|\bunstaged\b|\buncommitted\b|checked out at|\bin use\b|\bis already\b|(?<!not |that |which )\bexists\b`,
  },
  {
    name: 'about-stopping',
    class: 'cancelled',
    pattern: /(?<!\bbe )\bcancell?ed\b|\baborted\b/,
  },
  {
    name: 'about-support',
    class: 'unsupported',
    pattern: anyOf`
      unrecogni[sz]ed (?:sub)?command(?!-line)|cannot be (?:played|opened|previewed|converted|rendered|displayed|exported|imported)
      (?:is|are) not available for|not compatible|incompatible`,
  },
  {
    name: 'about-reach',
    class: 'service_unavailable',
    pattern: anyOf`
      ${near('\\b(?:web ?socket|socket|channel|stream|server|service|application|host|target|browser|connection|network|remote|website|backend|daemon|process)\\b', '\\b(?:down|closed|crash\\w*|unavailable|busy|terminated|could not be served|not available|disconnect\\w*|unreachable|refused|lost)\\b')}
      no response|try again|went wrong on our end`,
  },
  {
    name: 'about-absence',
    class: 'not_found',
    pattern: anyOf`
      \bno (?:\w+ ){1,4}(?:was |were )?found\b|not? resolve to an?|\bno (?:\w+ ){0,2}files?\b|unknown object|\bcould(?: not|n't) get\b`,
  },
  {
    name: 'about-input',
    class: 'invalid_input',
    pattern: anyOf`
      \bexpected\b|\brequired\b|too many (?!open|symbolic)\w+|does(?: not|n't) match|out of (?:bounds|range)|not defined|not expected|\bcannot (?:add|alter|insert|update|delete|drop|use|change|specify|have|set|compare|be (?:specified|copied|used|combined))\b|\bindentation\b|\bmust\b`,
  },
]
