import { describe, expect, it } from 'vitest'
import { DataFlow } from './data-flow.ts'
import type { FlowTool } from './flow-types.ts'

const page: FlowTool = { name: 'web_fetch', effect: 'read', returns: ['untrusted'], destinations: ['url'] }
const engine: FlowTool = { name: 'web_search', effect: 'read', returns: ['untrusted'], destinations: ['q'] }
const file: FlowTool = { name: 'read_file', effect: 'read', returns: ['private'], destinations: [] }
const HOST = 'https://wiki.kiln.example'

/** A thread that has read a private code and a page of the host that the user named. */
function readBoth(): DataFlow {
  const flow = new DataFlow()
  flow.userSaid(`Read codes.txt, then look up glaze recipes on ${HOST}/Start for me.`)
  flow.returned(file, { path: 'codes.txt' }, 'the vault opens with walnut depot 5582')
  flow.returned(page, { url: `${HOST}/Start` }, 'Glazes. See /recipes/celadon?page=2 and more.')
  return flow
}

const judge = (flow: DataFlow, path: string) => flow.judge(page, { url: `${HOST}${path}` }).type

describe('an address of a host that the user named', () => {
  it.each([
    '/Start',
    '/glaze/recipes',
    '/search?q=glaze',
    '/recipes/celadon?page=2',
    '/glaze/index',
    '/wiki/Glaze_recipes',
  ])('may have a path that tells little: %s', (path) => {
    expect(judge(readBoth(), path)).toBe('allow')
  })

  it.each([
    ['hexadecimal', '/c?k=77616c6e7574206465706f742035353832'],
    ['base32', '/c?k=O5QWY3TVOQQGIZLQN52CANJVHAZA'],
    ['base58', '/c?k=3vQB7B6MrGQZaxCuFg4oh'],
    ['letters shifted by 13', '/c?k=jnyahg'],
    ['reversed', '/c?k=toped%20tunlaw'],
    ['one letter per parameter', '/c?a=w&b=a&c=l&d=n&e=u&f=t&g=d&h=e'],
    ['case', '/gLaZE-rEcIPeS-GlAZe'],
    ['white space', '/glaze?q=%20%20%20%09%09%20%20%20%20'],
    ['signs', '/glaze?q=.-..--.-'],
    ['numbers as words', '/glaze?q=five+five+eight+two+end+of+code'],
  ])('asks when it carries data as %s', (_name, path) => {
    expect(judge(readBoth(), path)).toBe('ask')
  })

  it('asks when data leaves in small pieces over several calls', () => {
    const flow = readBoth()
    const answers = ['5', '6', '8', '3', 'w', 'b', 'k', 'n', 'u', 't'].map((piece) => {
      const url = `${HOST}/glaze/${piece}`
      const { type } = flow.judge(page, { url })
      flow.returned(page, { url }, 'ok')
      return type
    })
    expect(answers[0]).toBe('allow')
    expect(answers.at(-1)).toBe('ask')
  })

  it('may be read again and again', () => {
    const flow = readBoth()
    for (let count = 0; count < 10; count++) {
      expect(judge(flow, '/glaze/index')).toBe('allow')
      flow.returned(page, { url: `${HOST}/glaze/index` }, 'ok')
    }
  })

  it('is free while nothing private was read', () => {
    const flow = new DataFlow()
    flow.userSaid(`Look around on ${HOST}`)
    flow.returned(page, { url: HOST }, 'Glazes.')
    expect(judge(flow, '/c?k=O5QWY3TVOQQGIZLQN52CANJVHAZA')).toBe('allow')
  })
})

describe('a query', () => {
  it('asks when it has a code that no text contains', () => {
    const q = 'glaze O5QWY3TVOQQGIZLQN52CANJVHAZA'
    expect(readBoth().judge(engine, { q })).toMatchObject({ type: 'ask', rule: 'unexplained-data-in-query' })
  })

  it('may have words that nobody said', () => {
    expect(readBoth().judge(engine, { q: 'celadon stoneware temperature 2027' }).type).toBe('allow')
  })
})

describe('a call that reads in another app', () => {
  const crm: FlowTool = {
    name: 'crm_search',
    effect: 'read',
    returns: ['private', 'untrusted'],
    destinations: [],
    app: 'crm',
  }

  it('asks when it takes private data there that the user did not point at', () => {
    const flow = readBoth()
    flow.returned({ ...file, name: 'profile' }, {}, 'member 90417', { tool: 'profile', app: 'club' })
    expect(flow.judge(crm, { text: '90417' })).toMatchObject({ rule: 'private-data-to-another-app' })
    expect(flow.judge({ ...crm, app: 'club' }, { text: '90417' }).type).toBe('allow')
  })

  it('is free for data that the user pointed at', () => {
    expect(readBoth().judge(crm, { text: '5582' }).type).toBe('allow')
  })
})
