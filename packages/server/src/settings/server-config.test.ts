import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { readServerConfig } from './server-config.ts'

async function folderWith(text?: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'capstan-config-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  if (text !== undefined) await writeFile(join(folder, 'config.json'), text)
  return folder
}

it('the server config is empty without a file and variables', async () => {
  expect(readServerConfig(await folderWith(), {})).toEqual({})
})

it('the server config is read from the file, and the environment overrides it', async () => {
  const folder = await folderWith('{"port":4200,"host":"0.0.0.0","demo":false,"limits":{"streamsPerUser":5}}')
  const env = {
    CAPSTAN_PORT: '0',
    CAPSTAN_ORIGINS: 'https://a.example/, http://b.example:81',
    CAPSTAN_DEMO: '1',
  }
  expect(readServerConfig(folder, env)).toEqual({
    port: 0,
    host: '0.0.0.0',
    origins: ['https://a.example', 'http://b.example:81'],
    demo: true,
    limits: { streamsPerUser: 5 },
  })
})

it.each([
  ['{', {}, 'config.json: is not JSON'],
  ['[]', {}, 'config.json: '],
  ['{"port":70000}', {}, 'config.json, port: must be a whole number from 0 to 65535'],
  ['{"prot":1}', {}, 'config.json, prot: is not known'],
  ['{"limits":{"streamsPerUser":0}}', {}, 'config.json, limits.streamsPerUser: '],
  ['{"limits":{"requests":{"burst":1}}}', {}, 'config.json, limits.requests.perSecond: '],
  ['{"origins":["https://a.example/path"]}', {}, 'config.json, origins.0: must be an address'],
  ['{}', { CAPSTAN_PORT: 'many' }, 'CAPSTAN_PORT: must be a whole number'],
  ['{}', { CAPSTAN_LOG: 'loud' }, 'CAPSTAN_LOG: '],
  ['{}', { CAPSTAN_DEMO: 'perhaps' }, 'CAPSTAN_DEMO: '],
])('the server config refuses %s with %j and names the field', async (text, env, message) => {
  const folder = await folderWith(text)
  expect(() => readServerConfig(folder, env)).toThrow(message)
})
