import type { RunningReply } from './tagged-replies.fixture.ts'
import { LEND, NOW, TAGGED_REPLIES, lend, noteTo, now, row } from './tagged-replies.fixture.ts'

/** Replies with calls in every form. */
export const RUNNING_REPLIES: readonly RunningReply[] = [
  ...TAGGED_REPLIES,
  // Attributes and parameters.
  row(
    'parameters as elements',
    'xml',
    '<invoke name="lend_book"><parameter name="title">Emma</parameter><parameter name="days">14</parameter></invoke>',
    [lend],
  ),
  row(
    'parameters on lines of their own, in a wrapper',
    'any',
    `<function_calls>\n<invoke name='lend_book'>\n  <parameter name='title'>\n    Emma\n  </parameter>\n  <parameter name="days">14</parameter>\n</invoke>\n</function_calls>`,
    [lend],
  ),
  row('no parameters', 'xml', 'So: <invoke name="now"></invoke>', [now], 'So:'),
  row('a tag that closes itself', 'xml', '<invoke name="now"/>', [now]),
  row(
    'the arguments of a named tag as JSON',
    'xml',
    '<invoke name="lend_book">{"title":"Emma","days":14}</invoke>',
    [lend],
  ),
  row(
    'a value of several lines, kept as it is',
    'xml',
    '<invoke name="send_note"><parameter name="to">Io</parameter><parameter name="body">\n  one\n\n two\n</parameter></invoke>',
    [noteTo('Io', '  one\n\n two')],
  ),
  row(
    'values of other types',
    'xml',
    '<invoke name="mark"><parameter name="a">true</parameter><parameter name="b">-1.5</parameter><parameter name="c">{"d":[1]}</parameter><parameter name="e">null</parameter><parameter name="f">1st</parameter></invoke>',
    [['mark', { a: true, b: -1.5, c: { d: [1] }, e: null, f: '1st' }]],
  ),
  row(
    'digits for a parameter that is a string',
    'xml',
    '<invoke name="lend_book"><parameter name="title">1984</parameter><parameter name="days">7</parameter></invoke>',
    [['lend_book', { title: '1984', days: 7 }]],
  ),
  row(
    'a value that is escaped throughout',
    'xml',
    '<invoke name="find_books"><parameter name="query">Tom &amp; &#x4a;erry &lt;3</parameter></invoke>',
    [['find_books', { query: 'Tom & Jerry <3' }]],
  ),
  row(
    'a value with markup of its own',
    'xml',
    '<invoke name="find_books"><parameter name="query"><b>fish &amp; chips</b></parameter></invoke>',
    [['find_books', { query: '<b>fish &amp; chips</b>' }]],
  ),
  row(
    'a value in CDATA',
    'xml',
    '<invoke name="find_books"><parameter name="query"><![CDATA[a</parameter>&lt;]]></parameter></invoke>',
    [['find_books', { query: 'a</parameter>&lt;' }]],
  ),
  // Fences.
  ...['tool_call', 'tool-call', 'toolcall', 'invoke'].map((label) =>
    row(
      `a fence labelled ${label}`,
      'xml',
      `So.\n\`\`\`${label}\n${LEND}\n\`\`\`\nThen.`,
      [lend],
      'So.\n\nThen.',
    ),
  ),
  row('a labelled fence of tildes', 'any', `~~~ tool_call\n${NOW}\n~~~`, [now]),
  row('a labelled fence closed by a tag', 'xml', `\`\`\`tool_call\n${NOW}\n</tool_call>\nOk.`, [now], 'Ok.'),
  row(
    'tags in a labelled fence',
    'xml',
    `\`\`\`tool_call\n<tool_call>${NOW}</tool_call>\n<tool_call>${LEND}</tool_call>\n\`\`\``,
    [now, lend],
  ),
  // The whole reply.
  row(
    'an envelope as the whole reply',
    'any',
    `{"content":"A moment.","tool_calls":[${NOW}]}`,
    [now],
    'A moment.',
  ),
  row(
    'an envelope as providers write it',
    'xml',
    '\n{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"lend_book","arguments":"{\\"title\\":\\"Emma\\",\\"days\\":14}"}}]}\n',
    [lend],
  ),
  row('a bare call as the whole reply', 'any', `  ${LEND}  `, [lend]),
  row('a list of bare calls as the whole reply', 'pformat', `[${NOW},\n${LEND}]`, [now, lend]),
  // By position.
  row(
    'values in the alphabetical order of the names',
    'pformat',
    '<tool_call>lend_book[14|yes|Emma]</tool_call>',
    [['lend_book', { days: 14, renew: true, title: 'Emma' }]],
  ),
  row('a positional call with space around it', 'any', 'Ok\n<tool_call>\n now[] \n</tool_call>', [now], 'Ok'),
  row('trailing values left out', 'pformat', '<tool_call>lend_book[3]</tool_call>', [
    ['lend_book', { days: 3 }],
  ]),
  row(
    'a positional call, then JSON',
    'pformat',
    `<tool_call>now[]</tool_call><tool_call>${LEND}</tool_call>`,
    [now, lend],
  ),
  row(
    'escapes and brackets in values',
    'pformat',
    '<tool_call>send_note[a\\|b [1] \\\\ \\] \\n|Io]</tool_call>',
    [noteTo('Io', 'a|b [1] \\ ] \\n')],
  ),
  row('a positional call in another tag', 'pformat', '<toolcall>now[]</toolcall>', [now]),
]
