import type { ThreadSearchHit } from '@capstan/protocol'
import { Search } from 'lucide-react'
import { useId, useState } from 'react'
import type { KeyboardEvent, ReactElement } from 'react'
import { useT } from '../../i18n/use-t.ts'
import { useReason } from '../../socket/use-reason.ts'
import { Modal } from '../../ui/overlays/modal.tsx'
import { toPath } from '../../routing/route.ts'
import { useRouter } from '../../routing/router.tsx'
import { Spinner } from '../../ui/feedback/spinner.tsx'
import { Time } from '../../ui/text/time.tsx'
import { markMatches } from './mark-matches.ts'
import { useThreadSearch } from './use-thread-search.ts'

export interface SearchDialogProps {
  readonly open: boolean
  readonly onClose: () => void
}

export function SearchDialog({ open, onClose }: SearchDialogProps): ReactElement {
  const t = useT()
  return (
    <Modal
      open={open}
      onClose={onClose}
      className="ui-dialog shell-search-dialog"
      label={t('shell.search.title')}
    >
      <SearchBox onClose={onClose} />
    </Modal>
  )
}

function SearchBox({ onClose }: { readonly onClose: () => void }): ReactElement {
  const t = useT()
  const reason = useReason()
  const { navigate } = useRouter()
  const id = useId()
  const [active, setActive] = useState(0)
  const { query, setQuery, shown, isSearching } = useThreadSearch(() => setActive(0))
  const hits = shown?.hits ?? []

  function open(hit: ThreadSearchHit): void {
    onClose()
    navigate(toPath({ page: 'chat', threadId: hit.thread.id }))
  }

  function press(event: KeyboardEvent): void {
    if (event.nativeEvent.isComposing || hits.length === 0) return
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    const hit = hits[active]
    if (step !== undefined) {
      event.preventDefault()
      const next = (active + step + hits.length) % hits.length
      setActive(next)
      document.getElementById(`${id}-${next}`)?.scrollIntoView({ block: 'nearest' })
    } else if (event.key === 'Enter' && hit) {
      event.preventDefault()
      open(hit)
    }
  }

  return (
    <div className="shell-search-inside">
      <div className="shell-search-field">
        {isSearching ? <Spinner /> : <Search size={18} aria-hidden="true" />}
        <input
          type="search"
          role="combobox"
          aria-label={t('shell.search.field')}
          aria-expanded={hits.length > 0}
          aria-controls={`${id}-list`}
          aria-activedescendant={hits.length > 0 ? `${id}-${active}` : undefined}
          aria-autocomplete="list"
          placeholder={t('shell.search.placeholder')}
          value={query}
          dir="auto"
          maxLength={200}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => setQuery(event.target.value)}
          onKeyDown={press}
        />
      </div>
      <ul id={`${id}-list`} role="listbox" aria-label={t('shell.search.title')} className="shell-hits">
        {hits.map((hit, at) => (
          // Selected with the arrow keys; the focus stays in the search field.
          <li
            key={hit.thread.id}
            id={`${id}-${at}`}
            role="option"
            aria-selected={at === active}
            className="shell-hit"
            onPointerMove={() => setActive(at)}
            onClick={() => open(hit)}
          >
            <Hit hit={hit} query={shown?.query ?? ''} />
          </li>
        ))}
      </ul>
      <p className="shell-search-note" role="status">
        {shown === undefined
          ? t('shell.search.hint')
          : shown.error !== undefined
            ? t('shell.search.failed', { reason: reason(shown.error) })
            : hits.length === 0
              ? t('shell.search.none', { query: shown.query })
              : t('shell.search.hits', { count: hits.length })}
      </p>
    </div>
  )
}

function Hit({ hit, query }: { readonly hit: ThreadSearchHit; readonly query: string }): ReactElement {
  const t = useT()
  return (
    <>
      <span className="shell-hit-head">
        <span className="shell-hit-title" dir="auto">
          {hit.thread.title || t('shell.threads.untitled')}
        </span>
        <Time at={hit.thread.updatedAt} />
      </span>
      <span className="shell-hit-excerpt" dir="auto">
        {markMatches(hit.excerpt, query).map((part, key) =>
          part.isMatch ? <mark key={key}>{part.text}</mark> : <span key={key}>{part.text}</span>,
        )}
      </span>
    </>
  )
}
