import type { FailureClass } from '@capstan/protocol'
import { describe, expect, it } from 'vitest'
import { classifyOutcome } from './classify.ts'

// Sentences of our own, a few for each family of texts.
const TEXTS: readonly (readonly [FailureClass, string])[] = [
  ['conflict', 'There are not enough seats on the night train'],
  ['conflict', 'The gift card has an insufficient balance for this basket'],
  ['conflict', 'The lamp is out of stock'],
  ['invalid_input', 'The three sums do not add up'],
  ['not_found', 'That payment method was not found'],
  ['quota_exhausted', 'Insufficient balance'],
  ['invalid_input', 'photos.gz: not in gzip format'],
  ['invalid_input', 'The archive backup.zip is corrupt'],
  ['unknown', 'panic: runtime error: slice bounds out of range [:9] with capacity 4'],
  ['unknown', 'fatal error: all goroutines are asleep'],
  ['cancelled', 'The worker received SIGTERM'],
  ['blocked_by_policy', 'The autonomy level forbids writing'],
  ['blocked_by_policy', 'The path escapes the workspace'],
  ['invalid_input', 'The date is outside the allowed range'],
  ['rate_limited', '并发过高，请慢一点'],
  ['quota_exhausted', '本月的限额已用完'],
  ['bad_credentials', '签名已过期'],
  ['bad_credentials', '簽名已過期'],
  ['too_large', '这段文字超长'],
  ['unknown', '{"errcode":0,"errmsg":"ok"}'],
  ['bad_credentials', '{"error_msg":"the access token is invalid"}'],
]

describe('a text', () => {
  it.each(TEXTS)('is %s: %s', (failureClass, text) => {
    expect(classifyOutcome({ text }).class).toBe(failureClass)
  })
})
