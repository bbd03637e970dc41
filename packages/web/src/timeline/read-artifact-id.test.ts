import { describe, expect, it } from 'vitest'
import { readArtifactId } from './read-artifact-id.ts'

describe('an output of which a part is shown', () => {
  it('says where the whole is', () => {
    const note =
      '[A part is shown; the whole output is 9 bytes. Read on with read_artifact {"id": "art_1", "offset": 0}.]'
    expect(readArtifactId(`abc\n${note}`)).toBe('art_1')
  })

  it('is told from one that only talks of it far above its end', () => {
    expect(readArtifactId(`read_artifact {"id": "art_1"}${'x'.repeat(700)}`)).toBeUndefined()
    expect(readArtifactId('all of it')).toBeUndefined()
  })
})
