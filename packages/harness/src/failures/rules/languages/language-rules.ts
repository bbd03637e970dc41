import type { FailureClass } from '@capstan/protocol'
import type { TextRule } from '../text-rule.ts'
import { toAlternatives } from '../text-rule.ts'
import { ARABIC } from './ar.ts'
import { BENGALI } from './bn.ts'
import { GERMAN } from './de.ts'
import { ELSEWHERE } from './elsewhere.ts'
import { SPANISH } from './es.ts'
import { FRENCH } from './fr.ts'
import { HINDI } from './hi.ts'
import { INDONESIAN } from './id.ts'
import { ITALIAN } from './it.ts'
import { JAPANESE } from './ja.ts'
import { KOREAN } from './ko.ts'
import { PORTUGUESE } from './pt.ts'
import { RUSSIAN } from './ru.ts'
import type { Vocabulary } from './vocabulary.ts'
import { CHINESE } from './zh.ts'

// The class of each vocabulary word, specific ones above general ones.
const ORDER: readonly (readonly [keyof Vocabulary, FailureClass])[] = [
  ['approvalExpired', 'approval_expired'],
  ['deniedByUser', 'denied_by_user'],
  ['policy', 'blocked_by_policy'],
  ['missingApp', 'missing_app'],
  ['certificate', 'service_unavailable'],
  ['syntax', 'invalid_input'],
  ['clash', 'conflict'],
  ['timeout', 'timeout'],
  ['quota', 'quota_exhausted'],
  ['rateLimit', 'rate_limited'],
  ['tooLarge', 'too_large'],
  ['notConnected', 'not_connected'],
  ['credentials', 'bad_credentials'],
  ['permission', 'missing_permission'],
  ['unsupported', 'unsupported'],
  ['conflict', 'conflict'],
  ['unreachable', 'service_unavailable'],
  ['notFound', 'not_found'],
  ['cancelled', 'cancelled'],
  ['invalid', 'invalid_input'],
]

/** Languages that share a script are read together, and only where that script occurs. */
const SCRIPTS: readonly { readonly occurs: RegExp; readonly rules: readonly TextRule[] }[] = [
  { occurs: /[\u0400-\u04ff]/, rules: toRules('cyrillic', RUSSIAN) },
  { occurs: /[\u3040-\u30ff]/, rules: toRules('japanese', JAPANESE) },
  { occurs: /[\uac00-\ud7af]/, rules: toRules('korean', KOREAN) },
  { occurs: /[\u4e00-\u9fff]/, rules: toRules('chinese', CHINESE) },
  { occurs: /[\u0600-\u06ff]/, rules: toRules('arabic', ARABIC) },
  { occurs: /[\u0900-\u097f]/, rules: toRules('devanagari', HINDI) },
  { occurs: /[\u0980-\u09ff]/, rules: toRules('bengali', BENGALI) },
  {
    occurs: /[a-z]/,
    rules: toRules('latin', GERMAN, SPANISH, FRENCH, ITALIAN, PORTUGUESE, INDONESIAN, ELSEWHERE),
  },
]

/** The rules for the scripts that occur in a text, in the order to try them. */
export function languageRules(text: string): readonly TextRule[] {
  return SCRIPTS.flatMap(({ occurs, rules }) => (occurs.test(text) ? rules : []))
}

function toRules(script: string, ...vocabularies: readonly Partial<Vocabulary>[]): TextRule[] {
  return ORDER.map(([concept, failureClass]) => ({
    name: `${script}-${concept}`,
    class: failureClass,
    pattern: new RegExp(
      vocabularies
        .flatMap((vocabulary) => toAlternatives(vocabulary[concept] ?? '') || [])
        .join('|')
        .normalize('NFC'),
    ),
  }))
}
