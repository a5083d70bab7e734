import { ok, refuse } from '@svc/contract'
import { hlLeg } from '@svc/contracts/hl-leg'
import { transferConflict } from '@svc/contracts/hl-leg/money'
import { usdcUnits } from '@svc/contracts/common/usdc'
import { usdcText } from '@svc/limits'
import { emit, type Tx } from '@svc/postgres'
import type { BoundHandler } from '@svc/service'
import type { InputOf } from '@svc/contract'
import type { Context } from '#context.ts'
import { areProven, isUnknownAtVenue } from '#legs/rules/checks.ts'
import { lockLeg, type Leg } from '#legs/store/legs.ts'
import { drawNonce } from '@svc/venue/store/nonces'
import { readEnd } from '../end-leg.ts'
import { lentToOwner, refundable } from '../leg-standings.ts'
import { refOfCause } from '../move-money.ts'
import { readParty } from '../read-party.ts'
import { isPoolSend } from '../rules/transfer-state.ts'
import { debtOfAll, debtOfParty, debtsOf, debtsOfAccounts, insertDebt } from '../store/debts.ts'
import { countActivations, lentToAll, lockLending } from '../store/lending.ts'
import { paymentsOf } from '../store/pool-payments.ts'
import {
  findTransfer,
  insertTransfer,
  lockMoney,
  transfersOf,
  transfersOfAccounts,
  transfersOfOwners,
  transferView,
  voidReturn,
  type Transfer,
} from '../store/transfers.ts'

type Input = InputOf<typeof hlLeg.operations.openLegTransfer>
type Kind = Input['kind']

const ENDS: ReadonlySet<Kind> = new Set(['closing', 'fallback'])
const conflict = (why: string): never => refuse(transferConflict, why)

export const openLegTransfer: BoundHandler<Context, typeof hlLeg.operations.openLegTransfer> =
  (context) => async (input, call) => {
    const isNew = (await findTransfer(context.pool, input.transfer_id)) === null
    const end = isNew ? await readEnd(context, input) : null
    const party = isNew && input.kind === 'fund' ? await readParty(context, input.public_id) : []
    return call.effect(async (tx) => {
      await lockMoney(tx, input.public_id)
      const known = await findTransfer(tx, input.transfer_id)
      if (known !== null) return ok(200, { transfer: transferView(known) })
      const leg = (await lockLeg(tx, input.public_id)) ?? conflict('The mandate has no leg.')
      const rows = await transfersOf(tx, [input.public_id])
      await requirePossible(context, tx, { leg, rows, input, party, now: call.now })
      const amount = end?.amount ?? usdcUnits(input.amount_usdc)
      // The pool signs these at once; the nonce of a funding is drawn when its log is seen.
      const nonce =
        input.kind === 'refund' || input.kind === 'activation' ? await poolNonce(context, tx, call.now) : null
      const inserted = await insertTransfer(
        tx,
        {
          transfer_id: input.transfer_id,
          public_id: input.public_id,
          kind: input.kind,
          network: leg.network,
          owner_address: leg.owner,
          chain_id: input.chain_id,
          vault: input.vault,
          amount,
          last: ENDS.has(input.kind),
          ref: ENDS.has(input.kind) ? refOfCause(input.kind as 'closing' | 'fallback', input.public_id) : null,
          nonce,
          kept_by_owner: end?.kept ?? null,
          owed_beyond: end?.beyond ?? null,
          fee_owed: end?.fee ?? null,
        },
        call.now,
      )
      if (!inserted) conflict('Another transfer of the leg is open, or this one was made before.')
      const opened = (await findTransfer(tx, input.transfer_id)) ?? conflict('The transfer is gone.')
      if (input.kind === 'fallback') await noteFallback(tx, leg, opened, call.now)
      return ok(200, { transfer: transferView(opened) })
    })
  }

interface Case {
  readonly leg: Leg
  readonly rows: readonly Transfer[]
  readonly input: Input
  /** Accounts of the party of the owner. */
  readonly party: readonly number[]
  readonly now: Date
}

async function requirePossible(context: Context, tx: Tx, one: Case): Promise<void> {
  const { rows, input, now } = one
  const needsVault = !isPoolSend(input.kind) || input.kind === 'fund'
  if (needsVault && (input.vault === null || input.chain_id === null)) conflict('vault and chain_id are missing.')
  switch (input.kind) {
    case 'fund':
      return requireFundable(context, tx, one)
    case 'closing':
    case 'fallback':
      for (const row of rows.filter(({ open, state }) => open && state === 'planned'))
        if (row.kind === 'return' && !(await voidReturn(tx, row, input.kind, now))) conflict('Leg money is under way.')
      if (rows.some(({ open, state, kind }) => open && !(kind === 'return' && state === 'planned')))
        conflict('Leg money is under way.')
      // What was read of the leg for its end did not know of a transfer that changed since.
      if (rows.some(({ changed_at }) => changed_at > now)) conflict('Leg money moved meanwhile.')
      return
    case 'activation':
      return requireActivatable(context, tx, one)
    case 'refund':
      return requireRefundable(tx, one)
  }
}

async function requireFundable({ settings }: Context, tx: Tx, { leg, rows, input, party }: Case): Promise<void> {
  if (!settings.legEnabled || settings.legFunding !== 'test') conflict('The funding of legs is switched off.')
  if (leg.state !== 'bound' || !areProven(leg.checks)) conflict(`The leg is ${leg.state}, or a check fails.`)
  if (rows.some(({ open }) => open)) conflict('A transfer of the leg is open.')
  if (rows.some(({ kind, state }) => kind === 'return' && state !== 'void' && state !== 'refused'))
    conflict('A return of the leg has begun.')
  await lockLending(tx, leg.network)
  const debt = (await debtsOf(tx, leg.network, [leg.owner])).get(leg.owner) ?? 0n
  if (debt > 0n) conflict('The account owes the house.')
  const amount = usdcUnits(input.amount_usdc)
  // The bound is the party's: it may have mandates of other accounts, with other addresses.
  const owedByParty = debtOfParty(await debtsOfAccounts(tx, leg.network, party), party)
  const toOwner = lentToOwner(await transfersOfAccounts(tx, leg.network, party)) + owedByParty
  if (toOwner + amount > usdcUnits(settings.ownerMaxUsdc)) conflict('SVC_LEG_OWNER_MAX_USDC is reached.')
  const toAll = (await lentToAll(tx, leg.network)) + (await debtOfAll(tx, leg.network))
  if (toAll + amount > usdcUnits(settings.lentMaxUsdc)) conflict('SVC_LEG_LENT_MAX_USDC is reached.')
}

/** An activation sends this much, in base units of USDC. */
const ACTIVATION = 1_000_000n
/** Most activations of a UTC day, and of all mandates of an owner's account. */
const ACTIVATIONS_A_DAY = 20
const ACTIVATIONS_OF_OWNER = 2

/** The house opens an account that the venue does not know, at most once for an address. */
async function requireActivatable({ settings }: Context, tx: Tx, { leg, input, now }: Case): Promise<void> {
  if (!settings.legEnabled || settings.legFunding !== 'test') conflict('The funding of legs is switched off.')
  const isUnknown = leg.state === 'proposed' && leg.knownAt === null && isUnknownAtVenue(leg.checks)
  if (!isUnknown) conflict('The venue knows the account, or was not asked yet.')
  if (usdcUnits(input.amount_usdc) !== ACTIVATION) conflict('An activation sends 1 USDC.')
  await lockLending(tx, leg.network)
  const { today, ofOwner } = await countActivations(tx, { network: leg.network, ownerId: leg.ownerId, now })
  if (today >= ACTIVATIONS_A_DAY) conflict(`${ACTIVATIONS_A_DAY} accounts were activated today.`)
  if (ofOwner >= ACTIVATIONS_OF_OWNER) conflict(`${ACTIVATIONS_OF_OWNER} addresses of the owner were activated.`)
}

const DAY_MS = 86_400_000

/** Foreign money goes back at most once a day and address. */
async function requireRefundable(tx: Tx, { leg, now, rows, input }: Case): Promise<void> {
  const most = refundable(await paymentsOf(tx, [leg.publicId]), rows)
  if (usdcUnits(input.amount_usdc) > most) conflict('The pool received less foreign money than that.')
  const ofOwner = await transfersOfOwners(tx, leg.network, [leg.owner])
  const recent = ofOwner.some(
    ({ kind, opened_at }) => kind === 'refund' && now.getTime() - opened_at.getTime() < DAY_MS,
  )
  if (recent) conflict('A refund to the address was made within a day.')
}

async function poolNonce({ settings }: Context, tx: Tx, now: Date): Promise<number> {
  return drawNonce(tx, settings.poolAddress ?? conflict('HUB_HL_TEST_POOL_ADDRESS is missing.'), now)
}

/** What the vault gets back in place of the owner, the owner owes, with the fee on what the vault did not get. */
async function noteFallback(tx: Tx, leg: Leg, end: Transfer, now: Date): Promise<void> {
  const { network, owner_address: owner, public_id: publicId, transfer_id: transferId } = end
  const [kept, beyond, fee] = [end.kept_by_owner ?? 0n, end.owed_beyond ?? 0n, end.fee_owed ?? 0n]
  const amount = end.amount + fee
  if (amount > 0n)
    await insertDebt(tx, { network, owner, publicId, cause: 'fallback', amount, transferId, venueHash: null }, now)
  await emit(tx, hlLeg.events.legEnded, {
    public_id: publicId,
    owner_id: leg.ownerId,
    given_back_usdc: usdcText(end.amount),
    owed_usdc: usdcText(beyond),
    kept_by_owner_usdc: usdcText(kept),
    fee_owed_usdc: usdcText(fee),
    at: now.toISOString(),
  })
}
