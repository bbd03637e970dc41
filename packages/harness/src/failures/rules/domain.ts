import type { TextRule } from './text-rule.ts'
import { anyOf } from './text-rule.ts'

const PLACES =
  '(?:seats?|rooms?|tables?|slots?|tickets?|places?|spots?|beds?|vehicles?|cars?|appointments?|units?|copies)'
const MEANS = '(?:gift ?cards?|vouchers?|certificates?|store credit|wallet|payment methods?|coupons?)'
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
      \b${SHORT}\b.{0,40}\b${MEANS}\b`,
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
      \b(?:non|not)-?(?:yet )? ?(?:pending|delivered|shipped|paid|active|confirmed|completed|processed)\b.{0,40}\bcan(?:not| not|'t) be\b
      \bcan(?:not| not|'t)(?: \w+)? be (?:changed|modified|cancell?ed|returned|exchanged|refunded|rebooked|redeemed|transferred|moved|reopened|undone)\b
      \b(?:not your turn|twice)\b|\b(?:window|period|deadline|registration|booking|enrol?ment) (?:has |is |was )?(?:closed|over|passed|expired)`,
  },
]
