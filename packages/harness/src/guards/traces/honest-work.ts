import type { LabelledTrace } from './trace.ts'
import { did, failed, hex, honest, says, silent, times, turnsOf } from './trace.ts'

const FOLK = ['Abena', 'Bruno', 'Chiyo', 'Dov', 'Elif', 'Farid', 'Gita', 'Hugo']

/** Runs that do much of the same because there is much of the same to do. */
export const HONEST_WORK: readonly LabelledTrace[] = [
  honest(
    'pages by number',
    times(12, (n) => says('Next page.', did('census_page', { page: n + 1 }, '50 households'))),
  ),
  honest(
    'pages by a token that looks random',
    times(9, (n) => silent(did('parcels', { page_token: hex(n, 6), size: 50 }, '50 parcels'))),
  ),
  honest(
    'pages by offset, some of them empty',
    times(8, (n) => silent(did('finds', { offset: n * 100 }, n < 5 ? 'nothing' : `${n} shards`))),
  ),
  honest(
    'one edit in each of many files',
    times(14, (n) => silent(did('edit', { path: `src/m${n}.ts`, old: 'colour', new: 'color' }, 'edited'))),
  ),
  honest(
    'many edits in one file',
    times(8, (n) =>
      silent(did('edit', { path: 'index.md', old: `Section ${n}.`, new: `Part ${n}` }, 'edited')),
    ),
  ),
  honest(
    'forty rows entered',
    times(40, (n) => silent(did('row_add', { day: `2031-0${1 + (n % 9)}-1${n % 10}`, n }, 'added'))),
  ),
  honest(
    'requests approved one by one',
    times(10, (n) => silent(did('request_approve', { request_id: 410 + n }, 'approved'))),
  ),
  honest(
    'one letter to many people',
    FOLK.map((to) => says('Next one.', did('mail_send', { to, subject: 'Rehearsal' }, 'sent'))),
  ),
  honest(
    'one letter to many people, receipts numbered',
    FOLK.map((to, n) => silent(did('mail_send', { to, subject: 'Rehearsal' }, `message ${900 + n} sent`))),
  ),
  honest(
    'batches of one shape',
    times(6, (n) => silent(...['n', 's', 'w'].map((port) => did('fare', { port, week: n }, 'noted')))),
  ),
  honest('a batch in which most is not there', [
    silent(
      ...times(8, (n) => failed('stat', { path: `vendor/${n}.lock` }, 'not_found', 'no such file')),
      did('stat', { path: 'package.json' }, '2 KB'),
    ),
    silent(did('read', { path: 'package.json' }, '{ "name": "loom" }')),
  ]),
  honest('a batch of eight that all fail, then another way', [
    silent(...times(8, (n) => failed('read', { path: `docs/${n}.md` }, 'not_found', 'no such file'))),
    silent(did('list', { path: 'docs' }, 'intro.txt')),
    silent(did('read', { path: 'docs/intro.txt' }, 'Welcome.')),
  ]),
  honest('test, fix, test: each time something else', [
    ...times(5, (n) => [
      silent(failed('shell', { command: 'npm test' }, 'command_failed', `${5 - n} failing: case ${n}`)),
      silent(did('edit', { path: 'a.ts', old: `v${n}`, new: `v${n + 1}` }, 'edited')),
    ]).flat(),
    silent(did('shell', { command: 'npm test' }, 'all pass')),
  ]),
  honest('test, fix, test: the same failure until it is found', [
    ...times(6, (n) => [
      says('Run it.', failed('shell', { command: 'make' }, 'command_failed', 'linker: symbol _init missing')),
      silent(did('edit', { path: 'link.ld', old: `KEEP${n}`, new: `KEEP${n + 1}` }, 'edited')),
    ]).flat(),
    silent(did('shell', { command: 'make' }, 'built')),
  ]),
  honest('test, failed fix, fix, test', [
    ...times(3, (n) => [
      silent(failed('shell', { command: 'cargo check' }, 'command_failed', 'E0502 borrow')),
      silent(failed('edit', { path: 'm.rs', old: `a${n}`, new: 'b' }, 'not_found', 'text not in file')),
      silent(did('read', { path: 'm.rs', from: n * 40 }, `fn part${n}()`)),
      silent(did('edit', { path: 'm.rs', old: `fn part${n}()`, new: `fn p${n}()` }, 'edited')),
    ]).flat(),
    silent(did('shell', { command: 'cargo check' }, 'ok')),
  ]),
  honest(
    'fewer warnings each time',
    [9, 6, 4, 1, 0].flatMap((left, n) => [
      silent(did('lint', { dir: 'src' }, `${left} warnings`)),
      silent(did('edit', { path: `w${n}.ts`, old: 'var', new: 'let' }, 'edited')),
    ]),
  ),
  honest('searches that find nothing, each another one', [
    ...[
      'brass hinge',
      'hinge 40 mm brass',
      'cabinet hinge',
      'antique hinge',
      'piano hinge',
      'brass hinges',
    ].map((query) => silent(did('catalogue', { query }, 'no hits'))),
    silent(did('catalogue', { query: 'butt hinge' }, '2 hits')),
  ]),
  honest('names guessed until one fits', [
    ...['plan.md', 'PLAN.md', 'Plan.md', 'docs/plan.md'].map((path) =>
      silent(failed('read', { path }, 'not_found', `no such file: ${path}`)),
    ),
    silent(did('find', { name: 'plan' }, 'notes/plan.txt')),
    silent(did('read', { path: 'notes/plan.txt' }, 'Step one.')),
  ]),
  honest('formats of a date tried', [
    ...['24.12.2031', '24/12/2031', '24-12-2031'].map((date) =>
      silent(failed('slot_hold', { date }, 'invalid_input', 'date is not valid')),
    ),
    silent(did('slot_hold', { date: '2031-12-24' }, 'held')),
  ]),
  honest(
    'the same check after each change',
    FOLK.flatMap((who) => [
      silent(did('roster_add', { who }, 'added')),
      says('Verify.', did('roster_check', {}, 'roster is consistent')),
    ]),
  ),
  honest(
    'the same read after each change shows it',
    times(6, (n) => [
      silent(did('tap', { button: 'plus' }, 'tapped')),
      silent(did('screen', {}, `counter shows ${n + 1}`)),
    ]).flat(),
  ),
  honest(
    'undoing step by step',
    ['stroke', 'fill', 'crop', 'rotate', 'import'].map((what) => silent(did('undo', {}, `undone: ${what}`))),
  ),
  honest('undo, redo, undo: to compare', [
    silent(did('undo', {}, 'undone: crop')),
    silent(did('redo', {}, 'redone: crop')),
    silent(did('undo', {}, 'undone: crop')),
    silent(did('export', { as: 'a.png' }, 'exported')),
  ]),
  honest('a long mixed run that comes back to a page', [
    silent(did('open', { page: 'budget' }, '40,000')),
    silent(did('open', { page: 'quotes' }, 'three quotes')),
    silent(did('open', { page: 'budget' }, '40,000')),
    silent(did('sum', { of: 'quotes' }, '38,500')),
    silent(did('open', { page: 'budget' }, '40,000')),
    silent(did('write', { page: 'summary', text: 'fits' }, 'written')),
    silent(did('open', { page: 'budget' }, '40,000')),
  ]),
  honest('reads four files again after the history was shortened', [
    ...[0, 1].flatMap(() =>
      ['a', 'b', 'c', 'd'].map((file) => silent(did('read', { file }, `text of ${file}`))),
    ),
    silent(did('write', { file: 'e', text: 'all four' }, 'written')),
  ]),
  honest('validate, change, validate', [
    ...times(5, (n) => [
      silent(did('flow_validate', { flow: 'mill' }, `{"ok": false, "errors": ["node ${n} dangles"]}`)),
      silent(did('flow_connect', { flow: 'mill', node: n }, '{"ok": true}')),
    ]).flat(),
    silent(did('flow_validate', { flow: 'mill' }, '{"ok": true}')),
  ]),
  honest('validates one draft after another', [
    ...times(7, (n) =>
      silent(did('schema_validate', { schema: `v${n}` }, `{"ok": false, "errors": ["line ${n * 3}: type"]}`)),
    ),
    silent(did('schema_validate', { schema: 'v7' }, '{"ok": true}')),
  ]),
  honest('refused once, then done another way', [
    silent(failed('shell', { command: 'rm old.csv' }, 'blocked_by_policy', 'deleting is off')),
    silent(did('move', { from: 'old.csv', to: 'trash/old.csv' }, 'moved')),
  ]),
  honest('two refusals of two things', [
    silent(failed('buy', { what: 'ladder' }, 'denied_by_user', 'no')),
    silent(failed('buy', { what: 'rope' }, 'denied_by_user', 'no')),
    silent(did('rent', { what: 'ladder' }, 'rented')),
  ]),
  honest(
    'many tasks for one agent, one answer each',
    times(6, (n) =>
      silent(
        did(
          'delegate_to_archivist',
          { prompt: `File letter ${n + 1}.` },
          'Done. The letter was moved to the archive and the register was updated.',
        ),
      ),
    ),
  ),
  honest(
    'several agents on parts of one task',
    ['critic', 'planner', 'researcher', 'writer'].map((agent) =>
      silent(did('ask_agent', { agent, task: 'Look at the plan' }, 'Looks fine to me.')),
    ),
  ),
  honest(
    'tickets taken and handled',
    times(6, (n) => [
      silent(did('next_ticket', {}, `ticket ${70 + n}: lamp out`)),
      silent(did('assign', { ticket: 70 + n, to: turnsOf(FOLK, n) }, 'assigned')),
    ]).flat(),
  ),
  honest(
    'rolls of the dice',
    [4, 1, 6, 3, 3, 5].map((n) => says('Roll.', did('roll', {}, `rolled ${n}`))),
  ),
  honest(
    'commits, each after the same add',
    times(5, (n) => [
      silent(did('git_add', { all: true }, 'staged')),
      silent(did('git_commit', { message: `step ${n}` }, 'committed')),
    ]).flat(),
  ),
  honest(
    'entries that differ in their time alone',
    times(8, (n) => silent(did('shift_add', { who: 'Dov', start: `2031-02-0${n + 1}T08:00:00Z` }, 'added'))),
  ),
  honest(
    'frames cut at different moments',
    times(6, (n) => silent(did('frame_at', { film: 'a.mp4', timestamp: `00:0${n}:30` }, 'saved'))),
  ),
  honest(
    'steps of a simulation, each with its tick',
    times(8, (n) => silent(did('sim_step', { world: 'b', tick: n + 1 }, 'ok'))),
  ),
  honest(
    'devices asked one by one, each by its uuid',
    times(8, (n) =>
      silent(did('device_state', { op: 'state', uuid: `${hex(n)}-1f2e-4a3b-8c4d-77aa` }, 'on')),
    ),
  ),
  honest(
    'reminders at different moments',
    times(8, (n) => silent(did('remind', { who: 'Dov', at: `2031-02-0${n + 1}T08:10:2${n}Z` }, 'noted'))),
  ),
  honest('fails twice, corrects, succeeds', [
    silent(failed('tax_form', { year: '31' }, 'invalid_input', 'four digits')),
    silent(failed('tax_form', { year: '31' }, 'invalid_input', 'four digits')),
    silent(did('tax_form', { year: '2031' }, 'form T')),
    silent(did('tax_fill', { form: 'T' }, 'filled')),
  ]),
  honest('five wrong ways, then a right one', [
    ...['ssh', 'scp', 'rsync', 'ftp', 'smb'].map((by) =>
      silent(failed('send_by', { by }, 'unsupported', 'not here')),
    ),
    silent(did('send_by', { by: 'https' }, 'sent')),
  ]),
  honest(
    'signs in anew before each upload',
    times(6, (n) => silent(did('token_refresh', {}, 'refreshed'), did('upload', { plate: n }, 'uploaded'))),
  ),
  honest('compares options that differ in one sign', [
    ...['C', 'C+', 'C++', 'C#'].map((language) => silent(did('course_find', { language }, 'no course'))),
    silent(did('course_find', { language: 'Ada' }, 'one course')),
  ]),
]
