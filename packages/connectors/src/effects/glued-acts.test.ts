import { describe, expect, it } from 'vitest'
import { judgeAction } from './judge-action.ts'

describe('a word that acts, with something glued to it', () => {
  it.each(['get_delete2', 'show_erase1', 'get_sendto', 'get_droptable', 'query_wipedisk', 'get_paynow'])(
    'is no read: %s',
    (name) => {
      const input = { type: 'object', properties: {} }
      expect(judgeAction({ name, app: 'acme', input }).effect).not.toBe('read')
    },
  )

  it.each([
    'list_payments',
    'get_payroll',
    'list_dropdowns',
    'search_senders',
    'get_bank',
    'list_granted_scopes',
    'list_executions',
    'get_cancelled_orders',
    'list_installations',
  ])('is another word: %s', (name) => {
    const input = { type: 'object', properties: {} }
    expect(judgeAction({ name, app: 'acme', input }).effect).toBe('read')
  })
})
