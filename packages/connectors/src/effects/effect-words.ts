const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/))

/** An action that begins with one of these may be one that only reads. */
export const READ_VERBS = words(`
  browse calculate check compare count describe download exists explain fetch find get grep inspect list look lookup
  preview query read retrieve search show stat tail view whoami`)

/** These destroy something for good or change who may do what. Such an action is `admin`, wherever the word stands. */
export const ADMIN_VERBS = words(`
  administer annihilate ban brick clobber deactivate decommission decrypt del delete demolish deprovision destroy detonate disable
  drop elevate encrypt eradicate erase evict expel expunge grant hack impersonate kick liquidate nuke obliterate
  overwrite purge raze reboot remove revoke rm rmdir rotate sabotage shred shutdown sudo suspend terminate transfer
  truncate uninstall unlink unshare wipe withdraw zeroize`)

/** With one of these, an action that does not only read is `admin`. */
export const ADMIN_NOUNS = words(`
  access acl admin admins apikey billing collaborator collaborators credential credentials delegate delegates firewall
  forwarding key keys member members owner ownership password passwords payment payments permission permissions policies
  policy role roles secret secrets sso superuser token tokens webhook webhooks`)

/** These change, send or start something, wherever they stand in a name. */
export const ACTING_VERBS = words(`
  abort accept acknowledge activate add adjust alter amend announce append apply approve arm assign attach authorise
  authorize autofix autoreply begin broadcast buy cancel checkin checkout clone configure confirm consume convert create
  decline dedupe deliver deny deploy detach dial disburse disconnect dismiss dispatch dispense donate downgrade duplicate
  edit emit enable enqueue enrol enroll ensure escalate eval exec execute exfiltrate expand fill finalise
  finalize flush follow forward generate give halt hide hijack ingest inject insert install invalidate invite invoke kill
  launch leak lend migrate mint mkdir modify mutate mv notify operate override pay persist populate promote propose
  provision publish quarantine reassign rebase rebuild reconfigure redeem redirect refresh reindex reject relocate remap
  remit rename renew reopen repair replace replay repost requeue rerun reschedule resend resize respond restart retry
  retweet rewrite rollback sell send set settle snooze spawn spend spoof submit subscribe substitute swap synchronise
  synchronize toggle tweet unarchive unassign unban unblock undo unfollow unlock unpin unpublish unregister unstar
  unset unsubscribe untrash update upgrade upload upsert void write zap`)

/** Acts in other languages, written in plain letters, as far as they are no English words. They act wherever they stand. */
export const FOREIGN_VERBS = words(`
  aendern agregar ajouter anular apagar atualizar bearbeiten bezahlen borrar buchen cancella cancellare comprar crea crear
  creare criar editar effacer eliminar eliminare elimina enviar envoyer ersetzen erstellen escribir escrever excluir
  guardar hapus inviare invia kirim loeschen loesche modificar modificare modifier mover pagar pagare payer publicar
  publier remplacer reservar schreiben senden simpan speichern supprimer transferir ubah verschieben verwijderen
  verzenden wijzigen`)

/**
 * Words for acts that are also common nouns: `get_comment` reads and `comment_on_issue` acts. They act as the first word
 * of a name, and after a word that joins two acts.
 */
export const ACTING_NOUNS = words(`
  answer archive bid bill block book bookmark boost branch build burn call cast change charge clear click close comment
  commit complete compose connect copy cut delay deposit dm draft email end exchange export fire flag fork format fund
  gift hang hire hold import invoice issue join label leave like link load lock log login logout mail make mark merge
  message mount move note offer open order park paste pause payout phone pin ping place play pledge press print process
  prompt pull purchase push queue quote raise rate react record refund register release rent reply report request
  reserve reset resolve restore resume review reward ring run save scale schedule scrub share ship sign signin signup
  spin split stage star start stop store switch sync tag take text throw tip touch trade train translate trash trigger
  tune turn type vote wake wire`)

/** Words of requests that change something. They act in every place but directly after a word that reads: `get_post`. */
export const REQUEST_VERBS = words('patch post put')

/** These join a second act to the first: `list_and_…`, `read_then_…`. */
export const JOINTS = words('also and et n or plus then und y')

/** Parts of a name that say nothing about what it does. */
export const EMPTY_WORDS = words('a action api mcp rest the tool tools v1 v2 v3')

/** Acts that are often written together with their object: `sendmail`, `deletefile`, `droptable`, `paynow`. */
export const GLUED_VERBS: readonly string[] = [
  ...words(`
    approve ban cancel create delete destroy disable drop enable erase execute forward grant insert install invite
    kill nuke overwrite pay publish purge remove revoke send shred shutdown submit subscribe terminate transfer truncate
    unlink update upload wipe write`),
]

/** Words that begin like an act and are none. */
export const GLUED_NOUNS = words(`
  bandwidth bank banking banks banner banners dropbox dropdown dropdowns droplet droplets dropoff dropoffs grantee
  grantees paycheck payee payees payload payloads payout payouts paypal payroll payrolls payslip payslips`)

/** Endings that make another word of a verb: `deleted`, `sender`, `updates`, `writing`. */
export const ENDINGS = words(`
  able al ation ations d ed er ers ing ings ion ions lation lations led ment ments ned or ors ped r rs s ted tion tions`)

/** Programs and services that take statements. There, even a query may change something. */
export const STATEMENT_WORDS = words(`
  bigquery clickhouse cypher database db duckdb gql graphql mongo mongodb mysql neo4j oracle postgres postgresql redis
  snowflake soql sparql sql sqlite`)

/** Arguments that carry something away or choose an act, by their exact name without separators. */
export const ACTING_ARGUMENTS = words(`
  action amount attachment attachments base64 bcc bodies body bytes cc cmd code command commands comment content contents
  data dryrun expression filedata html instruction instructions markdown message messages method mutation newtext newvalue
  operation operations payload program prompt rawbody recipient recipients replacement reply requestbody script shell sql
  statement statements stdin subject tweet`)

/** Arguments that act even as a yes or no. */
export const ACTING_SWITCHES = words('confirm confirmed dryrun execute force overwrite permanent')

/** A word of an argument's name that says where something is sent. */
export const SENDING_WORDS = words('callback recipient recipients upload webhook webhooks')
