import { ok, refuse } from '@svc/contract'
import type { hlLeg } from '@svc/contracts/hl-leg'
import {
  nothingToReturn,
  notWithdrawable,
  ordersUnresolved,
  positionsOpen,
  returnMoving,
} from '@svc/contracts/hl-leg/money'
import { legDebt, legRefusals } from '@svc/contracts/hl-leg/refusals'
import { floorUsdc, typedDataOf, usdSend, type UserSignedAction } from '@svc/hyperliquid'
import { usdcText } from '@svc/limits'
import type { Tx } from '@svc/postgres'
import { Outage, type BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'
import { askMode, type AccountMode } from '#legs/ask-mode.ts'
import { readLeg, type Leg } from '#legs/store/legs.ts'
import { hasUnresolved } from '#orders/store/orders.ts'
import { readAccount } from '#readings/read-account.ts'
import { readLedger } from '#readings/read-ledger.ts'
import type { Reading } from '@svc/venue/rules/reading'
import { usdcUnitsDown } from '@svc/venue/rules/usdc-units'
import { worthOf } from '#readings/rules/worth.ts'
import { foreignAt } from '#readings/store/ledger.ts'
import { marketIdOf } from '@svc/venue/rules/market-id'
import { drawNonce } from '@svc/venue/store/nonces'
import { requireOpenOnChain } from '../chain-leg.ts'
import { closeAll } from '../close-all.ts'
import { explainNow } from '../explain-leg.ts'
import { mandateOf, requireFunding, requireOver } from '../mandate-of.ts'
import { newTransferId } from '../move-money.ts'
import { returnAmount, type ReturnAmount } from '../rules/return-amount.ts'
import { debtsOf } from '../store/debts.ts'
import { insertTransfer, lockMoney, transfersOf, voidReturn, type Transfer } from '../store/transfers.ts'

export const prepareLegReturn: BoundHandler<Context, typeof hlLeg.operations.prepareLegReturn> =
  (context) =>
  async ({ public_id }, call) => {
    const { pool, settings } = context
    requireFunding(context)
    const mandate = await mandateOf(context, public_id, call)
    requireOver(mandate)
    const leg = (await readLeg(pool, public_id)) ?? refuse(nothingToReturn)
    const { vault } = mandate
    const house = settings.poolAddress ?? refuse(nothingToReturn, 'This deployment has no pool of test money.')
    if (vault === null || leg.boundAt === null) refuse(nothingToReturn)
    await requireNoDebt(context, leg)
    requireNothingMoving(await transfersOf(pool, [public_id]))
    await requireOpenOnChain(context, vault.address)
    const mode = await askMode(context, 'closes', leg)
    if (!mode.standard) refuse(legRefusals.unsupported)

    const reading = call.isDryRun ? await readAccount(context, 'closes', leg.owner) : await closeAll(context, leg)
    if (await hasUnresolved(pool, public_id)) refuse(ordersUnresolved)
    if (reading.positions.length > 0)
      refuse(positionsOpen, undefined, { markets: reading.positions.map(({ coin }) => marketIdOf(coin)) })
    const planned = await amountOf(context, leg, reading, mode)

    return call.effect(async (tx) => {
      await lockMoney(tx, public_id)
      const rows = await transfersOf(tx, [public_id])
      requireNothingMoving(rows)
      for (const former of rows.filter(({ open, kind }) => open && kind === 'return'))
        if (!(await voidReturn(tx, former, 'replaced by a newer return', call.now)))
          refuse(returnMoving, undefined, { transfer_id: former.transfer_id })
      const scope = {
        network: leg.network,
        signatureChainId: vault.chain_id,
        nonce: await drawNonce(tx, leg.owner, call.now),
      }
      const amountUsdc = floorUsdc(usdcText(planned.amount))
      const action = usdSend(scope, { destination: house as `0x${string}`, amountUsdc })
      await storeReturn(tx, { leg, vault, planned, action, nonce: scope.nonce }, call.now)
      return ok(200, {
        ok: true as const,
        ...(call.isDryRun ? { dry_run: true as const } : {}),
        typed_data: typedDataOf(action) as never,
        amount_usdc: usdcText(planned.amount),
        nonce: scope.nonce,
        last: planned.last,
      })
    })
  }

async function requireNoDebt({ pool, settings }: Context, leg: Leg): Promise<void> {
  const debt = (await debtsOf(pool, leg.network, [leg.owner])).get(leg.owner) ?? 0n
  if (debt > 0n)
    refuse(legDebt, undefined, {
      leg_debt_usdc: usdcText(debt),
      pool_address: settings.poolAddress?.toLowerCase() ?? null,
    })
}

/** An unsigned return may be replaced; everything else has to arrive first. */
function requireNothingMoving(rows: readonly Transfer[]): void {
  const moving = rows.find(({ open, kind, state }) => open && !(kind === 'return' && state === 'planned'))
  if (moving !== undefined) refuse(returnMoving, undefined, { transfer_id: moving.transfer_id })
}

/** Returns what the owner returns by a reading of now. Rejects with an outage while collateral is not home. */
async function amountOf(
  context: Context,
  leg: Leg,
  reading: Reading,
  { spotUsdc }: AccountMode,
): Promise<ReturnAmount> {
  await readLedger(context, 'closes', { publicId: leg.publicId, owner: leg.owner })
  const foreign = (await foreignAt(context.pool, new Map([[leg.publicId, reading.readAt]]))).get(leg.publicId)
  if (foreign === undefined) throw new Outage('venue_ledger', 'foreign money of the account is not known yet')
  const away = reading.dexes.some(({ dex, accountValue }) => dex !== '' && usdcUnitsDown(accountValue) >= 10_000n)
  if (away) throw new Outage('venue', 'collateral of another dex is not home yet')
  const { equity } = worthOf(reading, usdcUnitsDown(foreign), 0)
  const main = reading.dexes.find(({ dex }) => dex === '')
  const withdrawable = main === undefined ? 0n : usdcUnitsDown(main.withdrawable)
  const planned = returnAmount({ withdrawable, equity })
  if (planned === 'nothing_owed') return refuse(nothingToReturn)
  if (planned === 'not_withdrawable')
    return refuse(notWithdrawable, undefined, {
      owed_usdc: usdcText(equity),
      withdrawable_usdc: usdcText(withdrawable),
      spot_usdc: floorUsdc(spotUsdc),
    })
  // Only a reading with an equation of its own that holds may end the leg; without one a later reading does.
  return planned.last && !(await isExplained(context, leg)) ? { ...planned, last: false } : planned
}

async function isExplained(context: Context, leg: Leg): Promise<boolean> {
  const one = await explainNow(context, 'closes', leg)
  return one?.holds === true && one.flat
}

async function storeReturn(
  tx: Tx,
  what: {
    readonly leg: Leg
    readonly vault: { readonly address: string; readonly chain_id: number }
    readonly planned: ReturnAmount
    readonly action: UserSignedAction
    readonly nonce: number
  },
  now: Date,
): Promise<void> {
  const { leg, vault, planned, action, nonce } = what
  const stored = await insertTransfer(
    tx,
    {
      transfer_id: newTransferId(),
      public_id: leg.publicId,
      kind: 'return',
      network: leg.network,
      owner_address: leg.owner,
      chain_id: vault.chain_id,
      vault: vault.address,
      amount: planned.amount,
      last: planned.last,
      ref: null,
      nonce,
      action,
    },
    now,
  )
  if (!stored) throw new Error('the former return was not replaced')
}
