import type { SecretVault } from '@capstan/harness/stores'
import type { Documents } from './documents.ts'
import { createFileDocuments } from './file-documents.ts'
import { createVaultDocuments } from './vault-documents.ts'

/** The documents of an installation. Those with secrets may be kept in another place. */
export interface InstallationDocuments {
  /** Settings, holds and logins. */
  readonly plain: Documents
  /** Keys of models and named secrets. They are encrypted wherever they are kept. */
  readonly secret: Documents
}

/** The documents of an installation on one machine. */
export const createFolderDocuments = (folder: string, vault: SecretVault): InstallationDocuments => ({
  plain: createFileDocuments(folder),
  secret: createVaultDocuments(vault),
})
