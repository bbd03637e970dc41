// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { AnswerReceipt, ApprovalRow } from '@capstan/protocol'
import { ApiError } from '@capstan/client'
import { ServerProvider } from '../socket/server-context.tsx'
import { createFakeServer } from '../socket/fake-server.fixture.ts'
import type { ApiClient, AskedApproval } from '@capstan/client'
import { ApprovalCard } from './approval-card.tsx'

afterEach(() => {
  cleanup()
  for (const field of document.querySelectorAll('body > input')) field.remove()
})

const approval: AskedApproval = {
  id: 'approval_1',
  label: 'Delete a page',
  arguments: { page: 'Budget' },
  effect: 'write',
  expiresAt: Date.now() + 3_600_000,
}

function show(
  receipt: AnswerReceipt | ApiError = 'accepted',
  given: Partial<AskedApproval> = {},
  isGone = false,
  answers: Partial<ApiClient> = {},
) {
  const answerApproval = vi.fn(() =>
    receipt instanceof ApiError ? Promise.reject(receipt) : Promise.resolve({ receipt }),
  )
  const server = createFakeServer({ answerApproval, ...answers })
  render(
    <ServerProvider api={server.api} socket={server.socket}>
      <ApprovalCard approval={{ ...approval, ...given }} tool="notes_delete" where="Notes" isGone={isGone} />
    </ServerProvider>,
  )
  return { answerApproval, server }
}

function addField(value: string): HTMLInputElement {
  const field = document.body.appendChild(document.createElement('input'))
  field.value = value
  field.focus()
  return field
}

function type(field: HTMLInputElement, text: string): void {
  for (const key of text) {
    fireEvent.keyDown(field, { key })
    field.value += key
  }
}

describe('the approval card', () => {
  it('shows the action, the app and the exact arguments', () => {
    show()
    const card = screen.getByRole('region')
    expect(card.textContent).toContain('Delete a page')
    expect(card.textContent).toContain('Notes')
    expect(card.textContent).toContain('notes_delete')
    expect(card.textContent).toContain('"page": "Budget"')
    expect(card.textContent).toContain('Expires in')
  })

  it('names the sub-agent that asks', () => {
    show('accepted', { agent: 'mail_worker_2' })
    expect(screen.getByRole('region').textContent).toContain('Helpermail worker 2')
  })

  it('says which texts led to the call, and where it would send something', () => {
    show('accepted', {
      reason: {
        kind: 'data-flow',
        sources: [
          { tool: 'web_fetch', name: 'https://shop.example/offer?id=1' },
          { tool: 'GMAIL_FETCH_EMAILS', app: 'Gmail', name: 'is:unread' },
          { tool: 'read_file', name: 'diary.txt' },
          { tool: 'look' },
        ],
        destinations: ['eve@evil.example'],
      },
    })
    const card = screen.getByRole('region')
    expect(screen.getAllByRole('listitem').map((item) => item.textContent)).toEqual([
      'After reading a page from shop.example',
      'After reading in Gmail',
      'After reading diary.txt',
      'After a result of look',
    ])
    expect(card.textContent).toContain('It would go to: eve@evil.example')
  })

  it('marks an action that can delete or administer', () => {
    show()
    expect(screen.getByText('Changes something')).toBeTruthy()
    cleanup()
    show('accepted', { effect: 'admin' })
    expect(screen.getByText('Can delete or administer')).toBeTruthy()
    expect(screen.queryByText('Changes something')).toBeNull()
  })

  it.each([
    ['a', 'allow-once'],
    ['c', 'allow-thread'],
    ['h', 'allow-hour'],
    ['A', 'allow-always'],
    ['d', 'deny'],
  ] as const)('sends the answer for the key %s', async (key, decision) => {
    const { answerApproval } = show()
    fireEvent.keyDown(screen.getByRole('region'), { key })
    await waitFor(() => expect(answerApproval).toHaveBeenCalledExactlyOnceWith('approval_1', { decision }))
  })

  it('shows the keys as key caps, which no button is called by', () => {
    show()
    const button = screen.getByRole('button', { name: 'Allow once' })
    expect(button.querySelector('kbd')?.textContent).toBe('A')
  })

  it('answers by a key from an empty field, and empties it', async () => {
    const { answerApproval } = show()
    const field = addField('')
    type(field, 'd')
    expect(answerApproval).not.toHaveBeenCalled()
    await waitFor(() => expect(answerApproval).toHaveBeenCalledTimes(1))
    expect(field.value).toBe('')
  })

  it.each([
    ['a field with text', 'No', 'a'],
    ['a word that begins like an answer', '', 'also'],
  ])('does not take %s for an answer', async (_, before, typed) => {
    vi.useFakeTimers()
    const { answerApproval } = show()
    const field = addField(before)
    type(field, typed)
    await vi.advanceTimersByTimeAsync(5000)
    vi.useRealTimers()
    expect(answerApproval).not.toHaveBeenCalled()
    expect(field.value).toBe(before + typed)
  })

  it('answers one question by a key, the first', async () => {
    const first = show()
    const second = show()
    fireEvent.keyDown(document.body, { key: 'd' })
    await waitFor(() => expect(first.answerApproval).toHaveBeenCalledTimes(1))
    expect(second.answerApproval).not.toHaveBeenCalled()
  })

  it('ignores keys with Ctrl', () => {
    const { answerApproval } = show()
    fireEvent.keyDown(screen.getByRole('region'), { key: 'a', ctrlKey: true })
    expect(answerApproval).not.toHaveBeenCalled()
  })

  it.each([
    ['accepted', 'Denied'],
    ['already-answered', 'Answered in another window'],
    ['expired', 'Expired'],
    ['unknown', 'No longer needed'],
  ] as const)('shows the receipt %s and removes the buttons', async (receipt, words) => {
    show(receipt)
    fireEvent.click(screen.getByRole('button', { name: 'Deny' }))
    await waitFor(() => expect(screen.getByRole('status').textContent).toContain(words))
    expect(screen.queryByRole('button')).toBeNull()
  })

  it('shows that the approval was answered elsewhere', () => {
    const { server } = show()
    act(() => server.send('approval-change', { id: 'approval_1', decision: 'deny' } as ApprovalRow))
    expect(screen.getByRole('status').textContent).toContain('Answered in another window')
  })

  it('shows the answer that the thread records', () => {
    show('accepted', { decision: 'allow-always' })
    expect(screen.getByRole('status').textContent).toContain('Always allowed')
  })

  it('removes the buttons of an expired approval', () => {
    show('accepted', { expiresAt: Date.now() - 1 })
    expect(screen.getByRole('status').textContent).toContain('Nobody answered in time')
  })

  it('keeps an answer that could not be sent and sends it again', async () => {
    const { answerApproval } = show(new ApiError({ code: 'unreachable', message: '' }))
    fireEvent.click(screen.getByRole('button', { name: 'Allow once' }))
    fireEvent.click(await screen.findByRole('button', { name: 'Try again' }))
    expect(answerApproval).toHaveBeenCalledTimes(2)
  })

  it('offers no longer yes for an action that can delete or administer', () => {
    const { answerApproval } = show('accepted', { effect: 'admin' })
    expect(screen.getAllByRole('button')).toHaveLength(2)
    for (const name of ['Allow once', 'Deny']) expect(screen.getByRole('button', { name })).toBeTruthy()
    expect(screen.getByText('This is asked every time.')).toBeTruthy()
    fireEvent.keyDown(screen.getByRole('region'), { key: 'A' })
    expect(answerApproval).not.toHaveBeenCalled()
  })

  it('limits a longer yes to the destinations of the call, unless the person chooses more', async () => {
    const limits = [{ to: ['ada@example.com'] }, { to: ['*@example.com'] }]
    const first = show('accepted', { limits })
    fireEvent.click(screen.getByRole('button', { name: 'One hour' }))
    const decision = 'allow-hour'
    await waitFor(() =>
      expect(first.answerApproval).toHaveBeenCalledWith('approval_1', { decision, constraints: limits[0] }),
    )
    cleanup()
    const second = show('accepted', { limits })
    fireEvent.click(screen.getByRole('radio', { name: /Only to .\*@example\.com/ }))
    fireEvent.click(screen.getByRole('button', { name: 'One hour' }))
    await waitFor(() =>
      expect(second.answerApproval).toHaveBeenCalledWith('approval_1', { decision, constraints: limits[1] }),
    )
    cleanup()
    const third = show('accepted', { limits })
    fireEvent.click(screen.getByRole('radio', { name: 'To any destination' }))
    fireEvent.click(screen.getByRole('button', { name: 'One hour' }))
    await waitFor(() => expect(third.answerApproval).toHaveBeenCalledWith('approval_1', { decision }))
  })

  it('shows invisible characters as codes, and counts them', () => {
    show('accepted', { arguments: { to: 'ada\u200b@example.com', file: 'a\u202egpj.exe' } })
    const card = screen.getByRole('region')
    expect(card.textContent).toContain('"adaU+200B@example.com"')
    expect(card.textContent).toContain('"aU+202Egpj.exe"')
    expect(card.textContent).toContain('Invisible characters, shown as codes: 2')
  })

  it('shows a long text whole, and expands it', () => {
    const text = 'x'.repeat(5_000)
    show('accepted', { arguments: { text } })
    expect(screen.getByRole('region').textContent).toContain(text)
    fireEvent.click(screen.getByRole('button', { name: /Show all 5,0\d\d characters/ }))
    expect(screen.getByRole('button', { name: 'Show less' })).toBeTruthy()
  })
})

describe('an approval card with hidden values', () => {
  const hidden = [{ path: 'password', chars: 7, source: 'recognised' }] as const
  const given: Partial<AskedApproval> = { arguments: { password: '[secret]' }, hidden }

  it('says how long they are and why, and sends a yes only after a second press', async () => {
    const { answerApproval } = show('accepted', given)
    expect(screen.getByText('Hidden values: 1')).toBeTruthy()
    expect(screen.getByText(/password., 7 characters: it looks like a secret/)).toBeTruthy()
    fireEvent.click(screen.getByRole('button', { name: 'Allow once' }))
    expect(screen.getByRole('alert').textContent).toContain('You have not seen the hidden values.')
    expect(answerApproval).not.toHaveBeenCalled()
    fireEvent.click(screen.getByRole('button', { name: 'Allow unseen' }))
    await waitFor(() =>
      expect(answerApproval).toHaveBeenCalledExactlyOnceWith('approval_1', {
        decision: 'allow-once',
        withHidden: true,
      }),
    )
  })

  it('asks again when the second press is another answer', () => {
    const { answerApproval } = show('accepted', given)
    fireEvent.click(screen.getByRole('button', { name: 'Allow once' }))
    fireEvent.click(screen.getByRole('button', { name: 'Always allow' }))
    expect(answerApproval).not.toHaveBeenCalled()
  })

  it('reveals them on request; then one press is enough', async () => {
    const revealApproval = vi.fn(() => Promise.resolve({ arguments: { password: 'hunter2' } }))
    const { answerApproval } = show('accepted', given, false, { revealApproval })
    fireEvent.click(screen.getByRole('button', { name: 'Show hidden values' }))
    await waitFor(() => expect(screen.getByRole('region').textContent).toContain('"password": "hunter2"'))
    fireEvent.click(screen.getByRole('button', { name: 'Hide them again' }))
    expect(screen.getByRole('region').textContent).not.toContain('hunter2')
    fireEvent.click(screen.getByRole('button', { name: 'Allow once' }))
    await waitFor(() => expect(answerApproval).toHaveBeenCalledTimes(1))
  })

  it('says that they cannot be shown', async () => {
    show('accepted', given)
    fireEvent.click(screen.getByRole('button', { name: 'Show hidden values' }))
    expect((await screen.findByRole('alert')).textContent).toContain('cannot be shown')
  })

  it('are denied with one press', async () => {
    const { answerApproval } = show('accepted', given)
    fireEvent.click(screen.getByRole('button', { name: 'Deny' }))
    await waitFor(() => expect(answerApproval).toHaveBeenCalledWith('approval_1', { decision: 'deny' }))
  })
})
