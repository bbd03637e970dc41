import { describe, expect, it } from 'vitest'
import { toShortIds } from './find-by-id.ts'

describe('a short id', () => {
  it('is the part that tells the time', () => {
    const id = 'run_0mwiip9lr-84b30511-ef32'
    expect(toShortIds([id]).get(id)).toBe('run_0mwiip9lr')
  })

  it('is longer where two would be the same', () => {
    const ids = ['run_0mwiip9lr-84', 'run_0mwiip9lr-8a', 'run_0mwiip9lx-1']
    expect([...toShortIds(ids).values()]).toEqual(['run_0mwiip9lr-84', 'run_0mwiip9lr-8a', 'run_0mwiip9lx'])
  })

  it('may be the beginning of another, and is then whole', () => {
    expect([...toShortIds(['run_a', 'run_ab']).values()]).toEqual(['run_a', 'run_ab'])
  })
})
