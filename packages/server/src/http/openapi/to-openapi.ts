import { z } from 'zod'
import type { Route } from '../route.ts'
import { NOTHING } from '../route.ts'
import { apiProblem } from '../schemas/account.ts'

type Json = Record<string, unknown>

/** The API as an OpenAPI 3.1 document, made from the list of routes alone. */
export function toOpenApi(routes: readonly Route[], version: string): Json {
  const schemas: Json = {}
  const toSchema = (schema: z.ZodType, io: 'input' | 'output'): Json => {
    const {
      $schema: _,
      $defs,
      ...json
    } = z.toJSONSchema(schema, {
      io,
      unrepresentable: 'any',
      cycles: 'ref',
      reused: 'inline',
    }) as Json
    Object.assign(schemas, $defs)
    return reroute(json)
  }
  const problem = {
    description: 'A refusal.',
    content: { 'application/json': { schema: toSchema(apiProblem, 'output') } },
  }
  const paths: Record<string, Json> = {}
  for (const route of routes) {
    const path = route.path.replaceAll(/:(\w+)/g, '{$1}')
    paths[path] ??= {}
    paths[path][route.method.toLowerCase()] = {
      summary: route.summary,
      operationId: toOperationId(route),
      ...(route.rights === 'open' ? { security: [] } : undefined),
      parameters: [
        ...toParameters(toSchema(route.params, 'input'), 'path'),
        ...toParameters(toSchema(route.query, 'input'), 'query'),
      ],
      ...(route.body
        ? {
            requestBody: {
              required: true,
              content: {
                'application/json': { schema: toSchema(route.body, 'input'), example: route.example },
              },
            },
          }
        : undefined),
      responses: {
        ...toAnswer(route, toSchema),
        default: problem,
      },
    }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Capstan', version, description: 'HTTP sends commands; the socket delivers events.' },
    security: [{ cookie: [] }, { bearer: [] }],
    paths,
    components: {
      schemas: Object.fromEntries(
        Object.entries(schemas).map(([name, schema]) => [name, reroute(schema as Json)]),
      ),
      securitySchemes: {
        cookie: { type: 'apiKey', in: 'cookie', name: 'capstan_<port>' },
        bearer: { type: 'http', scheme: 'bearer', description: 'The install token.' },
      },
    },
  }
}

function toAnswer({ answer, status }: Route, toSchema: (schema: z.ZodType, io: 'output') => Json): Json {
  if (answer === NOTHING) return { 204: { description: 'Done.' } }
  if (!(answer instanceof z.ZodType))
    return { 200: { description: 'The bytes.', content: { [answer.mediaType]: {} } } }
  const content = { 'application/json': { schema: toSchema(answer, 'output') } }
  return {
    [status ?? 200]: { description: status === 202 ? 'Accepted and stored.' : 'The answer.', content },
  }
}

function toParameters(schema: Json, place: 'path' | 'query'): Json[] {
  const required = new Set(schema['required'] as string[] | undefined)
  return Object.entries((schema['properties'] ?? {}) as Json).map(([name, field]) => ({
    name,
    in: place,
    required: place === 'path' || required.has(name),
    schema: field,
  }))
}

const toOperationId = ({ method, path }: Route): string =>
  `${method.toLowerCase()}${path.replace('/api', '').replaceAll(/(?<![/:-])[/:-]+(\w)/g, (_, letter: string) => letter.toUpperCase())}`

/** Moves references to where OpenAPI keeps shared schemas. */
function reroute(json: Json): Json {
  const text = JSON.stringify(json, (key, value: unknown) =>
    key === 'id' && isName(value) ? undefined : value,
  )
  return JSON.parse(text.replaceAll('"#/$defs/', '"#/components/schemas/')) as Json
}

// `meta({ id })` leaves the name in the schema itself, where it has no meaning.
const isName = (value: unknown): boolean => typeof value === 'string'
