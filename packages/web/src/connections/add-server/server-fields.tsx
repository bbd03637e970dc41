import type { ReactElement } from 'react'
import { useT } from '../../i18n/use-t.ts'
import { TextArea } from '../../ui/controls/text-area.tsx'
import { TextField } from '../../ui/controls/text-field.tsx'
import { parseCommand } from './parse-command.ts'
import type { ServerDraft } from './server-draft.ts'
import type { FieldErrors } from './use-server-form.ts'

interface ServerFieldsProps {
  readonly draft: ServerDraft
  readonly errors: FieldErrors
  readonly onChange: (part: Partial<ServerDraft>) => void
}

const WAYS = [
  ['url', 'byUrl'],
  ['command', 'byCommand'],
] as const

/** How the server is reached, where it is, and its name. */
export function ServerFields({ draft, errors, onChange }: ServerFieldsProps): ReactElement {
  const t = useT()
  return (
    <>
      <fieldset className="connections-ways">
        <legend>{t('connections.addServer.way')}</legend>
        {WAYS.map(([way, key]) => (
          <label key={way} className="connections-way">
            <input
              type="radio"
              name="way"
              value={way}
              checked={draft.way === way}
              onChange={() => onChange({ way })}
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
          onChange={(event) => onChange({ url: event.target.value })}
        />
      ) : (
        <CommandField draft={draft} errors={errors} onChange={onChange} />
      )}
      <TextField
        label={t('connections.addServer.name')}
        hint={t('connections.addServer.nameHint')}
        error={errors.name}
        name="name"
        autoComplete="off"
        dir="auto"
        value={draft.name}
        onChange={(event) => onChange({ name: event.target.value })}
      />
    </>
  )
}

function CommandField({ draft, errors, onChange }: ServerFieldsProps): ReactElement {
  const t = useT()
  const result = parseCommand(draft.command)
  const literal = result.ok ? result.parsed.literal : []
  return (
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
        onChange={(event) => onChange({ command: event.target.value })}
      />
      {literal.length > 0 && (
        <p className="connections-warning">
          {t('connections.addServer.literal', { parts: literal.join(' ') })}
        </p>
      )}
    </>
  )
}
