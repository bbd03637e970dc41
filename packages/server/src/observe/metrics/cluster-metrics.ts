import type { Registry } from 'prom-client'
import { Counter, Gauge, Histogram } from 'prom-client'

const WAIT_SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60, 300]

/** Measures what nodes do for one another. All zero without other nodes. */
export interface ClusterMetrics {
  /** Threads of a dead or frozen node were taken over. */
  countTakeover(threads: number): void
  /** This node noticed that another one has taken a thread over. */
  countMoved(): void
  /** What waits in the queue of all nodes, and what this one runs. */
  setQueue(depth: number, running: number): void
  /** How long a command waited for the node that runs its thread. */
  countWait(ms: number): void
}

export function createClusterMetrics(registers: Registry[]): ClusterMetrics {
  const takeovers = new Counter({
    name: 'capstan_takeovers_total',
    help: 'Threads of dead or frozen nodes that were given to others by this one.',
    registers,
  })
  const moved = new Counter({
    name: 'capstan_moved_threads_total',
    help: 'Threads that this node gave up because another one has taken them over.',
    registers,
  })
  const depth = new Gauge({
    name: 'capstan_node_queue_depth',
    help: 'Threads that wait for a node, as this node sees it.',
    registers,
  })
  const running = new Gauge({
    name: 'capstan_node_threads',
    help: 'Threads that this node runs.',
    registers,
  })
  const wait = new Histogram({
    name: 'capstan_node_queue_wait_seconds',
    help: 'How long a command waited for the node that runs its thread.',
    buckets: WAIT_SECONDS,
    registers,
  })
  return {
    countTakeover: (threads) => takeovers.inc(threads),
    countMoved: () => moved.inc(),
    setQueue(waiting, own) {
      depth.set(waiting)
      running.set(own)
    },
    countWait: (ms) => wait.observe(Math.max(0, ms) / 1000),
  }
}
