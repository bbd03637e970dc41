import type { LabelledTrace } from './trace.ts'
import { chatter, did, failed, hex, looping, says, silent, times, turnsOf, waited } from './trace.ts'

const productive = [
  silent(did('logbook_read', { ship: 'Halcyon' }, 'berth 4, crew of nine')),
  says('Now the tides.', did('tide_table', { port: 'Brest' }, 'high water 05:12 and 17:40')),
  silent(did('crew_list', { ship: 'Halcyon' }, 'Odile, Ravi, Sven')),
]

/** Runs that fail and fail again. */
export const LOOPING_FAILURES: readonly LabelledTrace[] = [
  looping('fails identically: no such tank', (n) =>
    says(chatter(n), failed('tank_open', { tank: 'T-19' }, 'not_found', 'There is no tank T-19.')),
  ),
  looping('fails identically: worded differently each time', (n) =>
    silent(
      failed(
        'score_print',
        { piece: 'Nocturne' },
        'invalid_input',
        turnsOf(['paper size missing', 'a paper size is needed', 'which paper?', 'size?'], n),
      ),
    ),
  ),
  looping('fails identically: time and request id in the text', (n) =>
    says(
      chatter(n),
      failed(
        'loan_extend',
        { book: 'B-88' },
        'conflict',
        `2031-03-0${(n % 9) + 1}T10:11:${10 + n}Z reserved by another reader (request ${hex(n)})`,
      ),
    ),
  ),
  looping('fails identically: the text counts attempts', (n) =>
    silent(failed('gate_lift', { gate: 3 }, 'unknown', `attempt ${n + 1}: gate did not answer the command`)),
  ),
  looping('fails with a fresh nonce', (n) =>
    silent(failed('lens_cap', { dome: 'east', nonce: hex(n) }, 'unsupported', 'east dome has no motor cap')),
  ),
  looping('fails with other spacing and case', (n) =>
    says(
      chatter(n),
      failed(
        'species_lookup',
        { name: turnsOf(['parus major', 'Parus major', ' parus  major', 'PARUS MAJOR'], n) },
        'invalid_input',
        'the catalogue of birds is not loaded',
      ),
    ),
  ),
  looping('fails with a decorated path that the text repeats', (n) => {
    const path = turnsOf(['notes/2031', './notes/2031', 'notes/2031/', 'notes//2031'], n)
    return silent(failed('folder_list', { path }, 'not_found', `no folder '${path}'`))
  }),
  looping('fails with the time of the request', (n) =>
    silent(
      failed(
        'meter_read',
        { meter: 'M7', timestamp: 1_930_000_000 + n * 7 },
        'missing_permission',
        'meter M7 is not shared',
      ),
    ),
  ),
  looping(
    'transient for ever: harbour radio',
    (n) => says(chatter(n), failed('radio_call', { channel: 16 }, 'timeout', 'no answer in 20 s')),
    { transient: true, before: productive },
  ),
  looping(
    'transient for ever: two texts in turn',
    (n) =>
      silent(
        failed(
          'depot_feed',
          { depot: 'west' },
          'service_unavailable',
          turnsOf(['upstream reset', '502 bad gateway'], n),
        ),
      ),
    { transient: true },
  ),
  looping(
    'transient for ever: four tools of one dead host',
    (n) =>
      silent(
        failed(
          turnsOf(['shelf_list', 'shelf_find', 'shelf_count', 'shelf_map'], n),
          { aisle: n },
          'service_unavailable',
          'warehouse host unreachable',
        ),
      ),
    { transient: true, before: productive },
  ),
  looping('refused: policy, the same command', () =>
    silent(failed('shell', { command: 'rm -rf build' }, 'blocked_by_policy', 'deleting is not allowed')),
  ),
  looping('refused: the user says no', (n) =>
    says(chatter(n), failed('ticket_buy', { train: 'IC 204' }, 'denied_by_user', 'The user declined.')),
  ),
  looping('refused: nobody answers', () =>
    silent(failed('wire_money', { to: 'Orlov & Co', amount: 90 }, 'approval_expired', 'no answer in time')),
  ),
  looping('refused: arguments dressed up', (n) =>
    silent(
      failed(
        'valve_set',
        { valve: turnsOf(['Main', 'main', ' main ', 'MAIN'], n), open: true },
        'blocked_by_policy',
        'valves are read-only',
      ),
    ),
  ),
  looping('unknown tool: same arguments', () =>
    silent(failed('translate', { text: 'Guten Tag' }, 'not_found', 'Unknown tool "translate".')),
  ),
  looping('unknown tool: other arguments each time', (n) =>
    silent(failed('plot', { points: n + 3 }, 'not_found', 'Unknown tool "plot".')),
  ),
  looping('unknown tools: a new name each time', (n) =>
    silent(
      failed(
        turnsOf(['chart', 'graph', 'draw_chart', 'make_graph', 'plot_data', 'visualise', 'render'], n),
        { data: [1, 2] },
        'not_found',
        'Unknown tool.',
      ),
    ),
  ),
  looping(
    'cascade: the telescope driver is not installed',
    (n) =>
      says(
        chatter(n),
        failed(
          turnsOf(['mount_park', 'mount_slew', 'focus_in', 'focus_out', 'shutter'], n),
          { night: 'tonight', go: n % 5 },
          'missing_app',
          turnsOf(
            ['driver missing', 'install the mount driver', 'no driver', 'driver?', 'no such driver'],
            n,
          ),
        ),
      ),
    { before: productive },
  ),
  looping('cascade: the mailbox signed out', (n) =>
    silent(
      failed(
        turnsOf(['mail_search', 'mail_list', 'mail_labels', 'mail_read', 'mail_threads', 'mail_count'], n),
        { box: 'office' },
        'bad_credentials',
        'sign-in expired',
      ),
    ),
  ),
  looping('delegates again in other words: calendar not connected', (n) =>
    says(
      chatter(n),
      failed(
        'delegate_to_integrations_agent',
        {
          toolkit: 'calendar',
          prompt: turnsOf(
            [
              'Book the rehearsal.',
              'Put the rehearsal in.',
              'Add an entry: rehearsal, 18:00',
              'Rehearsal, please',
              'Enter it.',
            ],
            n,
          ),
        },
        'not_connected',
        'calendar is not connected.',
      ),
    ),
  ),
  looping('delegates to agent after agent without any credit', (n) =>
    silent(
      failed(
        turnsOf(['ask_critic', 'ask_planner', 'ask_researcher', 'ask_writer'], n),
        { task: `part ${n}` },
        'quota_exhausted',
        'the delegated run did not start: no credit left',
      ),
    ),
  ),
  looping('fails in pairs', (n) =>
    says(
      chatter(n),
      failed('rail_switch', { id: 11, to: 'left' }, 'conflict', 'switch 11 is locked'),
      failed('rail_switch', { id: 12, to: 'left' }, 'conflict', 'switch 12 is locked'),
    ),
  ),
  looping(
    'reads the same page and fails the same edit',
    (n) =>
      n % 2 === 0
        ? silent(did('page_read', { page: 'menu' }, 'soup, bread, plums'))
        : silent(
            failed('page_edit', { page: 'menu', find: 'pears' }, 'not_found', '"pears" is not on the page'),
          ),
    { from: 2 },
  ),
  looping(
    'two stale reads around one failing call',
    (n) =>
      turnsOf(
        [
          silent(did('permit_show', { no: 5 }, 'permit 5, open')),
          silent(did('holder_show', { id: 'h2' }, 'A. Quist')),
          silent(failed('permit_close', { no: 5 }, 'conflict', 'a fee is due')),
        ],
        n,
      ),
    { from: 3 },
  ),
  looping('validates the same draft over and over', () =>
    silent(did('flow_validate', { flow: 'irrigation' }, '{"ok": false, "errors": ["node 4 has no input"]}')),
  ),
  looping('dry run that says no, with a request id', (n) =>
    silent(
      did(
        'release_dry_run',
        { tag: 'v3' },
        `{"success": false, "reason": "changelog missing", "request_id": "${hex(n)}"}`,
      ),
    ),
  ),
  looping(
    'fails after a long good stretch',
    (n) => says(chatter(n), failed('invoice_send', { no: 77 }, 'invalid_input', 'no address on file')),
    { before: times(12, (n) => silent(did('invoice_open', { no: 60 + n }, `invoice ${60 + n}, paid`))) },
  ),
  looping('a declared wait for something that does not exist', () => {
    const { call, result } = failed('build_wait', { build: 'b-0' }, 'not_found', 'no build b-0')
    return { text: '', calls: [{ ...call, polls: true }], results: [result] }
  }),
  looping('waits between tries at what cannot work', (n) =>
    n % 2 === 0
      ? silent(failed('kiln_start', { kiln: 2 }, 'missing_permission', 'kiln 2 is not yours'))
      : silent(waited('wait', { seconds: 5 }, 'waited 5 s')),
  ),
  looping('fails for changing reasons', (n) =>
    silent(
      n % 2 === 0
        ? failed('seat_swap', { a: '4C', b: '9A' }, 'conflict', '9A is taken')
        : failed('seat_swap', { a: '4C', b: '9A' }, 'invalid_input', 'no such swap'),
    ),
  ),
  looping('fails for no known reason', (n) =>
    says(chatter(n), failed('pump_prime', { pump: 'p1' }, null, 'E_FAIL')),
  ),
  looping('the same failing call between other failing ones', (n) =>
    silent(
      n % 2 === 0
        ? failed('archive_open', { box: 31 }, 'missing_permission', 'box 31 is sealed')
        : failed('archive_peek', { box: 31, page: n }, 'missing_permission', 'sealed'),
    ),
  ),
  looping('a failing call dressed with a trace id, between stale reads', (n) =>
    n % 2 === 0
      ? silent(
          failed('coin_appraise', { coin: 'denarius', trace_id: hex(n) }, 'unsupported', 'no Roman coins'),
        )
      : silent(did('coin_list', {}, 'denarius, obol')),
  ),
]
