import type { ModelTest, Settings } from '@capstan/protocol'
import { FlaskConical } from 'lucide-react'
import { useId, useState } from 'react'
import type { FormEvent, ReactElement } from 'react'
import { useFailureWords } from '../i18n/use-failure-words.ts'
import { useFormatters } from '../i18n/use-formatters.ts'
import { useT } from '../i18n/use-t.ts'
import { useApi } from '../socket/server-context.tsx'
import { useRights } from '../socket/me-context.tsx'
import { useReason } from '../socket/use-reason.ts'
import { Badge } from '../ui/feedback/badge.tsx'
import { Button } from '../ui/controls/button.tsx'
import { Card } from '../ui/surfaces/card.tsx'
import { TextField } from '../ui/controls/text-field.tsx'
import { EmbeddingField } from './embedding-field.tsx'
import { ModelKeys } from './model-keys.tsx'
import { useSave } from './use-save.ts'

/** Suggested names; any other can be typed. */
const SUGGESTIONS = [
  'openai/gpt-6.1-terra',
  'anthropic/claude-sonnet-5',
  'google/gemini-3.8-flash',
  'ollama/llama4',
  'demo',
]

export function ModelSection({ settings }: { readonly settings: Settings }): ReactElement {
  const t = useT()
  const listId = useId()
  const { isSaving, error, save } = useSave()
  const [draft, setDraft] = useState<string>()
  const model = draft ?? settings.model
  const { modelInUse } = settings
  const canChange = useRights()?.changeModel ?? false

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault()
    if (await save({ model: model.trim() })) setDraft(undefined)
  }

  return (
    <Card title={t('settings.model.title')} description={t('settings.model.description')}>
      <div className="settings-in-use" data-demo={modelInUse.isDemo || undefined}>
        <p>
          <span className="settings-label">{t('settings.model.inUse')}</span>
          <strong>
            {modelInUse.isDemo ? (
              t('settings.model.demo')
            ) : (
              <bdi className="settings-name">{modelInUse.name}</bdi>
            )}
          </strong>
          {modelInUse.from !== 'demo' && (
            <Badge tone="info">
              {t(
                modelInUse.from === 'settings'
                  ? 'settings.model.fromSettings'
                  : 'settings.model.fromEnvironment',
              )}
            </Badge>
          )}
        </p>
        {modelInUse.isDemo && canChange && <p className="settings-small">{t('settings.model.demoHint')}</p>}
      </div>
      {canChange ? (
        <>
          <form className="settings-line" onSubmit={(event) => void submit(event)}>
            <TextField
              label={t('settings.model.field')}
              hint={t('settings.model.hint')}
              error={error}
              value={model}
              list={listId}
              dir="ltr"
              autoComplete="off"
              spellCheck={false}
              onChange={(event) => setDraft(event.target.value)}
            />
            <datalist id={listId}>
              {SUGGESTIONS.map((name) => (
                <option key={name} value={name} />
              ))}
            </datalist>
            <div className="settings-actions">
              <Button
                type="submit"
                variant="strong"
                busy={isSaving}
                disabled={draft === undefined || draft.trim() === settings.model}
              >
                {t('settings.model.use')}
              </Button>
              <TestButton key={model} model={model.trim()} />
            </div>
          </form>
          <ModelKeys settings={settings} />
          <EmbeddingField settings={settings} />
        </>
      ) : (
        <p className="settings-small">{t('people.ofOwner.model')}</p>
      )}
    </Card>
  )
}

/** Sends a short test request, so that a wrong key shows here and not in a conversation. */
function TestButton({ model }: { readonly model: string }): ReactElement {
  const t = useT()
  const api = useApi()
  const format = useFormatters()
  const failureWords = useFailureWords()
  const reason = useReason()
  const [isTesting, setTesting] = useState(false)
  const [test, setTest] = useState<ModelTest>()
  const [refusal, setRefusal] = useState<unknown>()
  const words = test?.failure && failureWords(test.failure, 'model', 'given-up')

  async function run(): Promise<void> {
    setTesting(true)
    setTest(undefined)
    setRefusal(undefined)
    try {
      setTest(await api.testModel(model === '' ? {} : { model }))
    } catch (error) {
      setRefusal(error)
    }
    setTesting(false)
  }

  return (
    <>
      <Button icon={<FlaskConical aria-hidden="true" />} busy={isTesting} onClick={() => void run()}>
        {t('settings.model.test')}
      </Button>
      <div className="settings-test" role="status">
        {isTesting && <p>{t('settings.model.testing', { model: model || t('settings.model.inUse') })}</p>}
        {test?.ok && (
          <p className="settings-ok">
            {t('settings.model.testOk', { model: test.model, duration: format.duration(test.durationMs) })}
          </p>
        )}
        {test && !test.ok && (
          <div className="settings-failed">
            <p>
              <strong>{t('settings.model.testFailed', { model: test.model })}</strong>
            </p>
            {words && (
              <dl>
                <dt>{t('settings.model.why')}</dt>
                <dd>{words.why}</dd>
                <dt>{t('settings.model.next')}</dt>
                <dd>{words.next}</dd>
              </dl>
            )}
          </div>
        )}
        {refusal !== undefined && <p className="settings-failed">{reason(refusal)}</p>}
      </div>
    </>
  )
}
