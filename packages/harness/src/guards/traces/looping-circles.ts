import type { LabelledTrace } from './trace.ts'
import { chatter, did, failed, hex, looping, says, silent, turnsOf } from './trace.ts'

const once = { from: 1 }
const before = [silent(did('programme', { evening: 3 }, 'three acts, two breaks'))]

/** Runs that come back to where they were. */
export const LOOPING_CIRCLES: readonly LabelledTrace[] = [
  looping(
    'two reads in alternation',
    (n) =>
      n % 2 === 0
        ? silent(did('act_show', { act: 1 }, 'see act 2'))
        : silent(did('act_show', { act: 2 }, 'see act 1')),
    { from: 2, before },
  ),
  looping(
    'sets and reads what does not stick',
    (n) =>
      n % 2 === 0
        ? says(chatter(n), did('blind_set', { window: 5, to: 'half' }, 'accepted'))
        : silent(did('blind_get', { window: 5 }, 'window 5: closed')),
    { from: 2 },
  ),
  looping(
    'two reads in alternation, stamped',
    (n) =>
      silent(
        n % 2 === 0
          ? did('lane_open', { lane: 3 }, `lane 3 busy [08:00:${10 + n}]`)
          : did('lane_queue', { lane: 3 }, `nobody waits [08:01:${10 + n}]`),
      ),
    { from: 2 },
  ),
  looping(
    'a circle of three',
    (n) => says(chatter(n), did('ref_open', { ref: 'abc'[n % 3]! }, `goes on in ${'bca'[n % 3]!}`)),
    { from: 3, before },
  ),
  looping(
    'a circle of four',
    (n) => silent(did('clue_read', { clue: n % 4 }, `look at clue ${(n + 1) % 4}`)),
    { from: 4 },
  ),
  looping(
    'a circle of five tools',
    (n) =>
      silent(
        turnsOf(
          [
            did('harvest', { field: 1 }, 'bare'),
            did('soil', { field: 1 }, 'dry'),
            did('rain', { week: 20 }, 'none'),
            did('well', { no: 2 }, 'low'),
            did('pump', { no: 2 }, 'off'),
          ],
          n,
        ),
      ),
    { from: 5 },
  ),
  looping(
    'two batches in alternation',
    (n) =>
      n % 2 === 0
        ? silent(did('hive', { no: 1 }, 'calm'), did('hive', { no: 2 }, 'calm'))
        : silent(did('feeder', { no: 1 }, 'full'), did('feeder', { no: 2 }, 'full')),
    { from: 2, before },
  ),
  looping(
    'an alternation with changing keys',
    (n) =>
      silent(
        n % 2 === 0
          ? did('vote_count', { hall: 'east', correlation_id: hex(n) }, '120 for, 88 against')
          : did('vote_rules', { hall: 'east', correlation_id: hex(n) }, 'two thirds needed'),
      ),
    { from: 2 },
  ),
  looping(
    'changes there and back, and the test fails alike',
    (n) =>
      turnsOf(
        [
          silent(did('edit', { file: 'gear.ts', old: '12', new: '16' }, 'changed')),
          silent(failed('shell', { command: 'make check' }, 'command_failed', 'ratio is off')),
          silent(did('edit', { file: 'gear.ts', old: '16', new: '12' }, 'changed')),
          silent(failed('shell', { command: 'make check' }, 'command_failed', 'ratio is off')),
        ],
        n,
      ),
    { from: 4 },
  ),
  looping(
    'asks an agent that waits for the user',
    (n) =>
      silent(
        did(
          'delegate_to_travel',
          {
            prompt: turnsOf(
              ['Book the ferry.', 'Get a ferry for us.', 'A ferry, please.', 'Ferry: book it'],
              n,
            ),
          },
          `The agent "travel" waits for an answer. To go on use token "resume_${hex(n)}${hex(n + 9)}".\nWhich day?`,
        ),
      ),
    once,
  ),
  looping(
    'twice this, once that',
    (n) =>
      silent(n % 3 === 2 ? did('map_legend', {}, 'blue: water') : did('map_tile', { tile: 'k4' }, 'forest')),
    { from: 1 },
  ),
  looping(
    'the same call, the answer flips',
    (n) =>
      says(chatter(n), did('lock_state', { lock: 6 }, n % 2 === 0 ? 'upper gate open' : 'lower gate open')),
    { from: 2 },
  ),
]
