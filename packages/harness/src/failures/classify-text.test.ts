import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { FailureClass } from '@capstan/protocol'
import { classifyOutcome } from './classify.ts'

interface LabelledText {
  readonly label: FailureClass
  readonly also?: readonly FailureClass[]
  readonly tool: string
  readonly text: string
}

const classOf = (text: string, tool?: string): FailureClass =>
  classifyOutcome({ text, ...(tool === undefined ? {} : { tool }) }).class

describe('the labelled texts', () => {
  const rows = readFileSync(new URL('labelled-texts.jsonl', import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as LabelledText)
  const judged = rows.map((row) => ({ ...row, got: classOf(row.text, row.tool) }))
  const share = (hits: number, of: number): number => Math.round((1_000 * hits) / of) / 10

  it('get the class of their label', () => {
    const strict = judged.filter(({ label, got }) => got === label).length
    const fair = judged.filter(({ label, also, got }) => got === label || also?.includes(got)).length
    console.log(
      `labelled texts: ${rows.length}, strict ${share(strict, rows.length)} %, fair ${share(fair, rows.length)} %`,
    )
    expect(share(strict, rows.length)).toBeGreaterThanOrEqual(95)
    expect(share(fair, rows.length)).toBeGreaterThanOrEqual(97)
  })

  it('cover every class', () => {
    const weak = [...new Set(rows.map(({ label }) => label))].filter((label) => {
      const own = judged.filter((row) => row.label === label)
      const hits = own.filter(({ also, got }) => got === label || also?.includes(got))
      return hits.length / own.length < 0.75
    })
    expect(weak).toEqual([])
  })

  it('without a reason stay unknown', () => {
    const silent = judged.filter(({ label }) => label === 'unknown')
    const guessed = silent.filter(({ also, got }) => got !== 'unknown' && !also?.includes(got))
    expect(guessed.length / silent.length).toBeLessThanOrEqual(0.1)
  })
})

describe('a fact', () => {
  it('about a passed deadline wins over every text', () => {
    expect(classifyOutcome({ text: '401 Unauthorized', timedOut: true }).class).toBe('timeout')
  })

  it('wins over the output of a command', () => {
    expect(classifyOutcome({ text: 'fatal: Authentication failed', exitCode: 128 }).class).toBe(
      'command_failed',
    )
  })

  it.each<[number, string, FailureClass]>([
    [403, 'Request had insufficient authentication scopes.', 'bad_credentials'],
    [403, 'You have exceeded a secondary rate limit.', 'rate_limited'],
    [403, 'The page was not shared with your integration.', 'missing_permission'],
    [403, 'Blocked by your organization policy.', 'blocked_by_policy'],
    [403, '', 'missing_permission'],
    [429, 'You exceeded your current quota, check your plan.', 'quota_exhausted'],
    [429, 'Please wait.', 'rate_limited'],
    [400, 'A label with that name already exists.', 'conflict'],
    [404, 'Make sure the page is shared with your integration.', 'missing_permission'],
    [500, 'invalid token in template', 'service_unavailable'],
  ])('of status %i with "%s" is %s', (httpStatus, text, failureClass) => {
    expect(classifyOutcome({ httpStatus, text }).class).toBe(failureClass)
  })

  it('may name the class itself', () => {
    expect(classifyOutcome({ errorCode: 'too_large', text: 'no such file' }).class).toBe('too_large')
  })

  it('with an unknown code is treated as text', () => {
    expect(classifyOutcome({ errorCode: 'invalid_grant' }).class).toBe('bad_credentials')
    expect(classifyOutcome({ errorCode: 'E_ODD' }).class).toBe('unknown')
  })

  it('tells a missing program from a missing file', () => {
    expect(classifyOutcome({ errorCode: 'ENOENT', text: 'spawn pandoc ENOENT' }).class).toBe('missing_app')
    expect(classifyOutcome({ errorCode: 'ENOENT', text: "open 'notes.md'" }).class).toBe('not_found')
  })
})

describe('a text of the harness', () => {
  it.each<[string, FailureClass]>([
    ['[policy-blocked] Network commands are refused here.', 'blocked_by_policy'],
    ['Error executing shell: [policy-blocked] No.', 'blocked_by_policy'],
    ['[policy-denied] The user said no.', 'denied_by_user'],
    ['[policy-denied] The approval timed out.', 'approval_expired'],
    ['The command ended with exit code 127.\nsh: 1: jq: not found', 'missing_app'],
    ['The command ended with exit code 126.', 'missing_permission'],
    ['The command ended with exit code 1.\n401 Unauthorized', 'command_failed'],
    ['There is no tool named "serch". Available: search.', 'not_found'],
    [
      'The arguments of "fetch" do not fit: url is missing. Expected: {"description":"401 when the token expired"}',
      'invalid_input',
    ],
  ])('%s is %s', (text, failureClass) => {
    expect(classOf(text)).toBe(failureClass)
  })

  it('counts only where the harness writes it', () => {
    expect(classOf('The page says: [policy-blocked] is a marker.')).not.toBe('blocked_by_policy')
    expect(classOf('Note to self\n[policy-denied]')).toBe('unknown')
  })
})

describe('a status code in a text', () => {
  it.each<[string, FailureClass]>([
    ['HTTP/1.1 404 Whatever', 'not_found'],
    ['request failed with status 403', 'missing_permission'],
    ['Request failed (429)', 'rate_limited'],
    ['error 503: odd', 'service_unavailable'],
    ['{"error":{"code":401}}', 'bad_credentials'],
    ['statusCode=409', 'conflict'],
    ['GET https://api.example/v1/things: 410', 'not_found'],
  ])('is found in "%s"', (text, failureClass) => {
    expect(classOf(text)).toBe(failureClass)
  })

  it.each([
    'job 404 ended oddly',
    'KeyError: order_4010403',
    'at Main.java:503',
    'port 8401 odd',
    'wrote 413 rows',
    '2026-04-29 odd end',
    'id 7f401a odd',
    'line 429, column 403',
    'Process exited with code 500',
  ])('is not found in "%s"', (text) => {
    expect(classOf(text)).toBe('unknown')
  })
})

describe('text that only looks like a reason', () => {
  it.each<[string, string]>([
    ['a report of success', 'Created ticket 404: "permission denied on login".'],
    ['a listing of commits', '1a2b3c4 retry on 429\n5d6e7f8 fix: token expired (401)'],
    ['search hits', 'src/a.ts:12:  // timed out\nsrc/b.ts:7: throw new Error("not found")'],
    ['source', 'def load():\n    raise PermissionError("permission denied")'],
    ['a diff', 'diff --git a/x b/x\n@@ -1 +1 @@\n-not found\n+already exists'],
    ['passing tests', '✓ answers 404 when not found\n✓ waits when rate limited'],
    ['a page about errors', '# Errors\nWhen you see 401 Unauthorized, sign in again.'],
    ['a letter', 'Subject: timeout\n\nThe upload timed out again, access denied.'],
    ['rows of data', '{"items":[{"title":"429 Too Many Requests"},{"title":"Not found"}]}'],
    ['a schema', '{"type":"object","properties":{"error":{"type":"string","description":"not found"}}}'],
    ['a log of calm', '2026-01-01 INFO timeout set to 30s\n2026-01-01 INFO permission denied list loaded'],
  ])('is no reason: %s', (_, text) => {
    expect(classOf(text)).toBe('unknown')
  })

  it('yields to the last line of a traceback', () => {
    const text = [
      'Traceback (most recent call last):',
      '  File "/srv/timeout/permission_denied.py", line 404, in fetch',
      '    raise_for_status("unauthorized")',
      'requests.exceptions.HTTPError: 422 Client Error for url: https://api.example/v1/rate-limit',
    ].join('\n')
    expect(classOf(text)).toBe('invalid_input')
  })

  it('yields to the one error line of a long output', () => {
    const calm = Array.from({ length: 2_000 }, (_, row) => `[12:00] copied part ${row} of 404`)
    const failed = 'error: upload rejected: Request Entity Too Large'
    expect(classOf([...calm, failed].join('\n'))).toBe('too_large')
    expect(classOf([...calm, failed, ...calm].join('\n'))).toBe('too_large')
  })
})

describe('the same reason', () => {
  it.each<[FailureClass, string[]]>([
    [
      'missing_permission',
      [
        'Permission denied',
        'Keine Berechtigung',
        'Permesso negato',
        '権限がありません',
        'ليس لديك إذن',
        'অনুমতি নেই',
      ],
    ],
    [
      'timeout',
      ['Timed out', 'Tiempo de espera agotado', 'Délai dépassé', '请求超时', 'Waktu habis', 'समय समाप्त'],
    ],
    [
      'not_found',
      ['No such file', 'Datei nicht gefunden', 'Файл не найден', '찾을 수 없습니다', 'Não encontrado'],
    ],
  ])('is %s in every language', (failureClass, texts) => {
    expect(texts.map((text) => classOf(text))).toEqual(texts.map(() => failureClass))
  })

  it('is about the model when a model was called', () => {
    expect(classOf('connect ECONNREFUSED 127.0.0.1:9999', 'crm.search')).toBe('service_unavailable')
    expect(classOf('connect ECONNREFUSED 127.0.0.1:9999', 'llm.chat')).toBe('model_unreachable')
  })
})

describe('the time to wait', () => {
  it.each<[string, number]>([
    ['429 Too Many Requests: retry after 30 seconds', 30_000],
    ['Rate limit reached. Please try again in 2m.', 120_000],
    ['Rate limit reached. Please try again in 1m26.5s.', 86_500],
    ['HTTP/1.1 429 Too Many Requests\nRetry-After: 7\n\nslow down', 7_000],
    ['{"message":"You are being rate limited.","retry_after":0.5}', 500],
    ['503 overloaded, "retryDelay": "340ms"', 340],
  ])('is read from "%s"', (text, retryAfterMs) => {
    expect(classifyOutcome({ text }).retryAfterMs).toBe(retryAfterMs)
  })

  it('is taken from the facts when they have it', () => {
    expect(classifyOutcome({ text: 'rate limit: retry after 30 s', retryAfterMs: 5 }).retryAfterMs).toBe(5)
  })

  it('is absent where a retry does not help', () => {
    expect(classifyOutcome({ text: 'Invalid password. Try again in 30 seconds.' })).not.toHaveProperty(
      'retryAfterMs',
    )
  })
})

describe('the evidence', () => {
  it('names the rule and a short fact', () => {
    const { evidence } = classifyOutcome({ text: 'bash: jq: command not found' })
    expect(evidence).toEqual({ rule: 'program-missing', fact: 'command not found' })
  })

  it('never contains a key or much of the text', () => {
    const key = 'sk-live-4f9a8b7c6d5e4f3a2b1c'
    const texts = [`Invalid API key ${key} provided`, `token ${key} has expired ${'and so on '.repeat(60)}`]
    for (const text of texts) {
      const fact = classifyOutcome({ text }).evidence?.fact ?? ''
      expect(fact).not.toContain(key)
      expect(fact.length).toBeLessThanOrEqual(80)
    }
  })
})

describe('classifying a text', () => {
  it('takes no longer for a text ten times as long', () => {
    const line =
      'warning: something odd happened, the access to it was not as expected, no permission error\n'
    const short = line.repeat(300)
    const long = line.repeat(3_000)
    const time = (text: string): number => {
      const rounds = Array.from({ length: 15 }, () => {
        const start = performance.now()
        classOf(text)
        return performance.now() - start
      })
      return Math.min(...rounds)
    }
    time(short)
    expect(time(long)).toBeLessThan(10 * time(short) + 5)
  })

  it('never throws for any text', () => {
    const texts = [
      '',
      '{',
      '[',
      '{"error":',
      '<',
      '\u0000',
      '{"error":{"error":{"error":1}}}',
      '"'.repeat(5_000),
    ]
    for (const text of texts) expect(() => classOf(text)).not.toThrow()
  })
})
