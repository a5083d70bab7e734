import { RefusalError } from '@svc/contract'
import type { LegMandate } from '@svc/contracts/mandates/leg'
import { usdSend } from '@svc/hyperliquid'
import { Outage, RemoteRefusal, type Call } from '@svc/service'
import type { Context } from '#context.ts'
import { explainLegs } from '#money/jobs/explain-legs.ts'
import { followTransfers } from '#money/jobs/follow-transfers.ts'
import { advanceLegTransfer } from '#money/operations/advance-leg-transfer.ts'
import { openLegTransfer } from '#money/operations/open-leg-transfer.ts'
import { prepareLegReturn } from '#money/operations/prepare-leg-return.ts'
import { returnLegMoney } from '#money/operations/return-leg-money.ts'
import { sendPoolTransfer } from '#money/operations/send-pool-transfer.ts'
import { CLAIM_MS } from '#money/send-transfer.ts'
import { transfersOf, transferView, type Transfer } from '#money/store/transfers.ts'
import { takeReading } from '#readings/take-reading.ts'
import { callFrom, dyingContext } from '../orders/dying.ts'
import { owner, ownerWallet, walletOf } from '../rig.ts'
import { CHAIN_ID, hash, newTransferId, pool, VAULT, type MoneyRig } from './money-rig.ts'

/** Which of two processes acts, and after how many steps it ends; null: it goes on. */
export interface Life {
  readonly process: 0 | 1
  readonly lives: number | null
}

/** Something that a process does. */
export type Work<T> = (context: Context) => Promise<T>

export type ChainEvent = 'chain_sent' | 'chain_seen' | 'chain_lost' | 'chain_failed'

/** Whom owners send money to by hand. */
export const stranger = walletOf(8_888).address.toLowerCase() as `0x${string}`

const addressOf = ({ owner_id }: LegMandate) => ownerWallet(owner_id).address.toLowerCase() as `0x${string}`

/** Resolves to null if a call is refused or meets an outage; any other failure is a defect. */
async function tried<T>(call: Promise<T>): Promise<T | null> {
  try {
    return await call
  } catch (error) {
    if (error instanceof RefusalError || error instanceof RemoteRefusal || error instanceof Outage) return null
    throw error
  }
}

/** What happens to the chain of a transfer next, as an honest keeper can see it; blocks may be replaced. */
export function chainEvents({ kind, chain, venue }: Transfer): readonly ChainEvent[] {
  if (chain === 'failed' || (kind === 'return' && venue !== 'landed')) return []
  // A funding that is given back stays on the chain: the gateway gives back what a vault paid.
  if (chain === 'seen') return kind === 'fund' && venue === 'refused' ? ['chain_seen'] : ['chain_seen', 'chain_lost']
  return ['chain_sent', 'chain_seen', 'chain_failed']
}

/** Two processes of hl-leg, keeper, an owner and the venue, as a script has them act on the money of one leg. */
export class TransferScript {
  readonly #money: MoneyRig
  readonly #second: Context
  readonly mandate: LegMandate

  constructor(money: MoneyRig, second: Context, mandate: LegMandate) {
    this.#money = money
    this.#second = second
    this.mandate = mandate
  }

  get publicId(): string {
    return this.mandate.public_id
  }

  rows(): Promise<readonly Transfer[]> {
    return transfersOf(this.#money.rig.pool, [this.publicId])
  }

  /** Has a process do something; resolves once it has, or the process has ended. */
  async within<T>({ process, lives }: Life, work: Work<T>): Promise<T | null> {
    const context = process === 0 ? this.#money.rig.context : this.#second
    if (lives === null) return tried(work(context))
    const dying = dyingContext(context, lives)
    return Promise.race([tried(work(dying.context)), dying.ended.then(() => null)])
  }

  /**
   * Does something in processes of which each ends one step later than the former, until one reaches its end. Returns its
   * answer; null if it was refused.
   */
  async killedAtEachStep<T>(work: Work<T>, afterDeath: () => Promise<void>): Promise<T | null> {
    for (let lives = 0; ; lives += 1) {
      this.#money.rig.advance(5)
      const { context, ended } = dyingContext(lives % 2 === 0 ? this.#money.rig.context : this.#second, lives)
      const end = await Promise.race([tried(work(context)).then((answer) => ({ answer })), ended])
      if (end !== 'killed') return end.answer
      // What it had claimed is free again.
      this.#money.rig.advance(CLAIM_MS)
      await afterDeath()
    }
  }

  /** Opens a funding, in both processes with one id, or in one. */
  async fund(life: Life, amount: string, twice: boolean): Promise<void> {
    await this.#both(life, twice, this.opening('fund', amount))
  }

  opening(kind: 'fund' | 'refund', amount_usdc: string): Work<unknown> {
    const place = kind === 'fund' ? { vault: VAULT, chain_id: CHAIN_ID } : { vault: null, chain_id: null }
    const given = { transfer_id: newTransferId(), public_id: this.publicId, kind, amount_usdc, ...place }
    return (context) => openLegTransfer(context)(given, this.#keeper(context))
  }

  /** Tells one of the transfers what its chain shows. */
  async chain(life: Life, n: number): Promise<void> {
    const rows = (await this.rows()).filter((row) => chainEvents(row).length > 0)
    const row = rows[n % rows.length]
    const events = row === undefined ? [] : chainEvents(row)
    const event = events[Math.floor(n / rows.length) % events.length]
    if (row !== undefined && event !== undefined) await this.tell(life, row, event)
  }

  tell(life: Life, row: Transfer, event: ChainEvent): Promise<unknown> {
    return this.within(life, this.telling(row, event))
  }

  telling({ transfer_id }: Transfer, event: ChainEvent): Work<unknown> {
    const given = { transfer_id, event, tx_hash: hash(1), reason: event === 'chain_failed' ? 'MandateStopped' : null }
    return (context) => advanceLegTransfer(context)(given, this.#keeper(context))
  }

  /** keeper hands over the bytes of the pool, in both processes or in one; sometimes the pool holds nothing meanwhile. */
  async send(life: Life, twice: boolean, poolIsEmpty = false): Promise<void> {
    const row = (await this.rows()).findLast((one) => one.kind === 'fund' && one.open && one.nonce !== null)
    if (row === undefined) return
    const sending = await this.sending(row)
    const send = () => this.#both(life, twice, sending)
    await (poolIsEmpty ? this.withoutMoney(pool.address, send) : send())
  }

  /** Signs with the key of the pool and hands the bytes over. */
  async sending(row: Transfer): Promise<Work<unknown>> {
    const given = { transfer_id: row.transfer_id, body: await this.#money.bytes(transferView(row)) }
    return (context) => sendPoolTransfer(context)(given, this.#keeper(context))
  }

  /** Follows transfers in both processes at once, or in one. */
  follow(life: Life, twice: boolean): Promise<void> {
    return this.#both(life, twice, this.following())
  }

  following(): Work<unknown> {
    return (context) => followTransfers(context)(AbortSignal.timeout(600_000))
  }

  /**
   * The owner has stopped the mandate, asks for a return, mostly signs it and hands it over, in both processes at once or in one.
   * Returns false if there was nothing to sign.
   */
  async giveBack(
    life: Life,
    { twice, drains, signs }: { twice: boolean; drains: boolean; signs: boolean },
  ): Promise<boolean> {
    const prepared = await this.within(life, this.preparing())
    if (prepared === null) return false
    if (!signs) return true
    // Nothing moves at the instant of the reading that the return was planned from.
    this.#money.rig.advance(5)
    if (drains) await this.drain('60')
    await this.#both(life, twice, await this.returning(prepared))
    return true
  }

  /** The owner has stopped the mandate and asks for a return. */
  preparing() {
    this.#money.stop(this.mandate)
    const given = { public_id: this.publicId, dry_run: false }
    return (context: Context) => prepareLegReturn(context)(given, this.#owner(context))
  }

  /** The owner signs a return that was prepared, and hands it over. */
  async returning({ body }: Awaited<ReturnType<ReturnType<TransferScript['preparing']>>>): Promise<Work<unknown>> {
    const { nonce, typed_data } = body
    const signature = await this.#money.sign(this.mandate, typed_data)
    const given = { public_id: this.publicId, nonce, signature, dry_run: false }
    return (context) => returnLegMoney(context)(given, this.#owner(context))
  }

  /** A copy of bytes that the venue did not answer arrives after all. */
  async lateCopy(): Promise<void> {
    const row = (await this.rows()).find(({ venue, copies_unknown }) => venue === 'signed' && copies_unknown > 0)
    if (row?.body != null) await this.#money.rig.post('exchange', JSON.parse(row.body)).catch(() => null)
  }

  /** The owner sends money of the account to a stranger, or to the pool. */
  async drain(amountUsdc: string, destination = stranger): Promise<void> {
    const { rig } = this.#money
    const wallet = ownerWallet(this.mandate.owner_id)
    await rig.act(wallet, usdSend(rig.scope(), { destination, amountUsdc })).catch(() => null)
  }

  /** The owner buys and sells the same by hand, which costs fees; again where the venue fails, so that no position stays. */
  async trade(): Promise<void> {
    const { rig } = this.#money
    const wallet = ownerWallet(this.mandate.owner_id)
    const holds = () => {
      const { size } = rig.venue.state.accounts[addressOf(this.mandate)]?.dexes['']?.positions['BTC'] ?? { size: '0' }
      return Number(size) !== 0
    }
    const trade = async (order: { side: 'buy' | 'sell'; price: string }, done: () => boolean) => {
      for (let tries = 0; tries < 50 && !done(); tries += 1)
        await rig.trade(wallet, { asset: 0, size: '0.001', ...order }).catch(() => null)
    }
    await trade({ side: 'buy', price: '60300' }, holds)
    await trade({ side: 'sell', price: '59700' }, () => !holds())
  }

  /** Reads the account, as the job does; then perhaps compares it with its history. */
  async mark(life: Life, explains: boolean): Promise<void> {
    const account = { publicId: this.publicId, owner: addressOf(this.mandate) }
    await this.within(life, (context) => takeReading(context, 'worth', account))
    if (explains) await this.within(life, (context) => explainLegs(context)(AbortSignal.timeout(600_000)))
  }

  /** Takes the step that brings an open transfer nearer to its end. */
  async goOn(life: Life, row: Transfer): Promise<unknown> {
    if (row.kind === 'return' && row.venue === 'none')
      return this.giveBack(life, { twice: false, drains: false, signs: true })
    if (row.venue === 'signed') return this.follow(life, false)
    if (row.kind === 'fund' && row.chain === 'seen') return this.send(life, false)
    return this.tell(life, row, row.chain === 'none' ? 'chain_sent' : 'chain_seen')
  }

  /** Goes on without faults until every transfer has ended and the owner has nothing more to return. */
  async settle(): Promise<void> {
    const life = { process: 0, lives: null } as const
    for (let round = 0; round < 60; round += 1) {
      // At last so much that the nonce of bytes that the venue never executed leaves its window.
      this.#money.rig.advance(round < 20 ? 30_000 : 2 * 3_600_000)
      await this.follow(life, false)
      const open = (await this.rows()).filter((row) => row.open)
      for (const row of open) await this.goOn(life, row)
      if (open.length === 0 && !(await this.giveBack(life, { twice: false, drains: false, signs: true }))) return
    }
  }

  async #both(life: Life, twice: boolean, work: Work<unknown>): Promise<void> {
    const other: Life = { process: life.process === 0 ? 1 : 0, lives: null }
    await Promise.all([this.within(life, work), ...(twice ? [this.within(other, work)] : [])])
  }

  /** Leaves an account without money while something happens. */
  async withoutMoney(address: string, meanwhile: () => Promise<void>): Promise<void> {
    const main = this.#money.rig.venue.state.accounts[address.toLowerCase()]?.dexes['']
    if (main === undefined) throw new Error('no such account')
    const held = main.raw
    main.raw = '0'
    try {
      await meanwhile()
    } finally {
      main.raw = held
    }
  }

  #keeper(context: Context): Call {
    return callFrom(this.#money.rig, context, { caller: null, from: 'keeper' })
  }

  #owner(context: Context): Call {
    return callFrom(this.#money.rig, context, { caller: owner(this.mandate.owner_id), from: 'gateway' })
  }
}
