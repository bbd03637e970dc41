import { StoreError } from '@capstan/harness'
import { expect, it } from 'vitest'
import { isConnectionLoss, toStoreError } from './store-errors.ts'

const withCode = (code: string): Error => Object.assign(new Error('what the server says'), { code })

it.each([
  ['53100', 'full'],
  ['53300', 'io'],
  ['25006', 'io'],
  ['28P01', 'io'],
  ['40001', 'locked'],
  ['40P01', 'locked'],
  ['55P03', 'locked'],
  ['23505', 'invalid'],
  ['22001', 'invalid'],
  ['22021', 'invalid'],
  ['54000', 'invalid'],
  ['42P01', 'damaged'],
  ['XX001', 'damaged'],
  ['58030', 'io'],
  ['ECONNREFUSED', 'io'],
  ['57P01', 'io'],
  ['08006', 'io'],
])('the error %s of the database is of kind %s', (code, kind) => {
  const error = toStoreError(withCode(code))
  expect(error).toBeInstanceOf(StoreError)
  expect(error.kind).toBe(kind)
})

it('an error of JSON is of kind invalid', () => {
  expect(toStoreError(new TypeError('Do not know how to serialize a BigInt')).kind).toBe('invalid')
})

it.each([
  new Error('Connection terminated unexpectedly'),
  new Error('Connection terminated due to connection timeout'),
  new Error('Client has encountered a connection error and is not queryable'),
  new Error('Query read timeout'),
  new Error('timeout exceeded when trying to connect'),
  withCode('57P01'),
  withCode('ECONNRESET'),
  withCode('08003'),
])('%s is a lost connection', (error) => {
  expect(isConnectionLoss(error)).toBe(true)
})

it.each([
  withCode('23505'),
  withCode('40001'),
  new TypeError('connection of words'),
  'Connection terminated',
])('%s is no lost connection', (error) => {
  expect(isConnectionLoss(error)).toBe(false)
})
