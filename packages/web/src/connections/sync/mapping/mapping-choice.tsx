import type { ProposedMapping, SyncMapping } from '@capstan/protocol'
import type { ReactElement } from 'react'
import { useT } from '../../../i18n/use-t.ts'

/** `set`: what is set now. `own`: an empty form. A number: the place of a proposal. */
export type MappingWay = 'set' | 'own' | number

/** The proposals in words, one of which is chosen, or the form is filled in by hand. */
export function MappingChoice({
  set,
  proposals,
  way,
  onChoose,
}: {
  readonly set: SyncMapping | undefined
  readonly proposals: readonly ProposedMapping[]
  readonly way: MappingWay
  readonly onChoose: (way: MappingWay) => void
}): ReactElement {
  const t = useT()
  return (
    <fieldset className="connections-ways">
      <legend>{t('sync.mapping.ways')}</legend>
      {set && (
        <Way
          isChosen={way === 'set'}
          onChoose={() => onChoose('set')}
          label={t('sync.mapping.set')}
          of={set}
        />
      )}
      {proposals.map(({ mapping, unsure }, at) => (
        <Way
          key={at}
          isChosen={way === at}
          onChoose={() => onChoose(at)}
          of={mapping}
          unsure={unsure.length}
        />
      ))}
      <Way isChosen={way === 'own'} onChoose={() => onChoose('own')} label={t('sync.mapping.own')} />
    </fieldset>
  )
}

function Way({
  isChosen,
  onChoose,
  label,
  of,
  unsure = 0,
}: {
  readonly isChosen: boolean
  readonly onChoose: () => void
  readonly label?: string
  readonly of?: SyncMapping
  readonly unsure?: number
}): ReactElement {
  const t = useT()
  const words = of && <Words mapping={of} />
  return (
    <label className="connections-way">
      <input type="radio" name="mapping" checked={isChosen} onChange={onChoose} />
      <span>
        {label ?? words}
        {label !== undefined && words && <span className="connections-soft">{words}</span>}
        {of && <Parts mapping={of} />}
        {unsure > 0 && (
          <span className="mapping-unsure">{t('sync.mapping.unsureCount', { number: unsure })}</span>
        )}
      </span>
    </label>
  )
}

function Words({ mapping: { list, read } }: { readonly mapping: SyncMapping }): ReactElement {
  const t = useT()
  return (
    <bdi>
      {read
        ? t('sync.mapping.words.read', { list: list.action, read: read.action })
        : t('sync.mapping.words.list', { list: list.action })}
    </bdi>
  )
}

/** Which field is the id, the title, the text and the time. */
function Parts({ mapping: { fields } }: { readonly mapping: SyncMapping }): ReactElement {
  const t = useT()
  const parts = (['id', 'title', 'text', 'at'] as const).filter((part) => fields[part] !== undefined)
  return (
    <span className="mapping-parts">
      {parts.map((part) => (
        <span key={part}>
          {t(`sync.mapping.fields.fields.${part}`)} <code>{fields[part]}</code>
        </span>
      ))}
    </span>
  )
}
