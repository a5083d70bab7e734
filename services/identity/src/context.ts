import { loadSettings, SettingError, type BodyOf, type Environment } from '@svc/contract'
import type { identity } from '@svc/contracts/identity'
import { roleSettings } from '@svc/contracts/identity/settings'
import { mandates } from '@svc/contracts/mandates'
import type { Pool } from '@svc/postgres'
import { clientOf, isOutage, type Kit } from '@svc/service'
import { hkdfSync } from 'node:crypto'
import type { AccessTokens } from './sessions/access-tokens.ts'
import { openAccessTokens } from './sessions/access-tokens.ts'
import type { ContractWallets } from './wallets/contract-wallets.ts'
import { openContractWallets } from './wallets/contract-wallets.ts'
import type { RoleWallets } from './credentials/rules/roles.ts'
import type { Site } from './wallets/rules/sign-in-message.ts'
import type { NonceStore } from './wallets/store/nonces.ts'
import { openNonceStore } from './wallets/store/nonces.ts'

export type MandateBrief = BodyOf<typeof mandates.operations.listMandatesOf>['items'][number]

/** Everything that the operations of identity may use. */
export interface Context {
  readonly pool: Pool
  readonly nonces: NonceStore
  readonly site: Site
  readonly tokens: AccessTokens
  /** Null without a chain RPC: then contract wallets cannot sign in. */
  readonly contractWallets: ContractWallets | null
  /** Client secrets that mint keeper tokens: the current one and one being replaced. */
  readonly keeperSecrets: readonly string[]
  /** Key of the HMAC of pair codes; derived from the signing key, so that all instances share it. */
  readonly pairCodeKey: Uint8Array
  /** Returns the newest mandates of an agent or owner; null while mandates is unreachable. */
  mandatesOf(accountId: number, kind: 'agent' | 'owner'): Promise<MandateBrief[] | null>
  /** Returns the wallets that have a role now. */
  roleWallets(): RoleWallets
}

/** Milliseconds for which role lists are cached; together with the gateway's cache, a change takes effect within a second. */
const ROLES_READ_MS = 100

/** Builds the context of a starting service. */
export async function createContext(kit: Kit<typeof identity>, environment: Environment): Promise<Context> {
  const { settings } = kit
  const url = new URL(settings.publicUrl)
  return {
    pool: kit.pool,
    nonces: await openNonceStore(settings.redisUrl, kit.authority, kit.watch),
    site: { publicUrl: url.origin, chainId: settings.siweChainId },
    tokens: await openAccessTokens({
      issuer: url.origin,
      seed: settings.sessionSigningKey,
      previous: settings.previousSigningKeys,
      retired: settings.retiredSigningKeys,
    }),
    contractWallets:
      settings.chainRpcUrl === null ? null : openContractWallets(settings.chainRpcUrl, settings.siweChainId),
    keeperSecrets: [settings.keeperSecret, settings.previousKeeperSecret].filter((secret) => secret !== null),
    pairCodeKey: new Uint8Array(hkdfSync('sha256', settings.sessionSigningKey, '', 'pair codes', 32)),
    mandatesOf: mandateReader(kit),
    roleWallets: roleReader(kit, environment),
  }
}

/** Longest wait for mandates, which are only a part of an answer. */
const MANDATES_WAIT_MS = 1_500

function mandateReader({ bus, log }: Kit<typeof identity>): Context['mandatesOf'] {
  const client = clientOf(bus, 'identity', mandates)
  return async (account_id, kind) => {
    try {
      return (await client.listMandatesOf({ account_id, kind }, { deadline: Date.now() + MANDATES_WAIT_MS })).items
    } catch (error) {
      if (!isOutage(error)) throw error
      log.warn({ err: error }, 'mandates is unreachable; the answer omits its part')
      return null
    }
  }
}

function roleReader(kit: Kit<typeof identity>, environment: Environment): () => RoleWallets {
  let readAt = Number.NEGATIVE_INFINITY
  let wallets: RoleWallets = { admin: new Set(), reviewer: new Set() }
  const lower = (list: readonly string[]) => new Set(list.map((wallet) => wallet.toLowerCase()))
  return () => {
    if (performance.now() - readAt < ROLES_READ_MS) return wallets
    readAt = performance.now()
    try {
      const read = loadSettings(roleSettings, environment)
      wallets = { admin: lower(read.adminWallets), reviewer: lower(read.reviewerWallets) }
    } catch (error) {
      // Deny by default: an unreadable list grants no role.
      wallets = { admin: new Set(), reviewer: new Set() }
      kit.log.error(
        { reason: error instanceof SettingError ? error.message : 'unreadable' },
        'role lists cannot be read; nobody has a role',
      )
    }
    return wallets
  }
}
