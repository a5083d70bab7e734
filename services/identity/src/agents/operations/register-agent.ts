import { ok, refuse } from '@svc/contract'
import { identity } from '@svc/contracts/identity'
import { alreadyRegistered } from '@svc/contracts/identity/agents'
import { emit } from '@svc/postgres'
import type { BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'
import { checksummed } from '#wallets/rules/wallet-address.ts'
import { newKey } from '#keys/new-key.ts'
import { insertAccount } from '#accounts/store/accounts.ts'
import { insertKey } from '#keys/store/keys.ts'
import { proveWallet } from '#wallets/wallet-proof.ts'

export const registerAgent: BoundHandler<Context, typeof identity.operations.registerAgent> =
  (context) =>
  async ({ agent_name, ...proof }, call) => {
    const wallet = await proveWallet(context, proof, 'register', call)
    const key = newKey()
    return call.effect(async (tx) => {
      const accountId = await insertAccount(tx, { kind: 'agent', wallet, name: agent_name }, call.now)
      if (accountId === null) refuse(alreadyRegistered)
      await insertKey(
        tx,
        { keyId: key.keyId, accountId, hash: key.hash, name: 'first key', scopes: ['read', 'write'], expiresAt: null },
        call.now,
      )
      await emit(tx, identity.events.agentRegistered, {
        account_id: accountId,
        wallet: checksummed(wallet),
        agent_name,
        registered_at: call.now.toISOString(),
      })
      return ok(201, { ok: true, user_id: accountId, api_key: key.secret, welcome_cherry: 10, tier: 'free' })
    })
  }
