import { setTimeout as pause } from 'node:timers/promises'
import { RefusalError } from '@svc/contract'
import { approveAgent, revokeAgent, usdSend } from '@svc/hyperliquid'
import { openLegSigner } from '@svc/hyperliquid/signing'
import { Outage, RemoteRefusal } from '@svc/service'
import { expect } from 'vitest'
import type { Context } from '#context.ts'
import { jobs } from '#jobs.ts'
import { readLeg } from '#legs/store/legs.ts'
import { placeLegOrder } from '#orders/operations/place-leg-order.ts'
import { stranger, type Life, type TransferScript } from '../money/transfer-script.ts'
import { callOf } from '../orders/dying.ts'
import { asAgent, asOwner, type TestLeg } from '../orders/order-rig.ts'
import { owner, ownerWallet, signTypedData, walletOf } from '../rig.ts'
import { COINS, type DEEDS, type Step } from './steps.ts'
import type { WholeRig } from './whole-rig.ts'

type Coin = (typeof COINS)[number]
type Side = 'buy' | 'sell'

export const CALM: Readonly<Record<Coin, string>> = { BTC: '60000', 'xyz:TSLA': '325.5' }
/** Orders by hand carry an id that begins so. */
export const BY_HAND = `0x${'a'.repeat(24)}`
/** Twice the daily cap of the mandates. */
const OPEN_NOTIONAL_MAX = 400
const whole: Life = { process: 0, lives: null }

/** Resolves to null if a call is refused or meets an outage; any other failure is a defect. */
async function tried<T>(call: Promise<T>): Promise<T | null> {
  try {
    return await call
  } catch (error) {
    if (error instanceof RefusalError || error instanceof RemoteRefusal || error instanceof Outage) return null
    // A process of jobs logs what a person has to act on, and goes on.
    if (error instanceof Error && error.name === 'StopLineProblem') return null
    throw error
  }
}

/** Everybody who has to do with one leg, as a script has them act. */
export class WholeScript {
  readonly #rig: WholeRig
  readonly leg: TestLeg
  readonly money: TransferScript
  #replaced = 0

  constructor(rig: WholeRig, leg: TestLeg, money: TransferScript) {
    this.#rig = rig
    this.leg = leg
    this.money = money
  }

  /** Ends all faults, and gives markets their books and marks back. */
  calm(): void {
    const { rig } = this.#rig
    rig.venue.control('clear-faults')
    this.#rig.alignClocks()
    rig.mandates.isAway = false
    for (const [name, price] of Object.entries(CALM)) {
      rig.venue.control('book', { coin: name, policy: 'refill', ladder: { levels: 20 }, local_mark: false })
      rig.venue.control('mark', { coin: name, price })
    }
  }

  async play(one: Step): Promise<unknown> {
    const { rig } = this.#rig
    switch (one.kind) {
      case 'open':
        if (one.sending !== null) this.#fault({ kind: 'fault', fault: one.sending, endpoint: 'exchange', count: 1 })
        return this.#open(one.life, `k${one.key}`, one)
      case 'twice':
        return Promise.all(
          [0, 1].map((process) => this.#open({ process: process as 0, lives: null }, `k${one.key}`, one)),
        )
      case 'two':
        return this.#openTwo(one)
      case 'close':
        return this.#close(one.coin, one.byOwner)
      case 'byHand':
        return this.tradeByHand(one.coin, one.side, one.coin === 'BTC' ? '0.0005' : '0.1')
      case 'otherSeed':
        await tried(jobs.watchApprovals(this.#rig.otherSeed)(AbortSignal.timeout(600_000)))
        return this.#place(this.#rig.otherSeed, `k${one.key}`, one)
      case 'stopLine':
        return this.#stopLine(one.life, one.crosses)
      case 'resolve':
        return this.#job('resolveOrders', one.life)
      case 'survey':
        rig.advance(31 * 60_000)
        return this.#job('watchApprovals', { process: one.process, lives: null })
      case 'deed':
        return this.deed(one.deed)
      case 'price': {
        const price = String(Math.round((Number(CALM[one.coin]) * one.permille) / 10) / 100)
        return rig.venue.control('mark', { coin: one.coin, price })
      }
      case 'emptySide':
        return rig.venue.control('book', {
          coin: one.coin,
          policy: 'taken',
          [one.side === 'buy' ? 'asks' : 'bids']: [],
        })
      case 'skew':
        return this.#rig.skew(one.ms)
      case 'mandatesAway':
        rig.mandates.isAway = one.away
        return null
      case 'wait':
        return rig.advance(one.ms)
      case 'fault':
        return this.#fault(one)
      case 'venueAway':
        return this.#venueAway(one)
      default:
        return this.#moveMoney(one)
    }
  }

  #moveMoney(one: Extract<Step, { kind: 'fund' | 'chain' | 'send' | 'goOn' | 'return' | 'mark' }>): Promise<unknown> {
    switch (one.kind) {
      case 'fund':
        return this.money.fund(one.life, one.amount, false)
      case 'chain':
        return this.money.chain(one.life, one.n)
      case 'send':
        return this.money.send(one.life, one.twice)
      case 'goOn':
        return this.#goOn(one.life)
      case 'return':
        return this.money.giveBack(one.life, { twice: one.twice, drains: false, signs: true })
      case 'mark':
        return this.money.mark(one.life, one.explains)
    }
  }

  async #goOn(life: Life): Promise<unknown> {
    const row = (await this.money.rows()).find(({ open }) => open)
    return row === undefined ? null : this.money.goOn(life, row)
  }

  #fault({ fault, endpoint, count }: Extract<Step, { kind: 'fault' }>): unknown {
    // A lost answer is the same as none for a question, and an old time or a missing dex are answers to questions.
    const kind = endpoint === 'info' && (fault === 'drop' || fault === 'refuse') ? 'status500' : fault
    const ms = kind === 'stale' ? 600_000 : kind === 'delay' ? 20 : 0
    // Each request that hangs takes seconds.
    return this.#rig.rig.venue.control('fault', { kind, endpoint, count: kind === 'hang' ? 1 : count, ms })
  }

  /** The venue answers nothing for minutes, and nobody hears of the chain. */
  async #venueAway({ sec, key, coin }: Extract<Step, { kind: 'venueAway' }>): Promise<void> {
    const { rig } = this.#rig
    for (const endpoint of ['info', 'exchange'])
      rig.venue.control('fault', { kind: 'status500', endpoint, count: 1_000 })
    for (let part = 0; part < 3; part += 1) {
      await this.#open(whole, `k${key}`, { coin, side: 'buy', amount: 20 })
      await this.#job('resolveOrders', whole)
      await this.money.follow(whole, false)
      await this.money.mark(whole, true)
      await this.#stopLine(whole, part === 1)
      rig.advance((sec * 1_000) / 3)
    }
    rig.venue.control('clear-faults')
  }

  #open(life: Life, key: string, order: { coin: Coin; side: Side; amount: number }): Promise<unknown> {
    return this.money.within(life, (context) => this.#place(context, key, order))
  }

  async #place(context: Context, key: string, order: { coin: Coin; side: Side; amount: number }): Promise<unknown> {
    const call = callOf(this.#rig.rig, context, this.leg, key)
    const { coin, side, amount } = order
    const body = { public_id: this.leg.publicId, market: `hl:${coin}`, side, amount_usdc: String(amount) }
    return tried(Promise.resolve(placeLegOrder(context)({ ...body, reduce_only: false, dry_run: false }, call)))
  }

  /** Two opens at once, in two processes, never pass what one of them would fill. */
  async #openTwo(order: { coin: Coin; side: Side; amount: number }): Promise<void> {
    const before = this.#notional()
    const keys = ['a', 'b'].map((name) => `${name}${this.#rig.rig.clock.now().getTime()}`)
    await Promise.all(keys.map((key, process) => this.#open({ process: process as 0, lives: null }, key, order)))
    expect(this.#notional(), 'what is open after two opens at once').toBeLessThanOrEqual(
      Math.max(before, OPEN_NOTIONAL_MAX) + 1e-6,
    )
  }

  #notional(): number {
    const { dexes } = this.#rig.rig.venue.state
    return COINS.reduce((sum, coin) => {
      const market = dexes.flatMap(({ name, markets }) =>
        markets.filter((one) => (name === '' ? one.name : `${name}:${one.name}`) === coin),
      )[0]
      return sum + Math.abs(this.position(coin)) * Number(market?.mark ?? 0)
    }, 0)
  }

  position(coin: string): number {
    return Number(this.#rig.booked.positionOf(this.leg, coin))
  }

  async #close(coin: Coin, byOwner: boolean): Promise<void> {
    const before = this.position(coin)
    const body = {
      public_id: this.leg.publicId,
      market: `hl:${coin}`,
      side: before > 0 ? ('sell' as const) : ('buy' as const),
      size: String(Math.abs(before) || 1),
      reduce_only: true,
    }
    await tried((byOwner ? asOwner : asAgent)(this.#rig.rig, this.leg).placeLegOrder(body))
    this.#requireSmaller(coin, before)
  }

  #requireSmaller(coin: string, before: number): void {
    const after = this.position(coin)
    expect(Math.abs(after), 'a position is never larger after a close').toBeLessThanOrEqual(Math.abs(before))
    expect(after * before, 'a close never turns a position').toBeGreaterThanOrEqual(0)
  }

  /** Runs the worker of the stop line; the time between its two readings passes at once. */
  async #stopLine(life: Life, crosses: boolean): Promise<void> {
    const { rig } = this.#rig
    const mandate = rig.mandates.known.get(this.leg.publicId) ?? expect.fail('the mandate is gone')
    const line = crosses ? '1000000' : '0'
    rig.mandates.known.set(mandate.public_id, { ...mandate, limits: { ...mandate.limits, stop_line_usdc: line } })
    const before = COINS.map((coin) => this.position(coin))
    rig.advance(30_000)
    const running = this.#job('stopLine', life).then(() => true)
    while (!(await Promise.race([running, pause(10, false)]))) rig.advance(500)
    for (const [index, coin] of COINS.entries()) this.#requireSmaller(coin, before[index] ?? 0)
  }

  #job(name: keyof typeof jobs, life: Life): Promise<unknown> {
    return this.money.within(life, (context) =>
      tried(Promise.resolve(jobs[name](context)(AbortSignal.timeout(600_000)))),
    )
  }

  /** The owner trades with the own wallet, which the venue accepts as it accepts an agent. */
  async tradeByHand(coin: Coin, side: Side, size: string): Promise<unknown> {
    const wallet = ownerWallet(this.leg.ownerId)
    const { rig } = this.#rig
    const signer = openLegSigner(wallet, { network: 'testnet', owner: wallet.address, dexes: ['', 'xyz'] })
    const { nonce } = rig.scope()
    const price = coin === 'BTC' ? (side === 'buy' ? '70000' : '50000') : side === 'buy' ? '380' : '280'
    const cloid = `${BY_HAND}${(nonce % 0xffff_ffff).toString(16).padStart(8, '0')}` as `0x${string}`
    const hand = { asset: coin === 'BTC' ? 0 : 110_001, side, price, size, reduceOnly: false, cloid }
    const nowMs = rig.clock.now().getTime() + 60_000
    const { body } = await signer.signOrder(hand, { nonce, nowMs })
    return rig.post('exchange', JSON.parse(body)).catch(() => null)
  }

  /** Something that neither this house nor the agent does. */
  async deed(deed: (typeof DEEDS)[number]): Promise<unknown> {
    const { rig } = this.#rig
    const wallet = ownerWallet(this.leg.ownerId)
    const mode = (abstraction: string) =>
      rig.app(wallet, { type: 'userSetAbstraction', user: this.leg.account, abstraction }).catch(() => null)
    const act = (by: typeof wallet, action: Parameters<typeof rig.act>[1]) => rig.act(by, action).catch(() => null)
    switch (deed) {
      case 'payIn':
        return rig.venue.control('fund', { address: this.leg.account, amount: '50' })
      case 'takeOut':
        return act(wallet, usdSend(rig.scope(), { destination: stranger, amountUsdc: '40' }))
      case 'strangerPays':
        return act(walletOf(8_888), usdSend(rig.scope(), { destination: wallet.address, amountUsdc: '1' }))
      case 'unify':
        return mode('unifiedAccount')
      case 'standard':
        return mode('disabled')
      case 'revoke':
        return act(wallet, revokeAgent(rig.scope(), 'svc-leg'))
      case 'replace': {
        this.#replaced += 1
        const { address } = walletOf(1_000_000 + this.leg.ownerId * 100 + this.#replaced)
        const validUntilMs = rig.clock.now().getTime() + 30 * 86_400_000
        return act(wallet, approveAgent(rig.scope(), { address, name: 'svc-leg', validUntilMs }))
      }
      case 'expire':
        for (const agent of Object.values(rig.venue.state.agents))
          if (agent.user === this.leg.account) agent.validUntil = rig.clock.now().getTime() - 1
        return null
      case 'approveAnew':
        return this.approveAnew()
    }
  }

  /** The owner approves a key of the leg, which is the next one if the former is lost. */
  async approveAnew(): Promise<unknown> {
    const client = this.#rig.rig.as(owner(this.leg.ownerId))
    const { publicId: public_id } = this.leg
    const approval = await tried(client.prepareApproval({ public_id }))
    if (approval === null) return null
    const signature = await signTypedData(ownerWallet(this.leg.ownerId), approval.typed_data)
    return tried(client.bindLeg({ public_id, signature, nonce: approval.nonce }))
  }

  /** Everybody acts in good faith until nothing is open: the key is good, all is flat, all transfers have ended. */
  async settle(): Promise<void> {
    const { rig } = this.#rig
    this.calm()
    await this.deed('standard')
    for (let round = 0; round < 8; round += 1) {
      rig.advance(31 * 60_000)
      await this.#job('watchApprovals', whole)
      await this.#job('resolveOrders', whole)
      if ((await readLeg(rig.pool, this.leg.publicId))?.state === 'bound') break
      await this.approveAnew()
    }
    await this.money.settle()
    for (let round = 0; round < 3; round += 1) {
      rig.advance(25_000)
      await this.#job('resolveOrders', whole)
    }
  }

  /** The owner releases the leg, so that later scripts read fewer accounts. */
  async release(): Promise<void> {
    const { rig } = this.#rig
    this.#rig.stop(rig.mandates.known.get(this.leg.publicId) ?? expect.fail('the mandate is gone'))
    await rig.as(owner(this.leg.ownerId)).unbindLeg({ public_id: this.leg.publicId })
  }
}
