import type { LabelledTrace } from './trace.ts'
import { did, failed, hex, honest, says, silent, times, turnsOf, waited } from './trace.ts'

const each = <T>(list: readonly T[], make: (item: T, n: number) => ReturnType<typeof silent>) =>
  list.map(make)
const pollsAnyway = (step: ReturnType<typeof silent>) => ({
  ...step,
  calls: step.calls.map((call) => ({ ...call, polls: true })),
})

/** Runs that look again and again because something is under way. */
export const HONEST_WAITING: readonly LabelledTrace[] = [
  honest('per cent rise, silently', [
    silent(did('scan_start', { folio: 'all' }, 'scan started')),
    ...each([3, 9, 18, 40, 66, 91, 100], (p) => silent(did('scan_status', {}, `${p} %`))),
  ]),
  honest('per cent rise, always the same words', [
    ...each([10, 20, 30, 40, 50, 60, 70], (p) =>
      says('Checking the export.', did('export_state', { id: 'x1' }, `export ${p}% complete`)),
    ),
    silent(did('export_fetch', { id: 'x1' }, 'saved')),
  ]),
  honest(
    'so many of so many, one at a time',
    times(9, (n) => says('Still going.', did('stamp_run', {}, `${n + 1} of 9 sheets stamped`))),
  ),
  honest(
    'a count without a total',
    each([120, 340, 610, 900, 1200], (n) => silent(did('mailing_status', { list: 'friends' }, `${n} sent`))),
  ),
  honest(
    'megabytes copied, same words',
    each([312, 518, 777, 1024, 1380], (mb) =>
      says('How far is it?', did('copy_progress', { job: 4 }, `${mb} MB copied`)),
    ),
  ),
  honest('minutes left', [
    ...each([14, 11, 8, 5, 2], (m) => silent(did('ferry_eta', { ferry: 'Ann' }, `arrives in ${m} minutes`))),
    silent(did('gate_open', { gate: 1 }, 'open')),
  ]),
  honest(
    'seconds left',
    each([55, 41, 28, 12, 3], (s) => silent(did('press_state', { press: 2 }, `pressing, ${s} s left`))),
  ),
  honest(
    'states follow each other',
    each(['queued', 'fetching', 'compiling', 'linking', 'testing', 'passed'], (state) =>
      says('And now?', did('ci_run', { run: 881 }, `run 881: ${state}`)),
    ),
  ),
  honest(
    'it stands still for one look',
    each([4, 13, 13, 21, 21, 30, 39, 48], (n) => silent(did('album', {}, `${n} of 48 pictures`))),
  ),
  honest(
    'a temperature climbs',
    each([54, 61, 69, 74, 80], (c) => says('Core temperature?', did('probe', { roast: 1 }, `core ${c} °C`))),
  ),
  honest(
    'a place in the queue',
    each([6, 5, 4, 3, 2, 1], (n) =>
      says('Our turn yet?', did('queue_place', { desk: 'B' }, `position ${n}`)),
    ),
  ),
  honest(
    'a queue that grows before it shrinks',
    each([12, 14, 9, 6, 7, 2], (n) => silent(did('line_length', { till: 1 }, `${n} people`))),
  ),
  honest('declared: the same answer eighteen times', [
    ...times(18, () => silent(waited('kiln_wait', { to: 1040 }, 'heating'))),
    silent(did('kiln_hold', { minutes: 20 }, 'holding')),
  ]),
  honest(
    'declared: the same words, too',
    times(12, () => says('Waiting.', waited('train_wait', { train: 'R5' }, 'not yet'))),
  ),
  honest('declared: waits in between, the status stands still', [
    ...times(6, () => [
      silent(did('build_status', { id: 7 }, 'running')),
      silent(waited('sleep', { seconds: 60 }, 'slept')),
    ]).flat(),
    silent(did('build_status', { id: 7 }, 'passed')),
  ]),
  honest(
    'declared: a wait beside each look',
    times(7, () =>
      silent(did('vote_state', {}, 'still voting'), waited('pause', { seconds: 30 }, 'half a minute later')),
    ),
  ),
  honest('declared: a wait that times out again and again', [
    ...times(9, () => pollsAnyway(silent(failed('event_wait', { event: 'dawn' }, 'timeout', 'nothing yet')))),
    silent(waited('event_wait', { event: 'dawn' }, 'dawn')),
  ]),
  honest('asked to slow down, and does', [
    ...each([5, 10, 20, 40], (s) =>
      silent(failed('atlas_tile', { tile: 'q3' }, 'rate_limited', `retry after ${s} s`)),
    ).flatMap((step, n) => [step, silent(waited('wait', { seconds: 5 * 2 ** n }, 'waited'))]),
    silent(did('atlas_tile', { tile: 'q3' }, 'tile')),
  ]),
  honest('the host comes back at the eighth try', [
    ...times(7, () => silent(failed('pier_sync', { pier: 2 }, 'service_unavailable', 'offline'))),
    silent(did('pier_sync', { pier: 2 }, 'synced')),
  ]),
  honest('same words while the host is away', [
    ...times(6, () => says('Again.', failed('vault_ping', {}, 'timeout', 'timed out after 10 s'))),
    silent(did('vault_ping', {}, 'pong')),
  ]),
  honest('two hosts away at once', [
    ...times(10, (n) => silent(failed(turnsOf(['a_sync', 'b_sync'], n), {}, 'timeout', 'timed out'))),
    silent(did('a_sync', {}, 'ok')),
    silent(did('b_sync', {}, 'ok')),
  ]),
  honest('an undeclared wait between transient failures', [
    ...times(5, () => [
      silent(failed('gauge_get', { g: 1 }, 'service_unavailable', 'busy')),
      silent(did('sleep_ms', { ms: 500 }, 'done')),
    ]).flat(),
    silent(did('gauge_get', { g: 1 }, '4 bar')),
  ]),
  honest(
    'two jobs watched in turn',
    times(5, (n) => [
      silent(did('job', { id: 'a' }, `${n * 20 + 5} %`)),
      silent(did('job', { id: 'b' }, `${n * 11 + 2} %`)),
    ]).flat(),
  ),
  honest(
    'a log that grows',
    times(7, (n) =>
      says(
        'Next lines.',
        did('log_tail', { file: 'pump.log' }, `08:0${n}:10 valve ${turnsOf(['a', 'b', 'c'], n)} ${n}`),
      ),
    ),
  ),
  honest(
    'heartbeats of different stations',
    times(12, (n) => says('Heartbeat.', did('beat', { station: `st-${n}` }, 'alive'))),
  ),
  honest(
    'a countdown with declared pauses',
    times(9, (n) =>
      silent(did('bell', { text: `${9 - n} to go` }, 'rung'), waited('pause', { seconds: 1 }, 'later')),
    ),
  ),
  honest('a failing check that comes nearer', [
    ...each([2, 4, 7, 8], (n) =>
      silent(failed('restore_ready', {}, 'conflict', `not ready: ${n} of 9 tables restored`)),
    ),
    silent(did('restore_ready', {}, 'ready')),
  ]),
  honest(
    'transfers confirmed by hash',
    times(8, (n) => silent(did('chunk_put', { file: 'map.tif', part: n }, `stored ${hex(n)}`))),
  ),
  honest(
    'pages turned by the tool itself',
    times(8, (n) => says('Next page.', did('results_next', {}, `page ${n + 2}`))),
  ),
  honest(
    'jobs taken from a queue, one after the other',
    times(7, (n) => silent(did('queue_take', {}, `job J-${1040 + n}: frame ${n * 3}`))),
  ),
]
