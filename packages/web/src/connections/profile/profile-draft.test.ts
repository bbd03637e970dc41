import type { ServerProfile } from '@capstan/protocol'
import { expect, it } from 'vitest'
import { toDraft, toProfile } from './profile-draft.ts'

const PROFILE: ServerProfile = {
  folders: [
    { path: '/opt/files', access: 'read' },
    { path: '/home/ada/notes', access: 'write' },
  ],
  network: 'hosts',
  hosts: ['example.com', '*.example.org'],
  environment: ['TOKEN'],
}

it('a profile survives being edited as text', () => {
  expect(toProfile(toDraft(PROFILE))).toEqual(PROFILE)
})

it('a draft of a profile ignores blank lines and repeats, and writing includes reading', () => {
  const draft = { ...toDraft(PROFILE), read: ' /a \n\n/a\n/home/ada/notes', environment: 'B\n\nB' }
  expect(toProfile(draft)).toMatchObject({
    folders: [
      { path: '/a', access: 'read' },
      { path: '/home/ada/notes', access: 'write' },
    ],
    environment: ['B'],
  })
})

it('a draft of a profile names hosts only for the network that uses them', () => {
  expect(toProfile({ ...toDraft(PROFILE), network: 'off' })).toMatchObject({ network: 'off', hosts: [] })
})
