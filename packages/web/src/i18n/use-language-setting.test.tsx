// @vitest-environment jsdom
import { act, cleanup, render, screen } from '@testing-library/react'
import type { ReactElement } from 'react'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { setLanguage } from './i18n.ts'
import { useFailureWords } from './use-failure-words.ts'
import { useFormatters } from './use-formatters.ts'
import { useProblemWords } from './use-problem-words.ts'
import { useLanguageSetting } from './use-language-setting.ts'
import { useT } from './use-t.ts'

function Page({ setting }: { readonly setting: string | undefined }): ReactElement | null {
  return useLanguageSetting(setting) ? <Words /> : null
}

function Words(): ReactElement {
  const t = useT()
  const format = useFormatters()
  const words = useFailureWords()
  const problem = useProblemWords()
  return (
    <ul>
      <li>{t('failures.buttons.connect')}</li>
      <li>{format.number(1234.5)}</li>
      <li>{words({ class: 'not_found' }, 'call').why}</li>
      <li>{words({ class: 'not_found' }, 'model').why}</li>
      <li>{words({ class: 'conflict' }, 'model').why}</li>
      <li>{problem()}</li>
      <li>{problem({ code: 'teapot' as 'invalid' })}</li>
    </ul>
  )
}

const lines = (): (string | null)[] => screen.getAllByRole('listitem').map((item) => item.textContent)
const page = (): { lang: string; dir: string } => ({
  lang: document.documentElement.lang,
  dir: document.documentElement.dir,
})

describe('useLanguageSetting', () => {
  beforeEach(() => {
    localStorage.clear()
  })

  afterEach(async () => {
    cleanup()
    await act(() => setLanguage('en'))
  })

  it('shows English at once where it is preferred', () => {
    render(<Page setting="" />)
    expect(lines()[0]).toBe('Connect')
    expect(page()).toEqual({ lang: 'en', dir: 'ltr' })
  })

  it('changes the language and direction of an open page', async () => {
    const { rerender } = render(<Page setting="en" />)
    rerender(<Page setting="ar" />)
    expect(await screen.findByText('ربط')).toBeTruthy()
    expect(page()).toEqual({ lang: 'ar', dir: 'rtl' })
    rerender(<Page setting="de" />)
    expect(await screen.findByText('Verbinden')).toBeTruthy()
    expect(lines()[1]).toBe('1.234,5')
    expect(page()).toEqual({ lang: 'de', dir: 'ltr' })
  })

  it('shows nothing before the first language is loaded, not even English', async () => {
    const { container } = render(<Page setting="ja" />)
    expect(container.textContent).toBe('')
    expect((await screen.findAllByRole('listitem'))[0]?.textContent).toBe('接続')
  })

  it('uses the language of the last visit until the settings are loaded', async () => {
    const first = render(<Page setting="fr" />)
    await screen.findAllByRole('listitem')
    first.unmount()
    await act(() => setLanguage('en'))
    render(<Page setting={undefined} />)
    expect((await screen.findAllByRole('listitem'))[0]?.textContent).toBe('Connecter')
  })

  it('has different texts for failures of actions and of the AI model, and a general one for unknown classes', () => {
    render(<Page setting="en" />)
    expect(lines().slice(2)).toEqual([
      'What was named does not exist.',
      'The provider does not know this AI model.',
      'It clashes with how things are now.',
      'Capstan cannot be reached. Check that it is running.',
      'That did not work. Try again.',
    ])
  })
})
