// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import type { ReactElement } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { PageBoundary } from './page-boundary.tsx'

describe('the page boundary', () => {
  // React logs every error that a boundary catches.
  beforeEach(() => void vi.spyOn(console, 'error').mockImplementation(() => undefined))
  afterEach(() => {
    cleanup()
    vi.restoreAllMocks()
  })

  it('shows a failed page with a retry button, and draws it again', () => {
    let isBroken = true
    function Page(): ReactElement {
      if (isBroken) throw new Error('torn')
      return <p>whole</p>
    }
    render(
      <PageBoundary>
        <Page />
      </PageBoundary>,
    )
    expect(screen.getByRole('alert').textContent).toContain('This page failed')
    expect(screen.getByRole('alert').textContent).not.toContain('torn')
    isBroken = false
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
    expect(screen.getByText('whole')).toBeTruthy()
  })
})
