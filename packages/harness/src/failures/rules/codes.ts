import type { FailureClass } from '@capstan/protocol'
import type { TextRule } from './text-rule.ts'

const coded = (
  scheme: string,
  pattern: (codes: string) => string,
  table: Partial<Record<FailureClass, string>>,
): TextRule[] =>
  Object.entries(table).map(([failureClass, codes]) => ({
    name: scheme,
    class: failureClass as FailureClass,
    pattern: new RegExp(pattern(`(?:${codes.replaceAll(' ', '|')})`)),
  }))

/** Numbers that programs print in a place of their own, each with a meaning its makers fixed. */
export const CODE_RULES: readonly TextRule[] = [
  ...coded('curl-code', (codes) => `curl: \\(${codes}\\)`, {
    timeout: '28',
    bad_credentials: '67',
    too_large: '27 63',
    not_found: '37 78',
    invalid_input: '3 43 61',
    unsupported: '1 4',
    service_unavailable: '5 6 7 16 18 35 47 51 52 53 55 56 58 60 66 77 80 83 90 91 92',
  }),
  // The reply codes of mail servers, in their enhanced form.
  ...coded('mail-code', (codes) => `\\b[45]\\d\\d[ -]#?${codes}`, {
    bad_credentials: '5\\.7\\.[089]\\b 5\\.7\\.14\\b',
    invalid_input: '5\\.1\\.[37]\\b',
    not_found: '5\\.1\\.\\d',
    quota_exhausted: '[45]\\.2\\.2\\b [45]\\.4\\.5\\b',
    too_large: '5\\.3\\.4\\b 5\\.2\\.3\\b',
    blocked_by_policy: '5\\.7\\.\\d+',
    service_unavailable: '4\\.\\d\\.\\d',
  }),
]

/** General codes: the text beside them is more specific. */
export const FAINT_CODE_RULES: readonly TextRule[] = [
  ...coded('rpc-code', (codes) => `(?:code|error)["']?:? ${codes}\\b`, {
    unsupported: '-32601',
    invalid_input: '-32700 -32600 -32602',
    timeout: '-32001',
    service_unavailable: '-32603 -32000',
  }),
]
