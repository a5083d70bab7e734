import { setting } from '@svc/contract'
import { z } from 'zod'
import { accountId } from '../common.ts'

/** Settings of the house runner that several services read. */
export const houseSettings = {
  houseRunnerId: setting({
    env: 'HUB_HOUSE_RUNNER_USER_ID',
    schema: z.coerce.number().pipe(accountId),
    default: null,
    doc: 'Agent account of the house runner. Unset: the runner does nothing, door 2 is paper, and drafts of adopt name no agent. Its mandates are of many owners and never have public_proof.',
  }),
} as const
