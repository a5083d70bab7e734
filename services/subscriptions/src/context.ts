import type { SettingsOf } from '@svc/contract'
import { identity } from '@svc/contracts/identity'
import { marketData } from '@svc/contracts/market-data'
import { researchReports } from '@svc/contracts/research-reports'
import type { subscriptions } from '@svc/contracts/subscriptions'
import type { subscriptionsSettings } from '@svc/contracts/subscriptions/settings'
import type { Pool } from '@svc/postgres'
import { clientOf, isOutage, type Clock, type Kit, type Local, type Log } from '@svc/service'
import { publicPolicy, type PublicPolicy } from '@svc/service/public-web'
import { ANSWER_WITHIN_SEC } from '@svc/contracts/subscriptions/webhooks'
import { openSecretBox, type SecretBox } from './webhooks/secret-box.ts'

/** Bytes of a receiver's answer to a challenge that are read. */
const ANSWER_BYTES_MAX = 4_096

export type AccountKind = 'agent' | 'owner'

/** Who pays for a paid read; `dailyBudget` is null if nothing limits it. */
export interface Payer {
  readonly kind: AccountKind
  readonly dailyBudget: number | null
}

/** Who owns an agent, and whether the agent lets that owner spend its Cherry. */
export interface Pairing {
  readonly ownerId: number
  readonly ownerMaySpend: boolean
}

/** A root over all balances, as identity signs it. */
export interface UnsignedRoot {
  readonly day: string
  readonly accounts: number
  readonly root: string
  readonly computed_at: string
}

/** Everything that the functions of subscriptions may use. */
export interface Context {
  readonly pool: Pool
  readonly clock: Clock
  readonly log: Log
  readonly settings: Omit<SettingsOf<typeof subscriptionsSettings>, 'webhookKey' | 'previousWebhookKey'>
  /** How messages leave for webhooks; `box` is null while the deployment has no key for their secrets. */
  readonly webhooks: { readonly policy: PublicPolicy; readonly box: SecretBox | null }
  /** Returns who pays, with the daily budget of an agent's policy. Asks identity. */
  payerOf(accountId: number): Promise<Payer>
  /** Returns the pairing of an agent; null for an unknown agent, and for one without an owner. Asks identity. */
  pairingOf(agentId: number): Promise<Pairing | null>
  /** Returns the accounts of the party that an account belongs to, that account included. Asks identity. */
  partyOf(accountId: number): Promise<readonly number[]>
  /** Returns the kind of an account; null for an unknown one. Asks identity. */
  kindOf(accountId: number): Promise<AccountKind | null>
  /** Returns the compact JWS of a root over all balances. Asks identity. */
  signRoot(root: UnsignedRoot): Promise<string>
  /** Returns how many targets an account has; null while market-data is unreachable. */
  targetsUsedBy(accountId: number): Promise<number | null>
  /** Returns how many reports an account has made in the UTC month; null while research-reports is unreachable. */
  reportsUsedBy(accountId: number): Promise<number | null>
}

/** What a reaction may use inside its transaction. */
export type LocalContext = Local<Context, 'clock'>

/** Builds the context of a starting service. */
export function createContext(kit: Kit<typeof subscriptions>): Context {
  const { webhookKey, previousWebhookKey } = kit.settings
  const accounts = clientOf(kit.bus, 'subscriptions', identity)
  const markets = clientOf(kit.bus, 'subscriptions', marketData)
  const reports = clientOf(kit.bus, 'subscriptions', researchReports)
  return {
    pool: kit.pool,
    clock: kit.clock,
    log: kit.log,
    settings: kit.settings,
    webhooks: {
      policy: publicPolicy({ timeoutMs: ANSWER_WITHIN_SEC * 1000, maxBytes: ANSWER_BYTES_MAX }),
      box: webhookKey === null ? null : openSecretBox(webhookKey, previousWebhookKey),
    },
    payerOf: async (accountId) => {
      const agent = (await accounts.readAgents({ agent_ids: [accountId] })).agents[0] ?? null
      return agent === null
        ? { kind: 'owner', dailyBudget: null }
        : { kind: 'agent', dailyBudget: agent.policy.daily_cherry_budget }
    },
    pairingOf: async (agentId) => {
      const agent = (await accounts.readAgents({ agent_ids: [agentId] })).agents[0] ?? null
      return agent?.owner == null ? null : { ownerId: agent.owner.owner_id, ownerMaySpend: agent.owner_may_spend }
    },
    partyOf: async (account_id) => (await accounts.relatedAccounts({ account_id })).account_ids,
    kindOf: async (accountId) => (await accounts.getAccounts({ account_ids: [accountId] })).accounts[0]?.kind ?? null,
    signRoot: async (root) => (await accounts.signBalanceRoot(root)).jws,
    targetsUsedBy: async (account_id) => orUnknown(async () => (await markets.countTargets({ account_id })).active),
    reportsUsedBy: async (account_id) => orUnknown(async () => (await reports.countReports({ account_id })).used),
  }
}

/** Returns the answer of another service; null while it is down. */
async function orUnknown(ask: () => Promise<number>): Promise<number | null> {
  try {
    return await ask()
  } catch (error) {
    if (isOutage(error)) return null
    throw error
  }
}
