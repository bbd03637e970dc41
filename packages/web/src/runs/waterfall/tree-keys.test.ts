import { expect, it } from 'vitest'
import { callRow, detail } from '../run.fixture.ts'
import { moveInTree } from './tree-keys.ts'
import { layOutWaterfall, openRows } from './waterfall.ts'

const all = layOutWaterfall(
  detail({ calls: [callRow('run_1', 'a', { at: 3000 }), callRow('run_1', 'b', { at: 5000 })] }),
  0,
).rows

const press = (
  key: string,
  current: string,
  { closed = new Set(), dir = 'ltr' }: { closed?: ReadonlySet<string>; dir?: 'ltr' | 'rtl' } = {},
): unknown => moveInTree(key, { rows: openRows(all, closed), current, closed, dir })

it('moveInTree moves up, down and to both ends', () => {
  expect(press('ArrowDown', 'run_1')).toEqual({ type: 'go', key: 'run_1/a' })
  expect(press('ArrowUp', 'run_1/b')).toEqual({ type: 'go', key: 'run_1/a' })
  expect(press('End', 'run_1')).toEqual({ type: 'go', key: 'run_1/b' })
  expect(press('Home', 'run_1/b')).toEqual({ type: 'go', key: 'run_1' })
  expect(press('ArrowUp', 'run_1')).toBeUndefined()
})

it('moveInTree enters and leaves a row, or opens and closes it', () => {
  expect(press('ArrowRight', 'run_1')).toEqual({ type: 'go', key: 'run_1/a' })
  expect(press('ArrowLeft', 'run_1/b')).toEqual({ type: 'go', key: 'run_1' })
  expect(press('ArrowLeft', 'run_1')).toEqual({ type: 'close', key: 'run_1' })
  const closed = new Set(['run_1'])
  expect(press('ArrowRight', 'run_1', { closed })).toEqual({ type: 'open', key: 'run_1' })
  expect(press(' ', 'run_1', { closed })).toEqual({ type: 'open', key: 'run_1' })
  expect(press('ArrowRight', 'run_1/a')).toBeUndefined()
})

it('moveInTree enters to the left in right-to-left languages', () => {
  expect(press('ArrowLeft', 'run_1', { dir: 'rtl' })).toEqual({ type: 'go', key: 'run_1/a' })
  expect(press('ArrowRight', 'run_1/b', { dir: 'rtl' })).toEqual({ type: 'go', key: 'run_1' })
})

it('moveInTree ignores every other key', () => {
  expect(press('x', 'run_1')).toBeUndefined()
  expect(press('ArrowDown', 'nowhere')).toBeUndefined()
})
