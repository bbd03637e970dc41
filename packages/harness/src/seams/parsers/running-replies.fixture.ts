import type { JsonObject } from '../../turn/json.ts'

/** Replies that call something: the sentence, the dialect, the reply, its calls, and what is left to read. */
export interface RunningReply {
  readonly it: string
  readonly dialect: 'native' | 'xml' | 'pformat' | 'any'
  readonly reply: string
  readonly calls: readonly (readonly [name: string, args: JsonObject])[]
  readonly display: string
}

const NOW = '{"name":"now","arguments":{}}'
const LEND = '{"name":"lend_book","arguments":{"title":"Emma","days":14}}'
const now = ['now', {}] as const
const lend = ['lend_book', { title: 'Emma', days: 14 }] as const
const noteTo = (to: string, body: string) => ['send_note', { to, body }] as const

function row(
  it: string,
  dialect: RunningReply['dialect'],
  reply: string,
  calls: RunningReply['calls'],
  display = '',
): RunningReply {
  return { it, dialect, reply, calls, display }
}

export const RUNNING_REPLIES: readonly RunningReply[] = [
  // Tags.
  row('a tool_call tag', 'xml', `<tool_call>${NOW}</tool_call>`, [now]),
  row('a toolcall tag', 'xml', `<toolcall>${LEND}</toolcall>`, [lend]),
  row('a tool-call tag', 'xml', `<tool-call>\n  ${LEND}\n</tool-call>\n`, [lend]),
  row('an invoke tag around JSON', 'xml', `<invoke>${NOW}</invoke>`, [now]),
  row('a tag with attributes', 'xml', `<tool_call id="7">${NOW}</tool_call >`, [now]),
  row('a tag in the native dialect', 'native', `Yes.\n<tool_call>${NOW}</tool_call>`, [now], 'Yes.'),
  row('tags of different names', 'any', `<toolcall>${NOW}</toolcall><invoke>${LEND}</invoke>`, [now, lend]),
  row('text before and after', 'xml', `A.\n<tool_call>${NOW}</tool_call>\nB.`, [now], 'A.\n\nB.'),
  row('a tag in the middle of a line', 'xml', `Looking: <tool_call>${NOW}</tool_call>`, [now], 'Looking:'),
  row('a tag in a list', 'xml', `1. <tool_call>${NOW}</tool_call>\n2. next`, [now], '1. \n2. next'),
  row('windows line ends', 'xml', `Ok.\r\n<tool_call>\r\n${NOW}\r\n</tool_call>\r\n`, [now], 'Ok.'),
  row('an indented tag that begins the reply', 'xml', `\n     <tool_call>${NOW}</tool_call>`, [now]),
  row(
    'letters of other scripts and emoji',
    'xml',
    '<tool_call>{"name":"send_note","arguments":{"to":"Þóra","body":"本は📚、\\u00e9t\\u00e9"}}</tool_call>',
    [noteTo('Þóra', '本は📚、été')],
  ),
  row(
    'an unknown tool, which is told to the model',
    'xml',
    '<tool_call>{"name":"fly","arguments":{}}</tool_call>',
    [['fly', {}]],
  ),
  row('a close tag of another name', 'xml', `<tool_call>${NOW}</toolcall> Done.`, [now], 'Done.'),
  row(
    'a call with stray close tags behind it',
    'xml',
    `<tool_call>${NOW}</tool_call></tool_call>\n</invoke>`,
    [now],
  ),
  row(
    'a call in a wrapper',
    'xml',
    `Hm.\n<tool_calls>\n  <tool_call>${NOW}</tool_call>\n</tool_calls>`,
    [now],
    'Hm.',
  ),
  row('a tag in a tag', 'xml', `<tool_call>\n<tool_call>${NOW}</tool_call>\n</tool_call>`, [now]),
  row(
    'a call after the bare mention of its tag',
    'xml',
    `I use the <tool_call> tag.\n<tool_call>${NOW}</tool_call>`,
    [now],
    'I use the <tool_call> tag.',
  ),
  row(
    'a call behind inline code',
    'xml',
    `\`now\` it is: <tool_call>${NOW}</tool_call>`,
    [now],
    '`now` it is:',
  ),
  row(
    'a call behind a closed fence',
    'xml',
    `\`\`\`js\nx\n\`\`\`\n<tool_call>${NOW}</tool_call>`,
    [now],
    '```js\nx\n```',
  ),
  row('a call behind a block quote', 'xml', `> please\n\n<tool_call>${NOW}</tool_call>`, [now], '> please'),
  row('a call behind a comment', 'xml', `<!-- note --><tool_call>${NOW}</tool_call>`, [now], '<!-- note -->'),
  row(
    'a call behind a quoted word',
    'xml',
    `For "Emma".<tool_call>${LEND}</tool_call>`,
    [lend],
    'For "Emma".',
  ),
  row(
    'a call behind an odd apostrophe',
    'xml',
    `I\`m at it <tool_call>${NOW}</tool_call>`,
    [now],
    'I`m at it',
  ),
  row(
    'a call behind a pasted result',
    'xml',
    `<tool_result name="now">9:00</tool_result>\n<tool_call>${LEND}</tool_call>`,
    [lend],
    '<tool_result name="now">9:00</tool_result>',
  ),
  // What stands between the tags.
  row('several values in one tag', 'xml', `<tool_call>${NOW}\n${LEND}</tool_call>`, [now, lend]),
  row('a list in one tag', 'xml', `<tool_call>[${NOW}, ${LEND}]</tool_call>`, [now, lend]),
  row('text around the JSON', 'xml', `<tool_call>Calling [1]: ${NOW} as agreed</tool_call>`, [now]),
  row('a fence around the JSON', 'xml', `<tool_call>\n\`\`\`json\n${NOW}\n\`\`\`\n</tool_call>`, [now]),
  row('CDATA around the JSON', 'xml', `<tool_call><![CDATA[${NOW}]]></tool_call>`, [now]),
  row('one bracket too many', 'xml', `<tool_call>${NOW}}</tool_call>`, [now]),
  row('a comment beside the JSON', 'xml', `<tool_call><!-- ${LEND} -->${NOW}</tool_call>`, [now]),
  ...['args', 'parameters', 'params', 'input'].map((key) =>
    row(
      `the key ${key}`,
      'xml',
      `<toolcall>{"${key}":{"title":"Emma","days":14},"name":"lend_book"}</toolcall>`,
      [lend],
    ),
  ),
  row(
    'the first of two argument keys',
    'xml',
    '<tool_call>{"name":"now","input":{"a":1},"args":{}}</tool_call>',
    [now],
  ),
  row('no arguments at all', 'xml', '<tool_call>{"name":"now"}</tool_call>', [now]),
  row('arguments that are null', 'xml', '<tool_call>{"name":"now","arguments":null}</tool_call>', [now]),
  row('a function wrapper', 'xml', `<tool_call>{"type":"function","function":${LEND}}</tool_call>`, [lend]),
  row('an envelope in a tag', 'xml', `<tool_call>{"tool_calls":[${LEND}]}</tool_call>`, [lend]),
  row(
    'arguments encoded as a string',
    'xml',
    '<tool_call>{"name":"lend_book","arguments":"{\\"title\\": \\"Emma\\", \\"days\\": 14}"}</tool_call>',
    [lend],
  ),
  row(
    'a close tag inside of a string',
    'xml',
    '<tool_call>{"name":"send_note","arguments":{"to":"Io","body":"write </tool_call> last"}}</tool_call>',
    [noteTo('Io', 'write </tool_call> last')],
  ),
  row(
    'call syntax inside of a string, which is only a string',
    'xml',
    '<tool_call>{"name":"send_note","arguments":{"to":"Io","body":"<tool_call>{\\"name\\":\\"now\\"}</tool_call>"}}</tool_call>',
    [noteTo('Io', '<tool_call>{"name":"now"}</tool_call>')],
  ),
  row(
    'nested data',
    'xml',
    '<tool_call>{"name":"tag_item","arguments":{"item":"a","tags":["x",{"y":[1,2,{"z":null}]}]}}</tool_call>',
    [['tag_item', { item: 'a', tags: ['x', { y: [1, 2, { z: null }] }] }]],
  ),
  row(
    'near-JSON that leaves no doubt',
    'xml',
    "<tool_call>{name: 'send_note', /* now */ arguments: {'to': 'Io', 'body': 'It\\'s \"late\"\nhere', urgent: True, cc: None,},}</tool_call>",
    [['send_note', { to: 'Io', body: 'It\'s "late"\nhere', urgent: true, cc: null }]],
  ),
  row('a tag whose close tag is missing', 'xml', `Wait.\n<tool_call>${LEND}`, [lend], 'Wait.'),
  row('a tag whose close tag was cut', 'xml', `<tool_call>${LEND}\n</tool_c`, [lend]),
  row('two tags that are never closed', 'xml', `<tool_call>${NOW}\n<tool_call>${LEND}\n`, [now, lend]),
  row('an unclosed tag, then text', 'xml', `<tool_call>${NOW}\nI wait.`, [now], 'I wait.'),
  row(
    'the good call behind one that is no JSON',
    'xml',
    `<tool_call>now!</tool_call><tool_call>${NOW}</tool_call>`,
    [now],
    '<tool_call>now!</tool_call>',
  ),
  row(
    'the call before one that was cut',
    'xml',
    `<tool_call>${NOW}</tool_call>\n<tool_call>{"name":"lend`,
    [now],
    '<tool_call>{"name":"lend',
  ),
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
