import type { McpServerPost, McpServerRow } from '@capstan/protocol'
import { ShieldAlert } from 'lucide-react'
import { useId, useRef, useState } from 'react'
import type { FormEvent, ReactElement } from 'react'
import { useT } from '../i18n/use-t.ts'
import { ApiError } from '@capstan/client'
import { useApi } from '../socket/server-context.tsx'
import { useReason } from '../socket/use-reason.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { TextArea } from '../ui/text-area.tsx'
import { TextField } from '../ui/text-field.tsx'
import { parseCommand } from './parse-command.ts'
import type { FieldProblem, ServerDraft, ServerField } from './server-draft.ts'
import { checkDraft, EMPTY_DRAFT, fieldOf, suggestName } from './server-draft.ts'

type FieldErrors = { readonly [Field in ServerField]?: string }

/** What the server would start, as the server wrote it. */
interface Offer {
  readonly post: McpServerPost
  readonly command: string
}

/**
 * Adds an MCP server, by address or by command. A command is shown exactly as it would run, and nothing runs before
 * somebody has said so. Whatever goes wrong, what was typed stays.
 */
export function AddServerDialog({
  onAdded,
  onClose,
}: {
  readonly onAdded: (server: McpServerRow) => void
  readonly onClose: () => void
}): ReactElement {
  const t = useT()
  const api = useApi()
  const toReason = useReason()
  const formId = useId()
  const form = useRef<HTMLFormElement>(null)
  const [draft, setDraft] = useState<ServerDraft>(EMPTY_DRAFT)
  const [isNamed, setNamed] = useState(false)
  const [errors, setErrors] = useState<FieldErrors>({})
  const [problem, setProblem] = useState<string>()
  const [offer, setOffer] = useState<Offer>()
  const [isSure, setSure] = useState(false)
  const [isBusy, setBusy] = useState(false)

  function change(part: Partial<ServerDraft>): void {
    const next = { ...draft, ...part }
    // Until somebody writes a name, one suggests itself.
    setDraft(isNamed || part.name !== undefined ? next : { ...next, name: suggestName(next) || draft.name })
    setErrors((known) => ({
      ...known,
      ...Object.fromEntries(Object.keys(part).map((field) => [field, undefined])),
    }))
    setProblem(undefined)
  }

  function fail(found: FieldErrors): void {
    setErrors(found)
    const first = FIELDS.find((field) => found[field] !== undefined)
    if (first) form.current?.querySelector<HTMLElement>(`[name="${first}"]`)?.focus()
  }

  function take(error: unknown): void {
    if (!(error instanceof ApiError)) {
      setProblem(toReason(error))
      return
    }
    const field = fieldOf(error.field)
    if (error.field === 'confirmedCommand') setProblem(t('connections.addServer.confirm.changed'))
    else if (error.code === 'conflict' || (error.code === 'invalid' && field)) {
      setOffer(undefined)
      const words =
        error.code === 'conflict'
          ? t('connections.addServer.problems.taken')
          : `${t('connections.addServer.problems.refused')} ${error.message}`
      fail({ [field ?? 'name']: words })
    } else setProblem(toReason(error))
  }

  async function run(work: () => Promise<void>): Promise<void> {
    setBusy(true)
    setProblem(undefined)
    try {
      await work()
    } catch (error) {
      take(error)
    } finally {
      setBusy(false)
    }
  }

  async function add(post: McpServerPost): Promise<void> {
    onAdded(await api.addMcpServer(post))
    onClose()
  }

  async function preview(post: McpServerPost): Promise<void> {
    const { command } = await api.previewMcpServer(post)
    if (post.transport.type === 'http') return add(post)
    setSure(false)
    setOffer({ post, command: command ?? '' })
  }

  function submit(event: FormEvent): void {
    event.preventDefault()
    if (isBusy) return
    const checked = checkDraft(draft)
    if ('problems' in checked)
      fail(Object.fromEntries(checked.problems.map((each) => [each.field, toWords(each)])))
    else void run(() => preview(checked.post))
  }

  function toWords(found: FieldProblem): string {
    if (found.field === 'name') return t(`connections.addServer.problems.name.${found.problem}`)
    if (found.field === 'url') return t(`connections.addServer.problems.url.${found.problem}`)
    if (found.problem === 'shell' || found.problem === 'environment')
      return t(`connections.addServer.problems.command.${found.problem}`, { sign: found.at ?? '' })
    return t(`connections.addServer.problems.command.${found.problem}`)
  }

  if (offer) {
    return (
      <ConfirmCommand
        offer={offer}
        isSure={isSure}
        isBusy={isBusy}
        problem={problem}
        onSure={setSure}
        onBack={() => {
          setOffer(undefined)
          setProblem(undefined)
        }}
        onRun={() =>
          void run(async () => {
            try {
              await add({ ...offer.post, confirmedCommand: offer.command })
            } catch (error) {
              // It would start something else by now: that is shown, and asked about anew.
              if (error instanceof ApiError && error.field === 'confirmedCommand') await preview(offer.post)
              throw error
            }
          })
        }
        onClose={onClose}
      />
    )
  }

  const parsed = draft.way === 'command' ? parseCommand(draft.command) : undefined
  const literal = parsed?.ok ? parsed.parsed.literal : []
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('connections.addServer.title')}
      actions={
        <>
          <Button onClick={onClose}>{t('ui.cancel')}</Button>
          <Button variant="strong" type="submit" form={formId} busy={isBusy}>
            {draft.way === 'url' ? t('connections.addServer.add') : t('connections.addServer.next')}
          </Button>
        </>
      }
    >
      <form ref={form} id={formId} className="connections-form" noValidate onSubmit={submit}>
        <p className="connections-soft">{t('connections.addServer.intro')}</p>
        <fieldset className="connections-ways">
          <legend>{t('connections.addServer.way')}</legend>
          {WAYS.map(([way, key]) => (
            <label key={way} className="connections-way">
              <input
                type="radio"
                name="way"
                value={way}
                checked={draft.way === way}
                onChange={() => change({ way })}
              />
              <span>
                {t(`connections.addServer.${key}`)}
                <span className="connections-soft">{t(`connections.addServer.${key}Hint`)}</span>
              </span>
            </label>
          ))}
        </fieldset>
        {draft.way === 'url' ? (
          <TextField
            label={t('connections.addServer.url')}
            hint={t('connections.addServer.urlHint')}
            error={errors.url}
            name="url"
            type="url"
            inputMode="url"
            autoComplete="off"
            spellCheck={false}
            dir="ltr"
            placeholder="https://example.com/mcp"
            value={draft.url}
            onChange={(event) => change({ url: event.target.value })}
          />
        ) : (
          <>
            <TextArea
              label={t('connections.addServer.command')}
              hint={t('connections.addServer.commandHint')}
              error={errors.command}
              name="command"
              className="connections-command-input"
              autoComplete="off"
              autoCapitalize="off"
              spellCheck={false}
              dir="ltr"
              rows={2}
              placeholder="npx -y @modelcontextprotocol/server-filesystem ./notes"
              value={draft.command}
              onChange={(event) => change({ command: event.target.value })}
            />
            {literal.length > 0 && (
              <p className="connections-warning">
                {t('connections.addServer.literal', { parts: literal.join(' ') })}
              </p>
            )}
          </>
        )}
        <TextField
          label={t('connections.addServer.name')}
          hint={t('connections.addServer.nameHint')}
          error={errors.name}
          name="name"
          autoComplete="off"
          dir="auto"
          value={draft.name}
          onChange={(event) => {
            setNamed(event.target.value !== '')
            change({ name: event.target.value })
          }}
        />
        {problem !== undefined && (
          <p className="connections-problem" role="alert">
            {problem}
          </p>
        )}
      </form>
    </Dialog>
  )
}

const FIELDS: readonly ServerField[] = ['url', 'command', 'name']
const WAYS = [
  ['url', 'byUrl'],
  ['command', 'byCommand'],
] as const

function ConfirmCommand({
  offer,
  isSure,
  isBusy,
  problem,
  onSure,
  onBack,
  onRun,
  onClose,
}: {
  readonly offer: Offer
  readonly isSure: boolean
  readonly isBusy: boolean
  readonly problem: string | undefined
  readonly onSure: (isSure: boolean) => void
  readonly onBack: () => void
  readonly onRun: () => void
  readonly onClose: () => void
}): ReactElement {
  const t = useT()
  const id = useId()
  const [isMissing, setMissing] = useState(false)
  const { transport } = offer.post
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('connections.addServer.confirm.title')}
      actions={
        <>
          <Button onClick={onBack}>{t('connections.addServer.back')}</Button>
          <Button
            variant="strong"
            busy={isBusy}
            onClick={() => {
              setMissing(!isSure)
              if (isSure) onRun()
            }}
          >
            {t('connections.addServer.confirm.run')}
          </Button>
        </>
      }
    >
      <div className="connections-form">
        <p className="connections-warning">
          <ShieldAlert size={16} aria-hidden="true" />
          {t('connections.addServer.confirm.text')}
        </p>
        <div>
          <p id={`${id}-exact`} className="connections-label">
            {t('connections.addServer.confirm.exact')}
          </p>
          <pre className="connections-command" aria-labelledby={`${id}-exact`}>
            <code>{offer.command}</code>
          </pre>
        </div>
        {transport.type === 'stdio' && (
          <div>
            <p id={`${id}-parts`} className="connections-label">
              {t('connections.addServer.parts')}
            </p>
            <ol className="connections-parts" aria-labelledby={`${id}-parts`} dir="ltr">
              {[transport.command, ...transport.args].map((part, at) => (
                <li key={at}>
                  <code>{part === '' ? '""' : part}</code>
                </li>
              ))}
            </ol>
          </div>
        )}
        <label className="connections-way">
          <input
            type="checkbox"
            checked={isSure}
            aria-describedby={isMissing ? `${id}-missing` : undefined}
            aria-invalid={isMissing || undefined}
            onChange={(event) => {
              onSure(event.target.checked)
              setMissing(false)
            }}
          />
          <span>{t('connections.addServer.confirm.check')}</span>
        </label>
        {isMissing && (
          <p id={`${id}-missing`} className="connections-problem" role="alert">
            {t('connections.addServer.confirm.missing')}
          </p>
        )}
        {problem !== undefined && (
          <p className="connections-problem" role="alert">
            {problem}
          </p>
        )}
      </div>
    </Dialog>
  )
}
