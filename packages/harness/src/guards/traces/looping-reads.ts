import type { LabelledTrace } from './trace.ts'
import { chatter, did, hex, looping, says, silent, times, turnsOf } from './trace.ts'

const once = { from: 1 }
const before = [
  silent(did('collection_size', { wing: 'north' }, '412 pieces')),
  silent(did('curator_find', { field: 'glass' }, 'Imre Halász')),
]

/** Runs that ask for the same thing over and over and get it. */
export const LOOPING_READS: readonly LabelledTrace[] = [
  looping('reads the same thing, silently', () => silent(did('vat_level', { vat: 2 }, '61 hl, clear')), once),
  looping(
    'reads the same thing, with other words',
    (n) => says(chatter(n), did('timetable', { line: '8' }, 'every 12 minutes until 23:00')),
    { ...once, before },
  ),
  looping(
    'reads the same three things',
    (n) =>
      says(
        chatter(n),
        did('bed_free', { ward: 'a' }, '2 free'),
        did('bed_free', { ward: 'b' }, 'none free'),
        did('duty_list', { day: 'today' }, 'Dr Amsel, Dr Fink'),
      ),
    once,
  ),
  looping(
    'only the duration changes',
    (n) => silent(did('index_search', { words: 'copper' }, `3 hits in ${11 + ((n * 7) % 20)} ms`)),
    once,
  ),
  looping(
    'only the timestamp changes',
    (n) =>
      silent(
        did('buoy_read', { buoy: 'N2' }, `2031-05-04T08:${10 + n}:${20 + n}.113Z wave height 1.2 m, calm`),
      ),
    { ...once, before },
  ),
  looping(
    'only the clock of the report changes',
    (n) => says(chatter(n), did('pen_count', { pen: 'lambs' }, `14 lambs (as of 09:${20 + n})`)),
    once,
  ),
  looping(
    'only a request uuid changes',
    (n) =>
      silent(
        did(
          'tariff',
          { zone: 'C' },
          `4.10 per ride\nrequest-id: ${hex(n)}-1f2e-4a3b-8c4d-${hex(n + 40)}77aa`,
        ),
      ),
    once,
  ),
  looping(
    'only the count of lookups changes',
    (n) => silent(did('plot_owner', { plot: 118 }, `owner: parish (lookup no. ${n + 4})`)),
    once,
  ),
  looping(
    'only the age of the answer changes',
    (n) => says(chatter(n), did('snow_depth', { slope: 'red 3' }, `48 cm, measured ${9 + n * 6} s ago`)),
    once,
  ),
  looping(
    'only the rest of the quota changes',
    (n) => silent(did('geo_code', { address: 'Mill Lane 4' }, `51.2, 4.4 (requests remaining: ${4999 - n})`)),
    once,
  ),
  looping(
    'only the envelope of the JSON changes',
    (n) =>
      silent(
        did(
          'herbarium_get',
          { id: 'H-9' },
          JSON.stringify({
            took: 3 + (n % 5),
            trace_id: hex(n),
            served_at: 1_930_000_000 + n,
            name: 'Salix alba',
          }),
        ),
      ),
    { ...once, before },
  ),
  looping(
    'punctuation of the question changes',
    (n) =>
      silent(
        did(
          'handbook_ask',
          {
            question: turnsOf(
              ['late return fee', 'late return fee?', '"late return" fee', 'late-return fee'],
              n,
            ),
          },
          'Twenty cents a day after the first week.',
        ),
      ),
    once,
  ),
  looping(
    'case and white space change',
    (n) =>
      says(
        chatter(n),
        did(
          'star_find',
          { name: turnsOf(['beta lyrae', 'Beta Lyrae', 'beta  lyrae ', 'BETA LYRAE'], n) },
          'mag 3.5',
        ),
      ),
    { ...once, before },
  ),
  looping(
    'order of keys and an empty option change',
    (n) =>
      silent(
        did(
          'room_book_view',
          turnsOf(
            [
              { room: 'blue', day: 'Monday' },
              { day: 'Monday', room: 'blue' },
              { room: 'blue', day: 'Monday', note: null },
            ],
            n,
          ),
          'free from 14:00',
        ),
      ),
    once,
  ),
  looping(
    'a number turns into a string and back',
    (n) => silent(did('grape_price', { year: n % 2 === 0 ? 2030 : '2030' }, '1.84 a kilo')),
    once,
  ),
  looping(
    'asks for more of a list that is no longer',
    (n) => silent(did('loom_list', { hall: 1, limit: 10 + n * 10 }, 'loom 1, loom 2, loom 4')),
    once,
  ),
  looping(
    'the address gets a slash and a cache buster',
    (n) =>
      says(
        chatter(n),
        did(
          'web_open',
          {
            url: turnsOf(
              [
                'https://guild.example/rules',
                'https://guild.example/rules/',
                `https://guild.example/rules?_=${1_930_000_000 + n}`,
              ],
              n,
            ),
          },
          'Rules of the guild, edition of 1911',
        ),
      ),
    once,
  ),
  looping(
    'a nonce changes',
    (n) => silent(did('dam_status', { dam: 'upper', nonce: `${n}-${hex(n)}` }, 'spillway closed')),
    { ...once, before },
  ),
  looping(
    'a request id changes',
    (n) => silent(did('ferry_fare', { route: 'north', requestId: `rq-${hex(n)}` }, '18.40 with car')),
    once,
  ),
  looping(
    'the moment of asking changes',
    (n) =>
      silent(
        did(
          'silo_level',
          { silo: 'east', askedAt: `2031-06-02T07:1${n % 10}:2${n % 9}Z`, as_of: 1_930_000_011 + n * 13 },
          '71 %',
        ),
      ),
    once,
  ),
  looping(
    'a uuid of the client changes',
    (n) =>
      says(
        chatter(n),
        did(
          'kiln_log',
          { kiln: 2, clientRequestUuid: `${hex(n)}-1f2e-4a3b-8c4d-${hex(n + 9)}77aa`, 'x-nonce': hex(n) },
          'no entries since noon',
        ),
      ),
    { ...once, before },
  ),
  looping(
    'a counter of the polls changes',
    (n) => silent(did('gate_state', { gate: 'south', poll_seq: n + 1 }, 'closed')),
    once,
  ),
  looping(
    'an accent comes and goes',
    (n) =>
      silent(
        did('street_find', { street: n % 2 === 0 ? 'Rue des Érables' : 'rue des Erables' }, 'district 4'),
      ),
    once,
  ),
  looping(
    'the words of the question change places',
    (n) =>
      silent(
        did(
          'recipe_ask',
          {
            q: turnsOf(['plum jam sugar', 'sugar plum jam', 'jam: plum, sugar', 'Plum jam, sugar again'], n),
          },
          '600 g for a kilo of plums',
        ),
      ),
    once,
  ),
  looping(
    'sends the same note, same words',
    (n) =>
      says('I will tell the night shift.', did('note_send', { to: 'night shift' }, `note ${51 + n} sent`)),
    { ...once, before },
  ),
  looping(
    'files the same report, silently',
    (n) => silent(did('report_create', { about: 'leak' }, `report #${310 + n} created`)),
    once,
  ),
  looping(
    'files the same report, with other words',
    (n) => says(chatter(n), did('order_place', { item: 'twine' }, `order placed, id ${8810 + n * 3}`)),
    once,
  ),
  looping(
    'writes the same line, same words',
    (n) => says('Noting it.', did('diary_line', { text: 'rain' }, `line ${18 + n}`)),
    once,
  ),
  looping(
    'a long page, read again',
    (n) =>
      says(
        chatter(n),
        did('chronicle', { year: 1640 }, times(400, (line) => `line ${line} of it`).join('\n')),
      ),
    once,
  ),
  looping(
    'a long page with the time on top',
    (n) =>
      silent(
        did(
          'chronicle',
          { year: 1641 },
          `fetched 10:20:${10 + n}\n${times(300, (line) => `verse ${line}`).join('\n')}`,
        ),
      ),
    once,
  ),
  looping('circles after a long good stretch', () => silent(did('kiln_state', { kiln: 1 }, 'cold')), {
    ...once,
    before: times(14, (n) => silent(did('glaze_mix', { pot: n }, 'mixed'))),
  }),
]
