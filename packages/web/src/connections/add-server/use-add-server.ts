import type { McpServerPost, McpServerRow } from '@capstan/protocol'
import { useState } from 'react'
import { useT } from '../../i18n/use-t.ts'
import { ApiError } from '@capstan/client'
import { useApi } from '../../socket/server-context.tsx'
import { useFieldProblem } from '../../socket/use-field-problem.ts'
import { useReason } from '../../socket/use-reason.ts'
import type { CommandOffer } from './confirm-command.tsx'
import type { ProfileDraft } from '../profile/profile-draft.ts'
import { toDraft, toProfile } from '../profile/profile-draft.ts'
import { checkDraft, fieldOf } from './server-draft.ts'
import type { ServerForm } from './use-server-form.ts'
import { useFieldProblemText } from './use-server-form.ts'

/** What the dialog can do with a filled form: preview it, confirm its command, add the server. */
export interface AddServer {
  /** Present while a command waits for confirmation. */
  readonly offer: CommandOffer | undefined
  readonly isSure: boolean
  readonly isBusy: boolean
  /** What went wrong that belongs to no field. */
  readonly problem: string | undefined
  readonly setSure: (isSure: boolean) => void
  readonly setProfile: (profile: ProfileDraft) => void
  readonly clearProblem: () => void
  readonly submit: () => void
  readonly confirm: (offer: CommandOffer) => void
  readonly back: () => void
}

/** Sends the form. A command is first previewed and runs only after `confirm`. Never throws; a failure is a text. */
export function useAddServer(form: ServerForm, onAdded: (server: McpServerRow) => void): AddServer {
  const t = useT()
  const api = useApi()
  const toReason = useReason()
  const toText = useFieldProblemText()
  const toProblem = useFieldProblem()
  const [problem, setProblem] = useState<string>()
  const [offer, setOffer] = useState<CommandOffer>()
  const [isSure, setSure] = useState(false)
  const [isBusy, setBusy] = useState(false)

  function showFailure(error: unknown): void {
    if (!(error instanceof ApiError)) {
      setProblem(toReason(error))
      return
    }
    const field = fieldOf(error.field)
    const { text } = toProblem(error)
    if (error.code === 'invalid' && error.field?.startsWith('sandbox')) setProblem(text)
    else if (error.field === 'confirmedCommand') setProblem(t('connections.addServer.confirm.changed'))
    else if (error.code === 'conflict' || (error.code === 'invalid' && field)) {
      setOffer(undefined)
      const words =
        error.code === 'conflict'
          ? t('connections.addServer.problems.taken')
          : `${t('connections.addServer.problems.refused')} ${text}`
      form.showErrors({ [field ?? 'name']: words })
    } else setProblem(toReason(error))
  }

  async function run(work: () => Promise<void>): Promise<void> {
    setBusy(true)
    setProblem(undefined)
    try {
      await work()
    } catch (error) {
      showFailure(error)
    } finally {
      setBusy(false)
    }
  }

  const add = async (post: McpServerPost): Promise<void> => onAdded(await api.addMcpServer(post))

  async function preview(post: McpServerPost): Promise<void> {
    const { command, sandbox, isConfined = true } = await api.previewMcpServer(post)
    if (post.transport.type === 'http') return add(post)
    setSure(false)
    setOffer({ post, command: command ?? '', isConfined, ...(sandbox && { profile: toDraft(sandbox) }) })
  }

  async function addConfirmed({ post, command, profile }: CommandOffer): Promise<void> {
    try {
      await add({ ...post, confirmedCommand: command, ...(profile && { sandbox: toProfile(profile) }) })
    } catch (error) {
      // The server would start something else by now: show that command and ask again.
      if (error instanceof ApiError && error.field === 'confirmedCommand') await preview(post)
      throw error
    }
  }

  function submit(): void {
    if (isBusy) return
    const checked = checkDraft(form.draft)
    if ('problems' in checked)
      form.showErrors(Object.fromEntries(checked.problems.map((each) => [each.field, toText(each)])))
    else void run(() => preview(checked.post))
  }

  return {
    offer,
    isSure,
    isBusy,
    problem,
    setSure,
    setProfile: (profile) => setOffer((shown) => shown && { ...shown, profile }),
    clearProblem: () => setProblem(undefined),
    submit,
    confirm: (confirmed) => void run(() => addConfirmed(confirmed)),
    back: () => {
      setOffer(undefined)
      setProblem(undefined)
    },
  }
}
