// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import type { ReactElement } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Modal } from './modal.tsx'
import { ToastProvider, useToast } from './toast.tsx'
import type { Toast } from './toast.tsx'

function Shows({ toast }: { readonly toast: Toast }): ReactElement {
  const showToast = useToast()
  return (
    <button type="button" onClick={() => showToast(toast)}>
      show
    </button>
  )
}

function show(toast: Toast): void {
  render(
    <ToastProvider>
      <Shows toast={toast} />
    </ToastProvider>,
  )
  fireEvent.click(screen.getByRole('button', { name: 'show' }))
}

describe('a toast', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => {
    cleanup()
    vi.useRealTimers()
  })

  it('disappears by itself and calls onGone once', () => {
    const onGone = vi.fn()
    show({ text: 'Done.', onGone })
    expect(screen.getByText('Done.').closest('[aria-live]')?.getAttribute('aria-live')).toBe('polite')
    act(() => void vi.advanceTimersByTime(6000))
    expect(screen.queryByText('Done.')).toBeNull()
    act(() => void vi.advanceTimersByTime(60_000))
    expect(onGone).toHaveBeenCalledTimes(1)
  })

  it('stays while it is hovered', () => {
    show({ text: 'Done.' })
    fireEvent.pointerEnter(screen.getByText('Done.').parentElement ?? document.body)
    act(() => void vi.advanceTimersByTime(60_000))
    expect(screen.getByText('Done.')).toBeTruthy()
  })

  it('calls either onUndo or onGone, never both', () => {
    const onGone = vi.fn()
    const onUndo = vi.fn()
    show({ text: 'Done.', onGone, onUndo })
    fireEvent.click(screen.getByRole('button', { name: 'Undo' }))
    act(() => void vi.advanceTimersByTime(60_000))
    expect([onUndo.mock.calls.length, onGone.mock.calls.length]).toEqual([1, 0])
  })

  it('is shown inside an open modal, and on the page again when the modal closes', () => {
    function Page(): ReactElement {
      const [isOpen, setOpen] = useState(true)
      return (
        <Modal open={isOpen} onClose={() => setOpen(false)} className="ui-dialog" label="A modal">
          <Shows toast={{ text: 'Saved.' }} />
        </Modal>
      )
    }
    render(
      <ToastProvider>
        <Page />
      </ToastProvider>,
    )
    fireEvent.click(screen.getByRole('button', { name: 'show' }))
    expect(screen.getByText('Saved.').closest('dialog')).toBe(screen.getByRole('dialog'))
    fireEvent.keyDown(screen.getByRole('dialog'), { key: 'Escape' })
    expect(screen.getByText('Saved.').closest('dialog')).toBeNull()
  })
})
