import { describe, expect, it } from 'vitest'
import { ROUTES } from '../routes/routes.ts'
import { startTestServer } from '../test-server.fixture.ts'

interface Document {
  readonly openapi: string
  readonly paths: Record<
    string,
    Record<string, { readonly responses: object; readonly parameters: unknown[] }>
  >
  readonly components: { readonly schemas: Record<string, object> }
}

async function readDocument(): Promise<Document> {
  const client = await (await startTestServer()).logIn()
  return client.json<Document>('GET', '/api/openapi.json')
}

describe('the OpenAPI document', () => {
  it('describes every route, and every reference resolves', async () => {
    const document = await readDocument()
    expect(document.openapi).toBe('3.1.0')
    const described = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    )
    const routes = ROUTES.map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`)
    expect(described.toSorted()).toEqual(routes.toSorted())
    const text = JSON.stringify(document)
    const references = new Set(
      [...text.matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name!),
    )
    expect(references.size).toBeGreaterThan(10)
    for (const name of references) expect(document.components.schemas).toHaveProperty(name)
    expect(text).not.toContain('$defs')
  })

  it('gives every operation a unique id', async () => {
    const { paths } = await readDocument()
    const names = Object.values(paths).flatMap((methods) =>
      Object.values(methods).map((operation) => (operation as { operationId?: string }).operationId),
    )
    expect(new Set(names).size).toBe(ROUTES.length)
    expect(names).toContain('postThreadsThreadIdMessages')
  })

  it('lists the fields of a body and allows no others', async () => {
    const { components } = await readDocument()
    expect(components.schemas['MessagePost']).toMatchObject({
      type: 'object',
      required: ['text', 'messageId'],
      additionalProperties: false,
      properties: { mode: { enum: ['send', 'steer', 'follow-up', 'interrupt', 'queue'] } },
    })
  })
})
