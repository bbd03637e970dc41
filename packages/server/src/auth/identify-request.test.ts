import { describe, expect, it } from 'vitest'
import { connected, startTestServer } from '../http/test-server.fixture.ts'

describe('a cookie set by another port of this host', () => {
  it('locks nobody out and is matched by its exact name', async () => {
    const server = await startTestServer()
    const ada = await server.logIn('ada')
    const [name] = ada.cookie.split('=')
    for (const cookie of [`${name}=junk; ${ada.cookie}`, `${name}=; ${ada.cookie}; x${name}=junk`]) {
      const answer = await ada.request('/api/me', { headers: { cookie } })
      expect(await answer.json()).toMatchObject({ userId: 'ada' })
      expect(await connected(ada.open({ headers: { cookie } }))).toBe('connected')
    }
  })

  it('cannot make a user act as another user', async () => {
    const server = await startTestServer()
    const [ada, eve] = [await server.logIn('ada'), await server.logIn('eve')]
    for (const cookie of [`${eve.cookie}; ${ada.cookie}`, `${ada.cookie}; ${eve.cookie}`]) {
      expect((await ada.request('/api/me', { headers: { cookie } })).status).toBe(401)
      expect(await connected(ada.open({ headers: { cookie } }))).not.toBe('connected')
    }
  })
})
