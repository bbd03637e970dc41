import { describe, expect, it } from 'vitest'
import { readArtifactId } from './read-artifact-id.ts'

describe('readArtifactId', () => {
  it('returns the artifact of a cut output', () => {
    const note =
      '[A part is shown; the whole output is 9 bytes. Read on with read_artifact {"id": "art_1", "offset": 0}.]'
    expect(readArtifactId(`abc\n${note}`)).toBe('art_1')
  })

  it('ignores the same text far above the end of an output', () => {
    expect(readArtifactId(`read_artifact {"id": "art_1"}${'x'.repeat(700)}`)).toBeUndefined()
    expect(readArtifactId('all of it')).toBeUndefined()
  })
})
