import type { BoundReaction } from '@svc/service'
import type { Context, LocalContext } from '#context.ts'
import { noteVerified } from '../store/verified-contracts.ts'

interface FieldVerified {
  readonly token_id: string
  readonly field_name: string
  readonly field_value: string
  readonly verified_at: string
}

const FIELDS: Readonly<Record<string, 'chain' | 'address'>> = { blockchain: 'chain', contract_address: 'address' }
/** Address that mining stores for the native coin of a chain. It has no contract; only the curated list proves it. */
const NATIVE = 'native'

/** Stores the approved chain and address of a token, which together prove that listings are the same asset. */
export const noteVerifiedField: BoundReaction<Context, LocalContext, FieldVerified> = {
  apply:
    () =>
    async (tx, { payload: { token_id, field_name, field_value, verified_at } }) => {
      const field = FIELDS[field_name]
      if (field === undefined || field_value === NATIVE) return
      await noteVerified(tx, token_id, field, field_value, verified_at)
    },
}
