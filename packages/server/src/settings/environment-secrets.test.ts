import { expect, it } from 'vitest'
import { secretsOf } from './environment-secrets.ts'

it('names the keys of models, of the nodes, of the bucket, and the password of the database in both forms', () => {
  const env = {
    OPENAI_API_KEY: 'model-key',
    CAPSTAN_SECRET_KEY: ' a1a1a1a1 ',
    AWS_SECRET_ACCESS_KEY: 'bucket-key',
    AWS_ACCESS_KEY_ID: 'not-secret',
    HOME: '/root',
  }
  const found = new Set(secretsOf(env, 'postgres://ann:pass%2Fword@db.example/capstan'))
  for (const secret of ['model-key', 'a1a1a1a1', 'bucket-key', 'pass%2Fword', 'pass/word'])
    expect(found).toContain(secret)
  expect(found).not.toContain('not-secret')
})

it('leaves out a password that is the name of its user', () => {
  expect(secretsOf({}, 'postgres://postgres:postgres@127.0.0.1/capstan')).toEqual([])
})

it.each([undefined, 'not an address', 'postgres://db.example/x', 'postgres://a:%zz@db.example/x'])(
  'accepts the address %s',
  (url) => expect(secretsOf({}, url)).toBeInstanceOf(Array),
)
