import type { ActionEffect, ActionRow, ToolkitView } from '@capstan/protocol'
import { useCallback, useEffect, useState } from 'react'
import type { ReactElement } from 'react'
import { useT } from '../i18n/use-t.ts'
import { useApi } from '../socket/server-context.tsx'
import { useReason } from '../socket/use-reason.ts'
import { Select } from '../ui/controls/select.tsx'
import { useToast } from '../ui/overlays/toast.tsx'
import { TrustSwitch } from './trust-switch.tsx'

/** The actions of an app: what each counts as, why, and a way to change it. */
export function ActionList({
  toolkit,
  isOffline,
  onChange,
}: {
  readonly toolkit: ToolkitView
  readonly isOffline: boolean
  /** The trust in the server changed. */
  readonly onChange: () => void
}): ReactElement {
  const t = useT()
  const { name, slug } = toolkit
  const { actions, problem, choose, reload } = useActions(slug)
  return (
    <div className="connections-actions">
      {toolkit.isOwn && (
        <TrustSwitch
          toolkit={toolkit}
          isOffline={isOffline}
          onChange={() => {
            onChange()
            reload()
          }}
        />
      )}
      {problem !== undefined && <p role="alert">{problem}</p>}
      {problem === undefined && !actions && <p role="status">{t('connections.actions.loading')}</p>}
      {actions?.length === 0 && <p>{t('connections.actions.none')}</p>}
      {actions && actions.length > 0 && (
        <ul role="list" aria-label={t('connections.actions.titleOf', { name })}>
          {actions.map((action) => (
            <ActionLine
              key={action.name}
              action={action}
              isOffline={isOffline}
              onChoose={(effect) => void choose(action, effect)}
            />
          ))}
        </ul>
      )}
    </div>
  )
}

function ActionLine({
  action,
  isOffline,
  onChoose,
}: {
  readonly action: ActionRow
  readonly isOffline: boolean
  readonly onChoose: (effect: ActionEffect | null) => void
}): ReactElement {
  const t = useT()
  const { name, description, effect, because } = action
  const effects = (['read', 'write', 'admin'] as const).map((value) => ({
    value,
    label: t(`connections.scopes.${value}.name`),
  }))
  const standard = { value: 'standard' as const, label: t('connections.actions.standard') }
  return (
    <li className="connections-action">
      <div className="connections-action-words">
        <code>{name}</code>
        {description !== '' && (
          <p className="connections-action-about">
            <bdi>{description}</bdi>
          </p>
        )}
      </div>
      <Select<ActionEffect | 'standard'>
        label={t('connections.actions.effectOf', { action: name })}
        hideLabel
        hint={t(`connections.actions.because.${because}`)}
        value={effect}
        options={because === 'user' ? [...effects, standard] : effects}
        disabled={isOffline}
        onValueChange={(value) => onChoose(value === 'standard' ? null : value)}
      />
    </li>
  )
}

function useActions(slug: string) {
  const api = useApi()
  const toast = useToast()
  const toReason = useReason()
  const [actions, setActions] = useState<readonly ActionRow[]>()
  const [error, setError] = useState<unknown>()
  const [version, setVersion] = useState(0)
  const reload = useCallback(() => setVersion((before) => before + 1), [])

  useEffect(() => {
    const leaving = new AbortController()
    api.actions(slug, { signal: leaving.signal }).then(
      (list) => {
        if (leaving.signal.aborted) return
        setActions(list.actions)
        setError(undefined)
      },
      (reason: unknown) => {
        if (!leaving.signal.aborted) setError(reason)
      },
    )
    return () => leaving.abort()
  }, [api, slug, version])

  async function choose({ name, digest }: ActionRow, effect: ActionEffect | null): Promise<void> {
    try {
      await api.setActionEffect(slug, { action: name, effect, digest })
    } catch (reason) {
      toast({ text: toReason(reason), tone: 'fail' })
    }
    reload()
  }

  return { actions, problem: error === undefined ? undefined : toReason(error), choose, reload }
}
