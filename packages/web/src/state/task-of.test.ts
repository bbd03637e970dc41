import { expect, it } from 'vitest'
import { taskOf } from './task-of.ts'

it.each([
  ['Find Ada.', 'Find Ada.'],
  ['[Context]\nShe is in Oslo.\n\n[Task]\nFind Ada.\n', 'Find Ada.'],
  ['[Context]\nShe is in Osl', ''],
  ['About [Context] and\n[Task]\n', 'About [Context] and\n[Task]'],
])('%j is asked as %j', (text, task) => {
  expect(taskOf(text)).toBe(task)
})
