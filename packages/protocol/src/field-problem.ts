/** Why a field of a form was not accepted, for screens with words of their own. */
export type FieldProblem =
  | { readonly kind: 'not-absolute' | 'no-host' | 'not-a-key' }
  /** When a schedule runs. `when-mixed`: its times need several schedules. `when-often`: more often than is possible. */
  | {
      readonly kind: 'when-unclear' | 'when-no-time' | 'when-mixed' | 'when-often' | 'when-never' | 'bad-zone'
    }
  | { readonly kind: 'not-a-folder' | 'own-data'; readonly value: string }
  | { readonly kind: 'not-a-host' | 'host-too-wide' | 'not-a-variable'; readonly value: string }
  | { readonly kind: 'taken'; readonly value: string }
  /** `bad-name`: letters, digits, dots, hyphens and underscores are possible. */
  | { readonly kind: 'too-many' | 'bad-name'; readonly most: number }
  | { readonly kind: 'length'; readonly least: number; readonly most: number }
