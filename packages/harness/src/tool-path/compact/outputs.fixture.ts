import type { OutputFacts } from './compactor.ts'

export const facts = (known: Partial<OutputFacts> = {}): OutputFacts => ({
  tool: 'fetch_orders',
  command: undefined,
  ok: true,
  profile: 'full',
  ...known,
})

export const linesOf = (count: number, line: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => line(index)).join('\n')

/** A list of orders, as an app answers: indented, with figures that a number cannot hold. */
export const ordersJson = (count: number): string =>
  `[\n${Array.from(
    { length: count },
    (_, index) =>
      `  {\n    "id": 90071992547409930${index},\n    "customer": "Customer ${index}",\n    "total": 12.50\n  }`,
  ).join(',\n')}\n]`

export const SERVER_LOG = linesOf(400, (index) => {
  const at = `2031-05-06T07:${String(index % 60).padStart(2, '0')}:11.042Z`
  if (index === 137) return `${at} ERROR pool exhausted after 30 waiting clients`
  if (index === 260) return `${at} WARN disk is 91% full`
  return `${at} INFO heartbeat from worker`
})

export const FAILED_TESTS = [
  ...Array.from({ length: 300 }, (_, index) => ` ✓ src/unit-${index}.test.ts (4 tests) ${index % 17}ms`),
  ' ❯ src/basket.test.ts (2 tests | 1 failed) 9ms',
  '   × adds the tax once',
  '',
  ' FAIL  src/basket.test.ts > adds the tax once',
  'AssertionError: expected 119 to be 238',
  '',
  '- Expected',
  '+ Received',
  '',
  '- 238',
  '+ 119',
  '',
  ' ❯ src/basket.test.ts:14:22',
  ...Array.from({ length: 200 }, (_, index) => ` ✓ src/more-${index}.test.ts (4 tests) ${index % 13}ms`),
  ' Test Files  1 failed | 500 passed (501)',
].join('\n')
