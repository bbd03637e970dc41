import { describe, expect, it } from 'vitest'
import { toShortIds } from './find-by-id.ts'

describe('toShortIds', () => {
  it('shortens an id to its timestamp', () => {
    const id = 'run_0mwiip9lr-84b30511-ef32'
    expect(toShortIds([id]).get(id)).toBe('run_0mwiip9lr')
  })

  it('keeps more of ids that would be equal', () => {
    const ids = ['run_0mwiip9lr-84', 'run_0mwiip9lr-8a', 'run_0mwiip9lx-1']
    expect([...toShortIds(ids).values()]).toEqual(['run_0mwiip9lr-84', 'run_0mwiip9lr-8a', 'run_0mwiip9lx'])
  })

  it('keeps an id whole when it is the start of another', () => {
    expect([...toShortIds(['run_a', 'run_ab']).values()]).toEqual(['run_a', 'run_ab'])
  })
})
