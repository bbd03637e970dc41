import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'

/** A span as a collector receives it. */
export interface ReceivedSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  readonly attributes: Readonly<Record<string, unknown>>
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[]
  /** The process that sent it. */
  readonly instance: unknown
}

/** A series of a metric, in its last value. */
interface ReceivedPoint {
  readonly attributes: Readonly<Record<string, unknown>>
  readonly value?: number
  readonly count?: number
  readonly bounds?: readonly number[]
  readonly counts?: readonly number[]
}

/** A collector of OTLP over HTTP, as JSON, that keeps what it receives. */
export interface Collector {
  readonly url: string
  readonly spans: readonly ReceivedSpan[]
  /** The metrics by name, each as it was last sent. */
  readonly metrics: ReadonlyMap<string, { readonly unit: string; readonly points: readonly ReceivedPoint[] }>
  /** Everything that was received, as text. */
  readonly bodies: readonly string[]
  /** Settles when `fits` holds, looking again after each request. */
  until(fits: () => boolean): Promise<void>
}

type Json = Record<string, any> // oxlint-disable-line typescript/no-explicit-any -- the wire format, read below

export async function startCollector(): Promise<Collector> {
  const spans: ReceivedSpan[] = []
  const metrics = new Map<string, { unit: string; points: readonly ReceivedPoint[] }>()
  const bodies: string[] = []
  const looks = new Set<() => void>()
  const server = createServer((request, response) => {
    void json(request).then((body) => {
      bodies.push(JSON.stringify(body))
      for (const one of (body as Json)['resourceSpans'] ?? []) spans.push(...toSpans(one as Json))
      for (const { scopeMetrics } of (body as Json)['resourceMetrics'] ?? [])
        for (const metric of scopeMetrics.flatMap((scope: Json) => scope['metrics'])) {
          metrics.set(metric.name, { unit: metric.unit, points: toPoints(metric) })
        }
      response.setHeader('content-type', 'application/json').end('{}')
      for (const look of looks) look()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    metrics,
    bodies,
    until: (fits) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (!fits()) return
          looks.delete(look)
          resolve()
        }
        looks.add(look)
        look()
      }),
  }
}

/** The spans by their names, each below its parent, without repeats. A parent that was not received is `?`. */
export function drawTree(spans: readonly ReceivedSpan[]): readonly string[] {
  const names = new Map(spans.map(({ spanId, name }) => [spanId, name]))
  const lines = spans.map(({ name, parentSpanId }) =>
    parentSpanId ? `${names.get(parentSpanId) ?? '?'} > ${name}` : name,
  )
  return [...new Set(lines)].toSorted()
}

function toSpans({ resource, scopeSpans }: Json): ReceivedSpan[] {
  const instance = toAttributes(resource.attributes)['service.instance.id']
  return scopeSpans.flatMap(({ spans }: Json) =>
    spans.map((span: Json) => ({
      ...span,
      attributes: toAttributes(span['attributes']),
      links: span['links'] ?? [],
      instance,
    })),
  )
}

const toPoints = (metric: Json): ReceivedPoint[] =>
  (metric['sum'] ?? metric['gauge'] ?? metric['histogram']).dataPoints.map((point: Json) => ({
    attributes: toAttributes(point['attributes']),
    ...(point['asDouble'] === undefined ? undefined : { value: point['asDouble'] }),
    ...(point['count'] === undefined ? undefined : { count: Number(point['count']) }),
    ...(point['explicitBounds'] && {
      bounds: point['explicitBounds'],
      counts: point['bucketCounts'].map(Number),
    }),
  }))

const toAttributes = (attributes: readonly Json[]): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value as Json)[0]]))
