import type { TurnEvent } from '@capstan/protocol'
import type { Registry } from 'prom-client'
import { Counter, Gauge, Histogram } from 'prom-client'

const HTTP_SECONDS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const DELAY_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]

/** Measures requests, and the events that reach watchers. */
export interface DeliveryMetrics {
  readonly sockets: Gauge
  readonly streams: Gauge
  countRequest(route: { readonly method: string; readonly path: string }, status: number, ms: number): void
  countSent(events: readonly TurnEvent[], isLive: boolean): void
  countRefusal(reason: string): void
}

export function createDeliveryMetrics(registers: Registry[]): DeliveryMetrics {
  const requests = new Histogram({
    name: 'capstan_http_request_seconds',
    help: 'Duration of requests.',
    labelNames: ['method', 'route', 'status'],
    buckets: HTTP_SECONDS,
    registers,
  })
  const refusals = new Counter({
    name: 'capstan_refusals_total',
    help: 'Refused requests and sockets.',
    labelNames: ['reason'],
    registers,
  })
  const sent = new Counter({
    name: 'capstan_events_sent_total',
    help: 'Events sent to watchers, live or from the ledger.',
    labelNames: ['from'],
    registers,
  })
  const delay = new Histogram({
    name: 'capstan_event_delay_seconds',
    help: 'Delay from an event to its delivery.',
    buckets: DELAY_SECONDS,
    registers,
  })
  return {
    sockets: new Gauge({ name: 'capstan_sockets', help: 'Open sockets.', registers }),
    streams: new Gauge({ name: 'capstan_streams', help: 'Open event streams.', registers }),
    countRequest: ({ method, path }, status, ms) =>
      requests.observe({ method, route: path, status }, ms / 1000),
    countSent(events, isLive) {
      sent.inc({ from: isLive ? 'live' : 'ledger' }, events.length)
      const now = Date.now()
      if (isLive) for (const { at } of events) delay.observe(Math.max(0, now - at) / 1000)
    },
    countRefusal: (reason) => refusals.inc({ reason }),
  }
}
