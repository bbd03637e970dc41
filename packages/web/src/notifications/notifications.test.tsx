// @vitest-environment jsdom
import type { ApprovalRow, NotificationRow, ToolkitView } from '@capstan/protocol'
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { RouterProvider, useRouter } from '../routing/router.tsx'
import { createFakeServer } from '../socket/fake-server.fixture.ts'
import { ServerProvider } from '../socket/server-context.tsx'
import { NotificationsSection } from '../settings/notifications-section.tsx'
import { useNotify } from './use-notify.ts'
import { useWaiting } from './use-waiting.ts'
import { WaitingMenu } from './waiting-menu.tsx'

const approval = (id: string, more: object = {}) =>
  ({ id, threadId: 'thread_1', label: 'Send a mail to Bo', ...more }) as ApprovalRow
const notes = (status: string) =>
  ({ name: 'Notes', connections: [{ id: 'c1', status, updatedAt: 1 }] }) as unknown as ToolkitView

const shown: { readonly title: string; readonly click: () => void }[] = []

/** What the browser has, without a screen. */
class FakeNotification extends EventTarget {
  static permission = 'default'
  static async requestPermission(): Promise<string> {
    return (FakeNotification.permission = 'granted')
  }
  constructor(title: string) {
    super()
    shown.push({ title, click: () => void this.dispatchEvent(new Event('click')) })
  }
  close(): void {}
}

beforeEach(() => {
  shown.length = 0
  localStorage.clear()
  window.history.replaceState(null, '', '/')
  FakeNotification.permission = 'default'
  vi.stubGlobal('Notification', FakeNotification)
  vi.spyOn(window, 'focus').mockImplementation(() => {})
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

function Page() {
  const waiting = useWaiting()
  useNotify(waiting.items)
  return (
    <>
      <WaitingMenu waiting={waiting} />
      <NotificationsSection />
      <output>{useRouter().path}</output>
    </>
  )
}

function open(given: {
  approvals: ApprovalRow[]
  toolkits: ToolkitView[]
  notifications?: NotificationRow[]
  seen?: string[]
}) {
  const server = createFakeServer({
    approvals: async () => ({ approvals: given.approvals }),
    toolkits: async () => ({ authoritative: true, toolkits: given.toolkits }),
    notifications: async () => ({ notifications: given.notifications ?? [] }),
    seeNotifications: async (ids) => {
      given.seen?.push(...ids)
      given.notifications = given.notifications?.filter(({ id }) => !ids.includes(id)) ?? []
    },
  })
  render(
    <ServerProvider {...server}>
      <RouterProvider>
        <Page />
      </RouterProvider>
    </ServerProvider>,
  )
  return server
}

const hide = () => vi.spyOn(document, 'hidden', 'get').mockReturnValue(true)

it('the menu counts approvals and accounts that wait, and opens the page where to act', async () => {
  open({ approvals: [approval('a1'), approval('a2', { decision: 'deny' })], toolkits: [notes('expired')] })
  const button = await screen.findByRole('button', { name: 'Waiting for you 2' })
  fireEvent.keyDown(button, { key: 'Enter' })
  expect(await screen.findByRole('menuitem', { name: /Notes.* must be connected again/ })).toBeDefined()
  fireEvent.click(screen.getByRole('menuitem', { name: /Send a mail to Bo/ }))
  expect(screen.getByText('/t/thread_1')).toBeDefined()
})

it('the menu is not there when nothing waits, and comes with the next approval', async () => {
  const given = { approvals: [] as ApprovalRow[], toolkits: [notes('active')] }
  const server = open(given)
  await screen.findByText('Notify me in this browser')
  expect(screen.queryByRole('button', { name: /Waiting for you/ })).toBeNull()
  given.approvals.push(approval('a1'))
  act(() => server.send('approval-change', approval('a1')))
  expect(await screen.findByRole('button', { name: 'Waiting for you 1' })).toBeDefined()
})

it('a browser notification comes only when it was switched on, in the background, for something new, without contents', async () => {
  const given = { approvals: [approval('a1')], toolkits: [] }
  const server = open(given)
  await screen.findByRole('button', { name: 'Waiting for you 1' })
  hide()
  given.approvals = [...given.approvals, approval('a2')]
  act(() => server.send('approval-change', approval('a2')))
  await screen.findByRole('button', { name: 'Waiting for you 2' })
  expect(shown).toEqual([])

  fireEvent.click(screen.getByRole('switch', { name: 'Notify me in this browser' }))
  await vi.waitFor(() => expect(screen.getByRole('switch').getAttribute('aria-checked')).toBe('true'))
  given.approvals = [...given.approvals, approval('a3')]
  act(() => server.send('approval-change', approval('a3')))
  await screen.findByRole('button', { name: 'Waiting for you 3' })
  expect(shown.map(({ title }) => title)).toEqual(['Capstan needs your approval'])
  act(() => shown[0]!.click())
  expect(screen.getByText('/t/thread_1')).toBeDefined()
})

it('a failed schedule and an escalated trigger are told until they were seen, once, and not beside their approval', async () => {
  const told = (id: string, kind: string, more: object = {}) =>
    ({ id, kind, name: `Of ${id}`, at: 1, ...more }) as NotificationRow
  const given = {
    approvals: [approval('a1')],
    toolkits: [],
    notifications: [
      told('n1', 'trigger-escalated', { threadId: 'thread_1' }),
      told('n2', 'trigger-escalated', { threadId: 'thread_2' }),
      told('n3', 'schedule-failed'),
    ],
    seen: [] as string[],
  }
  const server = open(given)
  const button = await screen.findByRole('button', { name: 'Waiting for you 3' })
  fireEvent.click(screen.getByRole('switch', { name: 'Notify me in this browser' }))
  await vi.waitFor(() => expect(screen.getByRole('switch').getAttribute('aria-checked')).toBe('true'))
  hide()
  given.notifications.push(told('n4', 'schedule-failed'))
  act(() => server.send('jobs-change'))
  await screen.findByRole('button', { name: 'Waiting for you 4' })
  act(() => server.send('jobs-change'))
  expect(shown.map(({ title }) => title)).toEqual(['Capstan: a schedule failed'])

  fireEvent.keyDown(button, { key: 'Enter' })
  fireEvent.click(await screen.findByRole('menuitem', { name: /Of n3.* failed/ }))
  expect(screen.getByText('/automations/schedules')).toBeDefined()
  expect(given.seen).toEqual(['n3'])
  const left = await screen.findByRole('button', { name: 'Waiting for you 3' })
  fireEvent.keyDown(left, { key: 'Enter' })
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Mark messages as seen' }))
  await screen.findByRole('button', { name: 'Waiting for you 1' })
  expect(given.notifications).toEqual([])
})

it('the switch says that the browser blocks notifications', async () => {
  FakeNotification.permission = 'denied'
  open({ approvals: [], toolkits: [] })
  expect(await screen.findByText(/This browser blocks notifications/)).toBeDefined()
  expect(screen.getByRole('switch').getAttribute('disabled')).not.toBeNull()
})
