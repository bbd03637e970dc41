import { describe, expect, it } from 'vitest'
import { readArtifactId } from './read-artifact-id.ts'
import { readNotice } from './read-notice.ts'

describe('readNotice', () => {
  it('names the app that was connected or disconnected', () => {
    expect(readNotice('The app Notes is connected now: use delegate with toolkit "notes".')).toEqual({
      name: 'Notes',
      change: 'connected',
    })
    expect(readNotice('The app My Drive (toolkit "drive") is no longer connected.')).toEqual({
      name: 'My Drive',
      change: 'gone',
    })
  })

  it('returns undefined for any other notice', () => {
    expect(readNotice('The user asked to continue.')).toBeUndefined()
    expect(readNotice('It says: The app Notes is connected now')).toBeUndefined()
  })
})

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
