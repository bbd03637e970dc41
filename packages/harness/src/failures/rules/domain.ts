import type { TextRule } from './text-rule.ts'
import { anyOf } from './text-rule.ts'

const PLACES =
  '(?:seats?|rooms?|tables?|slots?|tickets?|places?|spots?|spaces|beds?|vehicles?|cars?|appointments?|units?|copies)'
const MEANS = '(?:gift ?cards?|vouchers?|certificates?|store credit|wallet|payment methods?|coupons?)'
const THING =
  '(?:account|card|transaction|order|booking|reservation|product|item|ticket|line|contract|loan|bill|invoice|payment)'
/** What an app calls one of its things: in quotes, or with a digit. */
const NAME = `(?:'[^'\\n]{1,60}'|"[^"\\n]{1,60}"|#?[a-z-]{0,20}\\d[\\w-]*)`
const STATE = [
  '(?:active|activated|open|closed|pending|confirmed|approved|paid|overdue|past due|frozen|suspended|terminated|delivered|shipped',
  'completed|processed|refundable|eligible|cancell?ed|checked in|on loan|in good standing)',
].join('|')
const SHORT = '(?:not enough|insufficient|too low|not sufficient|does not cover)'

/**
 * Refusals by what an app itself deals in: seats, stock, gift cards. They read like limits of a plan or of an account and
 * are neither.
 */
export const DOMAIN_RULES: readonly TextRule[] = [
  {
    name: 'none-left',
    class: 'conflict',
    pattern: anyOf`
      \bnot enough (?:free |available |remaining )?(?:${PLACES}|stock|inventory|items|availability)\b
      \bno (?:more |free |available )?${PLACES}(?: are| is)? (?:left|available|remaining|free)\b
      \bsold out\b|\bout of stock\b|\b(?:fully|over)[- ]?booked\b|\bno availability\b
      \bonly \d+ (?:\w+ )?(?:left|remaining|in stock)\b|\b(?:inventory|stock) (?:is )?(?:too low|insufficient|empty|exhausted)
      \bnot available (?:on|at|for) (?:the )?(?:dates?|days?|selected|chosen|requested|given|these|those|that (?:date|day|time)|\d)`,
  },
  {
    name: 'means-too-small',
    class: 'conflict',
    pattern: anyOf`
      \b${MEANS}\b.{0,40}\b${SHORT}\b
      \b${SHORT}\b.{0,40}\b${MEANS}\b
      \binsufficient (?:funds|balance) (?:in|on|for|to) (?!your\b|this\b)|\bbalance must be\b
      \b(?:transfer|withdrawal|payment|purchase|booking|borrowing) limit\b
      \bdo(?:es)?(?: not|n't) have enough (?:\w+ ){1,3}(?:left|remaining)\b`,
  },
  {
    name: 'wrong-state',
    class: 'conflict',
    pattern: anyOf`
      \b[a-z]+ ${NAME} is (?:not|no longer|already|not yet) ${STATE}\b|\bmust be ${STATE} (?:to|before|first)\b
      \bonly ${STATE} \w+ can (?:be|have)\b|\bcurrent status(?::| is) [a-z]
      \balready has an?\b|\bnon-${STATE}\b.{0,40}\bcan(?:not| not|'t) be\b
      \b(?!disk|drive|device|volume|mailbox|queue|buffer|partition)[a-z]+ ${NAME} is full\b`,
  },
  {
    name: 'wrong-kind',
    class: 'invalid_input',
    pattern: anyOf`
      \b${THING} ${NAME} is not an? \w
      \bamount\b.{0,40}\bexceeds?\b.{0,40}\bbalance\b`,
  },
  {
    name: 'called-off',
    class: 'conflict',
    pattern:
      /\b(?:event|meeting|order|booking|reservation|subscription|flight|appointment|ticket|invitation) (?:has been|was|is)(?: already)? cancell?ed\b/,
  },
  {
    name: 'sums-differ',
    class: 'invalid_input',
    pattern: anyOf`
      \b(?:does|do|did)(?: not|n't) add up\b
      \b(?:number|amount|total|count|sum)s? of .{1,40}\b(?:does not|doesn't|do not|don't|should|must|has to) match
      \bminimum (?:order|amount|stay|quantity|purchase)\b|\bdoes(?: not|n't) apply to\b|\bnot applicable to\b`,
  },
]

/** Things that have taken their course, read when nothing else gives a reason. */
export const COURSE_RULES: readonly TextRule[] = [
  {
    name: 'too-late',
    class: 'conflict',
    pattern: anyOf`
      \b(?:has|have|is|was|are) (?:already |now )?(?:been )?(?:departed|started|begun|ended|closed|shipped|dispatched|delivered|over|finished|redeemed|expired)\b
      \bnot (?:yet )?${STATE}\b.{0,40}\bcan(?:not| not|'t) be\b|\bis no longer ${STATE}\b|\bcan(?:not| not|'t) be .{1,40} while\b
      \b(?:eligibility|prerequisites?|requirements?|conditions?)\b.{0,40}\bnot (?:been )?met\b
      \bdo(?:es)?(?: not|n't) have an? (?:active|open|pending)\b|\bunable to be \w+ed\b
      \bcan(?:not| not|'t)(?: \w+)? be (?:changed|modified|cancell?ed|returned|exchanged|refunded|rebooked|redeemed|transferred|moved|reopened|undone)\b
      \b(?:not your turn|twice)\b|\b(?:window|period|deadline|registration|booking|enrol?ment) (?:has |is |was )?(?:closed|over|passed|expired)`,
  },
  {
    name: 'does-not-go-together',
    class: 'invalid_input',
    pattern: anyOf`
      \bdo(?:es)?(?: not|n't) (?:belong to|match)\b|\bcan(?:not| not|'t) be the same\b
      \bis not (?:higher|lower|greater|less|more|later|earlier|larger|smaller) than\b
      \bexceeds? the (?:maximum|allowed|capacity|number|remaining|outstanding)\b
      \bcan only be \w+ed\b|\bnot offered (?:for|in|to|on)\b`,
  },
]
