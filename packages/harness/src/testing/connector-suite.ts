import { afterEach, describe, expect } from 'vitest'
import { testActions } from './connector-suite/action-promises.ts'
import type { ConnectorUnderTest } from './connector-suite/connector-under-test.ts'
import { testExecute } from './connector-suite/execute-promises.ts'
import { testHostileService } from './connector-suite/hostile-service-promises.ts'
import { testConnectorLifetime } from './connector-suite/lifetime-promises.ts'
import { recordAnswers } from './connector-suite/record-answers.ts'
import type { RecordedConnector } from './connector-suite/record-answers.ts'
import { testSignIn } from './connector-suite/sign-in-promises.ts'
import { testToolkits } from './connector-suite/toolkit-promises.ts'

/**
 * The contract suite of `Connector`. `create` returns a new connector with its own service; the suite closes the
 * connector, then stops the service. After each test, no returned value or thrown error may contain a secret.
 */
export function testConnector(name: string, create: () => Promise<ConnectorUnderTest>): void {
  describe(`${name} as a connector`, () => {
    const opened: { readonly subject: ConnectorUnderTest; readonly recorded: RecordedConnector }[] = []
    const open = async (): Promise<ConnectorUnderTest> => {
      const subject = await create()
      const recorded = recordAnswers(subject.connector)
      opened.push({ subject, recorded })
      return { ...subject, connector: recorded.connector }
    }

    afterEach(async () => {
      for (const { subject, recorded } of opened.splice(0)) {
        const secrets = subject.secrets?.() ?? []
        await recorded.connector.close()
        await subject.stop?.()
        // Compared here, so that a failure does not print the secret.
        const leaks = secrets.filter((secret) => recorded.answers().includes(secret)).length
        expect(leaks, 'secrets in what the connector returned or threw').toBe(0)
      }
    })

    testToolkits(open)
    testSignIn(open)
    testActions(open)
    testExecute(open)
    testHostileService(open)
    testConnectorLifetime(open)
  })
}
