// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { AnswerReceipt, ApprovalRow } from '@capstan/protocol'
import { ApiError } from '@capstan/client'
import { ServerProvider } from '../socket/server-context.tsx'
import { createFakeServer } from '../socket/fake-server.fixture.ts'
import type { AskedApproval } from '@capstan/client'
import { ApprovalCard } from './approval-card.tsx'

afterEach(cleanup)

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
) {
  const answerApproval = vi.fn(() =>
    receipt instanceof ApiError ? Promise.reject(receipt) : Promise.resolve({ receipt }),
  )
  const server = createFakeServer({ answerApproval })
  render(
    <ServerProvider api={server.api} socket={server.socket}>
      <ApprovalCard approval={{ ...approval, ...given }} tool="notes_delete" where="Notes" isGone={isGone} />
    </ServerProvider>,
  )
  return { answerApproval, server }
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
    ['A', 'allow-always'],
    ['d', 'deny'],
  ] as const)('sends the answer for the key %s', async (key, decision) => {
    const { answerApproval } = show()
    fireEvent.keyDown(screen.getByRole('region'), { key })
    await waitFor(() => expect(answerApproval).toHaveBeenCalledExactlyOnceWith('approval_1', decision))
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
})
