import type { TextRule } from './text-rule.ts'
import { anyOf } from './text-rule.ts'

/** Single words that carry a short statement. In a longer text they would prove nothing. */
export const TERSE_RULES: readonly TextRule[] = [
  {
    name: 'word-approval',
    class: 'approval_expired',
    pattern: /\bapproval\b.{0,40}(?:closed|answer|late|lapse)/,
  },
  {
    name: 'word-no',
    class: 'denied_by_user',
    pattern: /^\W*(?:declined|rejected|denied|refused|not approved)\W*$/,
  },
  {
    name: 'word-time',
    class: 'timeout',
    pattern: /\b\d+ ?(?:ms|s|seconds?|minutes?)\b.{0,15}(?:exceeded|elapsed)|too slow|took \d+|no heartbeat/,
  },
  {
    name: 'word-pace',
    class: 'rate_limited',
    pattern: /\b(?:tpm|rpm|rpd|tpd|qps|rps)\b|too (?:fast|often)|slow ?mode|\bwait of\b|requests allowed/,
  },
  {
    name: 'word-money',
    class: 'quota_exhausted',
    pattern: anyOf`
      \bsubscription\b|\bbilling\b|\bcredits?\b|\btrial\b|\bbalance\b|\bquota\b|good standing|past due|\boverdue\b|\bunpaid\b
      used all|free (?:tier|plan)|\bpaid plan`,
  },
  {
    name: 'word-link',
    class: 'not_connected',
    pattern:
      /oauth connection|(?:no|not?) linked|linked \w+ account|connect (?:the|an?|your) (?:\w+ )?(?:account|app)/,
  },
  {
    name: 'word-sign-in',
    class: 'bad_credentials',
    pattern: anyOf`
      authenticat\w+|(?:interaction|consent|login) required|\boauth\b|\bsign(?:ed)?[ -]in\b|\blog(?:ged)?[ -]?in\b|\bapi key\b|\bpassword\b|\bcredentials?\b`,
  },
  {
    name: 'word-rules',
    class: 'blocked_by_policy',
    pattern:
      /not allowed:|may violate|usage polic|disabled in (?:your|the) settings|\bpolic(?:y|ies)\b|\bdisallowed\b/,
  },
  {
    name: 'word-access',
    class: 'missing_permission',
    pattern:
      /\bprivate\b(?! key)|\brestricted\b|\bprotected\b|\bdenied\b|\bprivileges?\b|\bforbidden\b|\bpermissions?\b|not allowed\b/,
  },
  {
    name: 'word-program',
    class: 'missing_app',
    pattern: /no \w+ runtime|\binstall(?:ation|ed)?\b|\bplugin\b/,
  },
  {
    name: 'word-clash',
    class: 'conflict',
    pattern:
      /\balready (?!up)\w+|(?<![.\w])concurren|being (?:deleted|updated|created)|held by|by someone else|by another \w+|\blocked\b|\bbusy\b|\bstale\b|out of sync|\belement is (?:disabled|hidden|not)\b|\bnot (?:visible|clickable|interactable|attached)\b/,
  },
  {
    name: 'word-reach',
    class: 'service_unavailable',
    pattern: anyOf`
      reachable|transport (?:failure|error)|pool (?:exhausted|timeout)|unhealthy|\bnetwork\b|\bupstream\b|\bunavailable\b|\boutage\b|\bdisconnected\b
      did not return|no content|empty response|(?:\bserver|\bbackend|\bservice) (?:fail|crash)|\bconnection\b`,
  },
  {
    name: 'word-support',
    class: 'unsupported',
    pattern:
      /\bsupport(?:s|ed)\b|(?<!element )\b(?:is|are) disabled\b|cannot (?:edit|be edited)|not available in|\bcompatible\b|\bobsolete\b/,
  },
  {
    name: 'word-size',
    class: 'too_large',
    pattern: /(?:limit|max\w*) (?:is|of) \d+ ?[kmg]?b|\boversized?\b|\bexceeds?\b.{0,30}limit/,
  },
  {
    name: 'word-absence',
    class: 'not_found',
    pattern: /\bnot? (?:be )?found\b|\bunknown id\b|\bno longer available\b|(?<!\bbe )\bdeleted\b/,
  },
  {
    name: 'word-input',
    class: 'invalid_input',
    pattern:
      /\billegal\b(?! state)|(?<!went )\bwrong\b|is (?:before|after)|(?:found|used|given) without|must be followed|\bempty\b|\boverflow\b|\bmismatch\b/,
  },
]
