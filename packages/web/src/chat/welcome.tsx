import { FlaskConical, Plug, TriangleAlert, Users } from 'lucide-react'
import type { LucideIcon } from 'lucide-react'
import type { ReactElement } from 'react'
import { useT } from '../i18n/use-t.ts'
import { useSettings } from '../settings/settings-context.tsx'
import { Badge } from '../ui/feedback/badge.tsx'
import { Mark } from '../ui/theme/mark.tsx'
import { toPath } from '../routing/route.ts'
import { Link } from '../routing/router.tsx'

const PROMPTS: readonly (readonly [1 | 2 | 3, LucideIcon])[] = [
  [1, Plug],
  [2, Users],
  [3, TriangleAlert],
]

/** An empty thread: the product, the model and three prompts to try. */
export function Welcome({ onPrompt }: { readonly onPrompt: (text: string) => void }): ReactElement {
  const t = useT()
  return (
    <div className="chat-welcome">
      <Mark size={40} />
      <h1>{t('chat.welcome.title')}</h1>
      <p>{t('chat.welcome.about')}</p>
      <ModelLine />
      <h2 className="chat-welcome-try">{t('chat.welcome.try')}</h2>
      <ul className="chat-prompts" role="list">
        {PROMPTS.map(([number, Icon]) => (
          <li key={number}>
            <button
              type="button"
              className="chat-prompt"
              onClick={() => onPrompt(t(`chat.welcome.prompt${number}`))}
            >
              <Icon aria-hidden="true" />
              <b>{t(`chat.welcome.prompt${number}-title`)}</b>
              <span>{t(`chat.welcome.prompt${number}`)}</span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** The demo script must never be mistaken for an AI. */
function ModelLine(): ReactElement | null {
  const t = useT()
  const { settings } = useSettings()
  if (!settings) return null
  const { isDemo, name } = settings.modelInUse
  if (!isDemo) return <p className="chat-model">{t('chat.welcome.model', { model: name })}</p>
  return (
    <p className="chat-model" data-demo>
      <Badge tone="accent" icon={<FlaskConical aria-hidden="true" />}>
        {t('chat.welcome.demo')}
      </Badge>{' '}
      {t('chat.welcome.demo-about')}{' '}
      <Link to={toPath({ page: 'settings' })}>{t('chat.welcome.choose-model')}</Link>
    </p>
  )
}
