import type { JsonObject } from '../../../turn/json.ts'

/** A reply with calls: its description, dialect, text, expected calls and displayed text. */
export interface RunningReply {
  readonly it: string
  readonly dialect: 'native' | 'xml' | 'pformat' | 'any'
  readonly reply: string
  readonly calls: readonly (readonly [name: string, args: JsonObject])[]
  readonly display: string
}

/** A call of `now` as JSON. */
export const NOW = '{"name":"now","arguments":{}}'
/** A call of `lend_book` as JSON. */
export const LEND = '{"name":"lend_book","arguments":{"title":"Emma","days":14}}'
/** The parsed `NOW`. */
export const now = ['now', {}] as const
/** The parsed `LEND`. */
export const lend = ['lend_book', { title: 'Emma', days: 14 }] as const
/** A parsed call of `send_note`. */
export const noteTo = (to: string, body: string) => ['send_note', { to, body }] as const

/** One row of the table. */
export function row(
  it: string,
  dialect: RunningReply['dialect'],
  reply: string,
  calls: RunningReply['calls'],
  display = '',
): RunningReply {
  return { it, dialect, reply, calls, display }
}

/** Replies with calls written as JSON between tags. */
export const TAGGED_REPLIES: readonly RunningReply[] = [
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
    'an unknown tool, which the tool path reports',
    'xml',
    '<tool_call>{"name":"fly","arguments":{}}</tool_call>',
    [['fly', {}]],
  ),
  row('a close tag of another name', 'xml', `<tool_call>${NOW}</toolcall> Done.`, [now], 'Done.'),
  row(
    'a call with stray close tags after it',
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
    'a call after inline code',
    'xml',
    `\`now\` it is: <tool_call>${NOW}</tool_call>`,
    [now],
    '`now` it is:',
  ),
  row(
    'a call after a closed fence',
    'xml',
    `\`\`\`js\nx\n\`\`\`\n<tool_call>${NOW}</tool_call>`,
    [now],
    '```js\nx\n```',
  ),
  row('a call after a block quote', 'xml', `> please\n\n<tool_call>${NOW}</tool_call>`, [now], '> please'),
  row('a call after a comment', 'xml', `<!-- note --><tool_call>${NOW}</tool_call>`, [now], '<!-- note -->'),
  row(
    'a call after a quoted word',
    'xml',
    `For "Emma".<tool_call>${LEND}</tool_call>`,
    [lend],
    'For "Emma".',
  ),
  row(
    'a call after an odd apostrophe',
    'xml',
    `I\`m at it <tool_call>${NOW}</tool_call>`,
    [now],
    'I`m at it',
  ),
  row(
    'a call after a pasted result',
    'xml',
    `<tool_result name="now">9:00</tool_result>\n<tool_call>${LEND}</tool_call>`,
    [lend],
    '<tool_result name="now">9:00</tool_result>',
  ),
  // The content between the tags.
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
    'a close tag inside a string',
    'xml',
    '<tool_call>{"name":"send_note","arguments":{"to":"Io","body":"write </tool_call> last"}}</tool_call>',
    [noteTo('Io', 'write </tool_call> last')],
  ),
  row(
    'call syntax inside a string, which stays a string',
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
    'unambiguous near-JSON',
    'xml',
    "<tool_call>{name: 'send_note', /* now */ arguments: {'to': 'Io', 'body': 'It\\'s \"late\"\nhere', urgent: True, cc: None,},}</tool_call>",
    [['send_note', { to: 'Io', body: 'It\'s "late"\nhere', urgent: true, cc: null }]],
  ),
  row('a tag whose close tag is missing', 'xml', `Wait.\n<tool_call>${LEND}`, [lend], 'Wait.'),
  row('a tag whose close tag was cut', 'xml', `<tool_call>${LEND}\n</tool_c`, [lend]),
  row('two tags that are never closed', 'xml', `<tool_call>${NOW}\n<tool_call>${LEND}\n`, [now, lend]),
  row('an unclosed tag, then text', 'xml', `<tool_call>${NOW}\nI wait.`, [now], 'I wait.'),
  row(
    'the readable call after one that is not JSON',
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
  row(
    'a comment with quotes in it',
    'xml',
    '<tool_call>{"name":"now", // {it\'s "odd\n"arguments":{}}</tool_call>',
    [now],
  ),
  row(
    'the readable call after one with a missing bracket',
    'xml',
    `<tool_call>{"name":"fly","arguments":{}</tool_call>\n<tool_call>${NOW}</tool_call>\n`,
    [now],
    '<tool_call>{"name":"fly","arguments":{}</tool_call>',
  ),
  row(
    'a call after markup',
    'xml',
    `<b>Ok</b><br>A <p>\n<tool_call>${NOW}</tool_call>`,
    [now],
    '<b>Ok</b><br>A <p>',
  ),
  row(
    'a call in an element for the answer',
    'xml',
    `<answer><tool_call>${NOW}</tool_call></answer>`,
    [now],
    '<answer></answer>',
  ),
  row(
    'a call after apostrophes',
    'xml',
    `Don't: it's the boys' <tool_call>${NOW}</tool_call>`,
    [now],
    "Don't: it's the boys'",
  ),
]
