import type { MemoryFact } from '@capstan/protocol'
import { Pencil, Trash2, Undo2 } from 'lucide-react'
import { useRef, useState } from 'react'
import type { ReactElement } from 'react'
import { isolate } from '../../approvals/approval-buttons.tsx'
import { useT } from '../../i18n/use-t.ts'
import { IconButton } from '../../ui/controls/icon-button.tsx'
import { Time } from '../../ui/text/time.tsx'
import { FactEditor } from './fact-editor.tsx'
import { FactOrigin } from './fact-origin.tsx'
import type { Facts } from './use-facts.ts'

/** A fact that was answered: an accepted one can be edited, a rejected one accepted, and both forgotten. */
export function FactRow({
  fact,
  facts,
  onForget,
}: {
  readonly fact: MemoryFact
  readonly facts: Facts
  readonly onForget: () => void
}): ReactElement {
  const t = useT()
  const [isEditing, setEditing] = useState(false)
  const edit = useRef<HTMLButtonElement>(null)
  const text = isolate(fact.text)

  function endEditing(): void {
    setEditing(false)
    requestAnimationFrame(() => edit.current?.focus())
  }

  if (isEditing)
    return (
      <li className="memory-fact">
        <FactEditor
          text={fact.text}
          save={t('memory.facts.save')}
          onSave={async (words) => {
            if (await facts.change(fact, { text: words })) endEditing()
          }}
          onCancel={endEditing}
        />
      </li>
    )
  return (
    <li className="memory-fact">
      <div className="memory-fact-inside">
        <p className="memory-fact-text" dir="auto">
          {fact.text}
        </p>
        <p className="memory-item-facts">
          <FactOrigin origin={fact.origin} />
          <Time at={fact.changedAt} form="date" />
        </p>
      </div>
      <div className="memory-buttons">
        {fact.status === 'accepted' ? (
          <IconButton
            ref={edit}
            label={t('memory.facts.editOf', { text })}
            size="sm"
            onClick={() => setEditing(true)}
          >
            <Pencil aria-hidden="true" />
          </IconButton>
        ) : (
          <IconButton
            label={t('memory.facts.acceptOf', { text })}
            size="sm"
            onClick={() => void facts.change(fact, { status: 'accepted' })}
          >
            <Undo2 className="ui-mirrored" aria-hidden="true" />
          </IconButton>
        )}
        <IconButton label={t('memory.facts.forgetOf', { text })} size="sm" onClick={onForget}>
          <Trash2 aria-hidden="true" />
        </IconButton>
      </div>
    </li>
  )
}
