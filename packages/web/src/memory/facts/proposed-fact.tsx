import type { FactPatch, MemoryFact } from '@capstan/protocol'
import { Check, Pencil, X } from 'lucide-react'
import { useRef, useState } from 'react'
import type { ReactElement } from 'react'
import { useT } from '../../i18n/use-t.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Time } from '../../ui/text/time.tsx'
import { FactEditor } from './fact-editor.tsx'
import { FactOrigin, FactWarning } from './fact-origin.tsx'

/** A fact that the assistant proposes: to accept, to edit and accept, or to reject. */
export function ProposedFact({
  fact,
  isHere = false,
  onChange,
}: {
  readonly fact: MemoryFact
  /** It is shown in the conversation that it is from. */
  readonly isHere?: boolean
  readonly onChange: (patch: FactPatch) => Promise<boolean>
}): ReactElement {
  const t = useT()
  const [isEditing, setEditing] = useState(false)
  const [sending, setSending] = useState<'accepted' | 'rejected'>()
  const edit = useRef<HTMLButtonElement>(null)

  async function answer(patch: FactPatch & { readonly status: 'accepted' | 'rejected' }): Promise<void> {
    if (sending !== undefined) return
    setSending(patch.status)
    await onChange(patch)
    setSending(undefined)
  }

  return (
    <div className="memory-proposed-inside">
      {isEditing ? (
        <FactEditor
          text={fact.text}
          save={t('memory.facts.saveAccept')}
          onSave={(text) => answer({ text, status: 'accepted' })}
          onCancel={() => {
            setEditing(false)
            requestAnimationFrame(() => edit.current?.focus())
          }}
        />
      ) : (
        <p className="memory-fact-text" dir="auto">
          {fact.text}
        </p>
      )}
      <FactWarning origin={fact.origin} />
      {(!isHere || fact.origin.app !== undefined) && (
        <p className="memory-item-facts">
          <FactOrigin origin={fact.origin} isHere={isHere} />
          <Time at={fact.createdAt} />
        </p>
      )}
      {!isEditing && (
        <div className="memory-buttons">
          <Button
            size="sm"
            variant="strong"
            icon={<Check aria-hidden="true" />}
            busy={sending === 'accepted'}
            onClick={() => void answer({ status: 'accepted' })}
          >
            {t('memory.facts.accept')}
          </Button>
          <Button ref={edit} size="sm" icon={<Pencil aria-hidden="true" />} onClick={() => setEditing(true)}>
            {t('memory.facts.edit')}
          </Button>
          <Button
            size="sm"
            icon={<X aria-hidden="true" />}
            busy={sending === 'rejected'}
            onClick={() => void answer({ status: 'rejected' })}
          >
            {t('memory.facts.reject')}
          </Button>
        </div>
      )}
    </div>
  )
}
