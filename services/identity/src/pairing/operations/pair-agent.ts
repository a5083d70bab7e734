import { ok, refuse, type Caller } from '@svc/contract'
import { common } from '@svc/contracts'
import { identity } from '@svc/contracts/identity'
import { pairingRefusals } from '@svc/contracts/identity/pairing'
import { PAIRED_AGENTS_MAX } from '@svc/contracts/identity/agents'
import { emit, type Pool, type Tx } from '@svc/postgres'
import type { BoundHandler } from '@svc/service'
import { callerOf } from '@svc/service'
import type { Context } from '#context.ts'
import { hashPairCode, nextAttemptAt, readPairCode, WRONG_CODES_MS } from '../rules/pair-code.ts'
import { checksummed } from '#wallets/rules/wallet-address.ts'
import { changePolicy } from '#policy/policy-change.ts'
import { getAccounts, lockAccount } from '#accounts/store/accounts.ts'
import { findAgents, insertPairing, pairedAgents, setOwnerMaySpend } from '#agents/store/agents.ts'
import { insertWrongCode, isLive, outageWithoutTables, takePairCode, wrongCodesSince } from '../store/pair-codes.ts'

const { agentLimit, wrongStatus } = pairingRefusals

const WRONG_CODE = 'The code is wrong, used or expired.'
/** A code is made by a person. */
const NEW_CODE = {
  fix: 'Ask your owner for a new code, which the page /ui/agent or POST /hub/agents/pair-code makes, and send it as it is shown.',
  human_action: { who: 'owner', url: '/ui/agent', route: 'POST /hub/agents/pair-code' },
} as const

export const pairAgent: BoundHandler<Context, typeof identity.operations.pairAgent> =
  ({ pool, pairCodeKey }) =>
  async ({ code, owner_may_spend }, call) => {
    const agent = callerOf(call)
    const hash = hashPairCode(pairCodeKey, readPairCode(code))
    await judgeCode(pool, agent.account_id, hash, call.now).catch(outageWithoutTables)
    return call.effect(async (tx) => {
      await lockAccount(tx, agent.account_id)
      const ownerId = await takePairCode(tx, hash, agent.account_id, call.now)
      if (ownerId === null) return refuse(common.notFound, WRONG_CODE, NEW_CODE)
      const owner = await pair(tx, agent, ownerId, call.now)
      await setOwnerMaySpend(tx, agent.account_id, owner_may_spend)
      const by = { agentId: agent.account_id, ownerId, cause: 'paired' } as const
      await changePolicy(tx, by, (before) => ({ ...before, accepts_mandates: true }), call.now)
      const ownWallet = owner.wallet.toLowerCase() === agent.wallet?.toLowerCase()
      return ok(200, {
        ok: true,
        owner,
        agent_id: agent.account_id,
        agent_wallet: agent.wallet ?? '',
        wallet_ready: !ownWallet,
        accepts_mandates: true,
        owner_may_spend,
        next: `Wait for mandates: read GET /hub/agents/${agent.account_id}/offers, and accept one with POST /hub/mandates/{public_id}/accept.`,
        ...(ownWallet ? { wallet_steps: OWN_WALLET_STEPS } : {}),
      })
    })
  }

const OWN_WALLET_STEPS = [
  'The agent acts from the same wallet as its owner, and an owner is never the agent of its own mandate: register an agent with another wallet and pair that one.',
]

/**
 * Refuses a code that cannot be used, and counts it as a wrong code of the agent. Commits before any refusal, which would
 * undo the count; locks the agent, so that concurrent guesses are counted one by one.
 */
async function judgeCode(pool: Pool, agentId: number, hash: string, now: Date): Promise<void> {
  const verdict = await pool.transaction(async (tx) => {
    await lockAccount(tx, agentId)
    const wrong = await wrongCodesSince(tx, agentId, new Date(now.getTime() - WRONG_CODES_MS))
    const retryAt = nextAttemptAt(wrong, now)
    if (retryAt !== null) return retryAt
    if (await isLive(tx, hash, now)) return 'live'
    await insertWrongCode(tx, agentId, now)
    return 'wrong'
  })
  if (verdict === 'wrong') refuse(common.notFound, WRONG_CODE, NEW_CODE)
  if (verdict !== 'live')
    refuse(common.rateLimited, 'Five wrong pair codes in 15 minutes.', {
      retry_at: verdict.toISOString(),
      fix: 'Wait until retry_at, and ask your owner for a new code meanwhile. A higher tier changes nothing here.',
    })
}

/** Sets the owner of an unpaired agent; changes nothing if the agent has this owner already. */
async function pair(tx: Tx, agent: Caller, ownerId: number, now: Date): Promise<{ owner_id: number; wallet: string }> {
  const [[known], [owner]] = [await findAgents(tx, [agent.account_id]), await getAccounts(tx, [ownerId])]
  if (known === undefined || owner === undefined) throw new Error('an account vanished')
  const wallet = checksummed(owner.wallet)
  if (known.owner_id === ownerId) return { owner_id: ownerId, wallet }
  if (known.owner_id !== null) return refuse(wrongStatus)
  // The owner's lock keeps the count of its agents correct until the commit.
  await lockAccount(tx, ownerId)
  const paired = await pairedAgents(tx, ownerId, PAIRED_AGENTS_MAX)
  if (paired.length >= PAIRED_AGENTS_MAX) refuse(agentLimit, undefined, { limit: PAIRED_AGENTS_MAX })
  await insertPairing(tx, agent.account_id, ownerId, now)
  await emit(tx, identity.events.agentPaired, {
    agent_id: agent.account_id,
    owner_id: ownerId,
    agent_wallet: checksummed(known.wallet),
    owner_wallet: wallet,
    paired_at: now.toISOString(),
  })
  return { owner_id: ownerId, wallet }
}
