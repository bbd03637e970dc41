// @vitest-environment jsdom
import type { DiagnosticCheck } from '@capstan/protocol'
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { setLanguage } from '../i18n/i18n.ts'
import { createFakeServer } from '../socket/fake-server.fixture.ts'
import { ServerProvider } from '../socket/server-context.tsx'
import { DiagnosticsPage } from './diagnostics-page.tsx'

const DISK: DiagnosticCheck = {
  id: 'disk',
  state: 'warning',
  finding: { code: 'disk', freeBytes: 512 * 1024 * 1024 },
  remedy: 'disk-soon',
  found: '512 MB free.',
  next: 'Make room on the disk before it is full.',
}
const FUTURE = {
  id: 'node',
  state: 'ok',
  finding: { code: 'from-a-newer-server' },
  found: 'In English.',
} as unknown as DiagnosticCheck

function open(...checks: readonly DiagnosticCheck[]): void {
  const { api, socket } = createFakeServer({ diagnostics: () => Promise.resolve({ checks }) })
  render(
    <ServerProvider api={api} socket={socket}>
      <DiagnosticsPage />
    </ServerProvider>,
  )
}

afterEach(async () => {
  cleanup()
  await setLanguage('en')
})

it('the findings of the diagnostics are in the language of the page', async () => {
  await setLanguage('de')
  open(DISK)
  expect(await screen.findByText(/MB frei\.$/)).toBeTruthy()
  expect(screen.getByText('Schaffe Platz auf der Festplatte, bevor sie voll ist.')).toBeTruthy()
  expect(screen.queryByText(/Make room/)).toBeNull()
})

it('a finding that the page does not know is shown as the server words it', async () => {
  open(FUTURE)
  expect(await screen.findByText('In English.')).toBeTruthy()
})
