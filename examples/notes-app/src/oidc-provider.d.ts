/** The package carries no types. These are the parts the app uses. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http'

  export interface Adapter {
    upsert(id: string, payload: Record<string, unknown>, expiresIn?: number): Promise<void>
    find(id: string): Promise<Record<string, unknown> | undefined>
    findByUid(uid: string): Promise<Record<string, unknown> | undefined>
    findByUserCode(userCode: string): Promise<Record<string, unknown> | undefined>
    consume(id: string): Promise<void>
    destroy(id: string): Promise<void>
    revokeByGrantId(grantId: string): Promise<void>
  }

  export interface Interaction {
    readonly uid: string
    readonly params: Readonly<Record<string, unknown>>
  }

  export interface Client {
    readonly clientId: string
    readonly clientName?: string
    grantTypeAllowed(type: string): boolean
  }

  export interface Grant {
    readonly accountId: string
    readonly clientId: string
    addOIDCScope(scope: string): void
    addResourceScope(resource: string, scope: string): void
    save(): Promise<string>
    destroy(): Promise<void>
  }

  export interface Context {
    type: string
    body: unknown
    set(headers: Readonly<Record<string, string>>): void
  }

  export class Provider {
    constructor(issuer: string, configuration: Readonly<Record<string, unknown>>)
    readonly Client: { find(id: string): Promise<Client | undefined> }
    readonly Grant: {
      new (properties: { readonly accountId: string; readonly clientId: string }): Grant
      find(id: string): Promise<Grant | undefined>
    }
    callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>
    interactionDetails(request: IncomingMessage, response: ServerResponse): Promise<Interaction>
    interactionResult(
      request: IncomingMessage,
      response: ServerResponse,
      result: Readonly<Record<string, unknown>>,
      options?: { readonly mergeWithLastSubmission: boolean },
    ): Promise<string>
    on(event: string, listener: (...args: unknown[]) => void): this
  }

  export const errors: {
    readonly InvalidTarget: new (description?: string) => Error
    readonly SessionNotFound: new (description?: string) => Error
  }
}
