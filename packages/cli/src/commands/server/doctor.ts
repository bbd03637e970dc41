import { drawCheck } from '../../render/draw-check.ts'
import { styleOf } from '../../terminal/style.ts'
import { openAssistantAccess } from '../../server-access/assistant-access.ts'
import { EXIT } from '../../shell/exit-code.ts'
import { HOME_HELP, homeOf } from '../../store-access/open-store.ts'
import { parseFlags } from '../../shell/parse-flags.ts'
import type { Command } from '../../shell/shell.ts'
import { STORE_OPTIONS } from '../../store-access/with-store.ts'
import { writeJson, writeLines } from '../../shell/write.ts'

const HELP = `Usage: capstan doctor [options]

Checks each part of the installation and prints how to fix what is wrong. Asks the running server; without one, reads
the data folder.

${HOME_HELP}
  --json                one line of JSON per part

Exit codes: 0 no check failed, 1 a check failed, 2 bad usage`

export const doctor: Command = {
  help: HELP,
  async run(args, shell) {
    const { values } = parseFlags(args, { command: 'doctor', options: STORE_OPTIONS })
    const assistant = await openAssistantAccess(homeOf(values.home, shell.env), shell)
    try {
      const { checks } = await assistant.diagnose()
      const style = styleOf(shell.stdout, shell.env)
      if (values.json) writeJson(shell, ...checks)
      else
        writeLines(
          shell,
          checks.flatMap((check) => drawCheck(check, style)),
        )
      return checks.some(({ state }) => state === 'failed') ? EXIT.failed : EXIT.done
    } finally {
      await assistant.close()
    }
  },
}
