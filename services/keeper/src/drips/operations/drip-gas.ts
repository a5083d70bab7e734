import { setTimeout as pause } from 'node:timers/promises'
import { ok, refuse } from '@svc/contract'
import { common } from '@svc/contracts'
import type { keeper } from '@svc/contracts/keeper'
import { callerOf, Outage, type BoundHandler, type Call } from '@svc/service'
import { getAddress } from 'viem'
import type { Context } from '#context.ts'
import { decideAndStore, type Asked } from '../decide-and-store.ts'
import { disabledView, nothingView, rehearsedView, sentView } from '../drip-view.ts'
import { dripChain, readDripChain } from '../drip-chain.ts'
import { lastCall, noteCall } from '../store/calls.ts'
import { findGrant, grantOfKey, type SignedGrant } from '../store/grants.ts'

/** Time between two calls of an account. */
const PAUSE_MS = 10_000
/** Time that a call waits for the RPC, and then until its drip is signed. */
const READ_WITHIN_MS = 6_000
const SIGNED_WITHIN_MS = 8_000
const LOOK_MS = 50
const GWEI = 1_000_000_000n

export const dripGas: BoundHandler<Context, typeof keeper.operations.dripGas> = (context) => async (_input, call) => {
  const { chain: configured, settings, funder, ask, transaction } = context
  const { account_id: accountId, wallet } = callerOf(call)
  if (wallet === null) throw new Error('an owner or agent has a wallet')
  const chain = dripChain(context)
  if (chain === null) return disabledView(configured?.id ?? settings.chainId)

  const key = call.idempotencyKey
  const same = key === null ? null : await transaction((tx) => grantOfKey(tx, accountId, key))
  if (same !== null) {
    call.markReplayed()
    return sentView(await signedGrant(context, call, same.id))
  }
  await limitRate(context, accountId, call)
  if (funder === null) throw new Outage('funder', 'no account pays drips: see HUB_GAS_DRIP_FUNDER_WALLET')
  const address = getAddress(wallet)
  const wallets = { wallet: address, funder: funder.address }
  const reading = await readDripChain(chain, wallets, AbortSignal.timeout(READ_WITHIN_MS))
  if (reading === null) return disabledView(chain.id)
  if (reading.feeMax > BigInt(settings.feeMaxGwei) * GWEI)
    throw new Outage('drip', 'gas costs more than SVC_KEEPER_FEE_MAX_GWEI')
  const { standing } = await ask.mandates.readStanding({ account_id: accountId })
  if (Date.now() >= call.deadline) throw new Outage('drip', 'the readings took too long')

  const asked: Asked = { accountId, address, chainId: chain.id, funder: funder.address, standing, reading, key }
  const { body: decided } = await call.effect(async (tx) => ok(200, await decideAndStore(context, tx, asked, call.now)))
  if (decided.low && !call.isDryRun)
    context.log.warn({ alert: 'gas_drip_funds', funder: funder.address }, 'the funds of gas drips are low')
  if (call.isDryRun && 'grantId' in decided) return rehearsedView(settings.dripEth, reading.balance, chain.id)
  return 'nothing' in decided
    ? nothingView(decided.nothing, { balance: reading.balance, chainId: chain.id, last: decided.last })
    : sentView(await signedGrant(context, call, decided.grantId))
}

/** Refuses a second call of an account within ten seconds. */
async function limitRate({ transaction }: Context, accountId: number, { now, isDryRun }: Call): Promise<void> {
  const since = new Date(now.getTime() - PAUSE_MS)
  const lastAt = await transaction(async (tx) => {
    if (!isDryRun && (await noteCall(tx, accountId, now, since))) return null
    const at = await lastCall(tx, accountId)
    return at === null || at <= since ? null : at
  })
  if (lastAt !== null)
    refuse(common.rateLimited, 'One call for a gas drip per account and 10 seconds.', {
      retry_at: new Date(lastAt.getTime() + PAUSE_MS).toISOString(),
    })
}

/** Waits until the job that sends has signed a drip, and returns it with the hash of its transaction. Rejects with an outage. */
async function signedGrant({ transaction }: Context, call: Call, grantId: number): Promise<SignedGrant> {
  const until = Math.min(Date.now() + SIGNED_WITHIN_MS, call.deadline - 1_000)
  for (;;) {
    const grant = await transaction((tx) => findGrant(tx, grantId))
    if (grant === null) throw new Outage('drip', 'the transfer could not be sent; nothing was paid')
    if (grant.tx_hash !== null) return { ...grant, tx_hash: grant.tx_hash }
    if (Date.now() >= until) throw new Outage('drip', 'the transfer is decided and not sent yet: ask again')
    await pause(LOOK_MS)
  }
}
