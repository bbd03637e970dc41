// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import { Disclosure } from './disclosure.tsx'

describe('a disclosure', () => {
  afterEach(cleanup)

  it('draws its content on the first opening and refers to it', () => {
    render(
      <Disclosure summary="More">
        <p>inside</p>
      </Disclosure>,
    )
    const button = screen.getByRole('button', { name: 'More' })
    expect(screen.queryByText('inside')).toBeNull()
    expect(button.getAttribute('aria-expanded')).toBe('false')
    fireEvent.click(button)
    expect(button.getAttribute('aria-expanded')).toBe('true')
    const body = screen.getByText('inside').parentElement
    expect(body?.id).toBe(button.getAttribute('aria-controls'))
    fireEvent.click(button)
    expect(body?.hidden).toBe(true)
  })

  it('is controlled by its parent', () => {
    const asked: boolean[] = []
    render(
      <Disclosure summary="More" open={false} onOpenChange={(open) => asked.push(open)}>
        inside
      </Disclosure>,
    )
    fireEvent.click(screen.getByRole('button', { name: 'More' }))
    expect(asked).toEqual([true])
    expect(screen.queryByText('inside')).toBeNull()
  })
})
