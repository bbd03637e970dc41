import { describe, expect, it } from 'vitest'
import { readArguments } from './read-arguments.ts'

describe('readArguments accepts arguments', () => {
  it.each([
    ['as JSON', '{"a":[1,"x",null,true],"b":{"c":-1.5e3}}', { a: [1, 'x', null, true], b: { c: -1500 } }],
    ['from nothing as none', '', {}],
    ['from white space as none', ' \n ', {}],
    ['from null as none', 'null', {}],
    ['from a string with JSON in it', '"{\\"a\\":1}"', { a: 1 }],
    ['with single quotes', "{'a': 'it is \"so\"', 'b': 'it\\'s'}", { a: 'it is "so"', b: "it's" }],
    ['with an apostrophe in a string', '{"a":"it\'s"}', { a: "it's" }],
    ['with an apostrophe that was escaped', '{"a":"it\\\'s"}', { a: "it's" }],
    ['with trailing commas', '{"a":[1,2,],"b":{},}', { a: [1, 2], b: {} }],
    ['with raw line breaks and tabs in strings', '{"a":"x\r\n\ty"}', { a: 'x\r\n\ty' }],
    ['with bare keys', '{a: 1, $b_2: "x"}', { a: 1, $b_2: 'x' }],
    ["with Python's constants", '{"a":True,"b":[False],"c":None}', { a: true, b: [false], c: null }],
    ['with comments', '{"a":1, // one\n/* {two} */ "b":"// no"}', { a: 1, b: '// no' }],
    ['out of a fence', '```json\n{"a":1}\n```', { a: 1 }],
    ['with a key given twice with the same value', '{"a":{"b":1},"a":{ "b":1 }}', { a: { b: 1 } }],
    [
      'with one key in two places',
      '{"a":{"a":1},"b":[{"a":2},{"a":3}]}',
      { a: { a: 1 }, b: [{ a: 2 }, { a: 3 }] },
    ],
  ])('%s', (_, text, args) => {
    expect(readArguments(text)).toEqual({ arguments: args })
  })
})

describe('readArguments reports arguments instead of guessing', () => {
  it.each([
    ['when they were cut in a string', '{"a":"x', 'not valid JSON (a string is not closed)'],
    [
      'when they were cut after a value',
      '{"a":[1,2',
      'not valid JSON (it ends before its last bracket is closed)',
    ],
    [
      'when a bracket is missing',
      '{"a":{"b":1}',
      'not valid JSON (it ends before its last bracket is closed)',
    ],
    ['when a bracket is of the wrong kind', '{"a":[1}]', 'not valid JSON'],
    ['when a comma is missing', '{"a":1 "b":2}', 'not valid JSON'],
    ['when a quote inside a string is not escaped', '{"a":"he said "no" twice"}', 'not valid JSON'],
    ['when an apostrophe ends a string early', "{'a': 'it's'}", 'not valid JSON'],
    ['when something was left out', '{"a":[1, ...]}', 'not valid JSON'],
    ['when a value is a bare word', '{"a": soon}', 'not valid JSON'],
    ['when numbers run together', '{"a":[1 2]}', 'not valid JSON'],
    ['when a comma stands alone', '{"a":[,]}', 'not valid JSON'],
    ['when there is text behind them', '{"a":1} and more', 'not valid JSON'],
    ['when there are two of them', '{"a":1}{"b":2}', 'several JSON objects in a row'],
    ['when an escape means nothing', '{"a":"\\d+"}', 'not valid JSON'],
    ['when a comment does not end', '{"a":1} /* and', 'not valid JSON (a stray slash)'],
    ['when they are a list', '[1]', 'must be a JSON object, not a list'],
    ['when they are a number', '7', 'must be a JSON object, not a number'],
    ['when they are words', 'tomorrow at nine', 'not valid JSON'],
    ['when a key has two values', '{"a":{"b":1,"b":[1]}}', 'have the key "b" twice, with different values'],
    ['when a key has two values and two spellings', '{"a":1,"\\u0061":2}', 'have the key "a" twice'],
  ])('%s', (_, text, problem) => {
    const read = readArguments(text)
    expect(read.arguments).toEqual({})
    expect(read.malformed?.raw).toBe(text)
    expect(read.malformed?.problem).toContain(problem)
  })
})
