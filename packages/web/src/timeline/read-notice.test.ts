import { describe, expect, it } from 'vitest'
import { readArtifactId } from './read-artifact-id.ts'
import { readNotice } from './read-notice.ts'

describe('a notice', () => {
  it('of an app that was connected, or is no longer, names it', () => {
    expect(readNotice('The app Notes is connected now: use delegate with toolkit "notes".')).toEqual({
      name: 'Notes',
      change: 'connected',
    })
    expect(readNotice('The app My Drive (toolkit "drive") is no longer connected.')).toEqual({
      name: 'My Drive',
      change: 'gone',
    })
  })

  it('about anything else is left as it is', () => {
    expect(readNotice('The user asked to continue.')).toBeUndefined()
    expect(readNotice('It says: The app Notes is connected now')).toBeUndefined()
  })
})

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
