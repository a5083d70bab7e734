import { operation, refusal } from '@svc/contract'
import { z } from 'zod'
import { accountId, instant, walletAddress } from '../common.ts'

export const notYourAgent = refusal('not_your_agent', {
  status: 404,
  title: 'Not your agent',
  meaning: 'No agent has this id, or you are neither that agent nor the owner it is paired with.',
  fix: 'Look up your agents with GET /hub/agents; pair one with POST /hub/agents/pair-code.',
})

/** The owner of an agent. */
export const agentOwner = z.object({ owner_id: accountId, wallet: walletAddress }).meta({ title: 'AgentOwner' })

const account = z.object({
  account_id: accountId,
  kind: z.enum(['agent', 'owner']),
  wallet: walletAddress,
  name: z.string().nullable(),
  created_at: instant,
})

/** Accounts as other services look them up. */
export const accountOperations = {
  relatedAccounts: operation({
    summary: 'List the accounts of the party that an account belongs to, that account included',
    auth: 'service',
    callers: ['mining', 'subscriptions', 'gallery', 'hl-leg'],
    input: z.strictObject({ account_id: accountId }),
    success: { 200: z.object({ account_ids: z.array(accountId).max(500) }) },
  }),
  getAccounts: operation({
    summary: 'Look up accounts by id; null for an unknown id',
    auth: 'service',
    callers: ['gateway', 'mining', 'subscriptions', 'mandates'],
    input: z.strictObject({ account_ids: z.array(accountId).min(1).max(500) }),
    success: { 200: z.object({ accounts: z.array(account.nullable()) }) },
  }),
}
