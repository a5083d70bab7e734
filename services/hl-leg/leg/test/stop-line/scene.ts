import type { LegMandate } from '@svc/contracts/mandates/leg'
import { openLegSigner } from '@svc/hyperliquid/signing'
import type { PrivateKeyAccount } from 'viem/accounts'
import { owner, ownerWallet, type Rig } from '../rig.ts'

/** A mandate with a bound leg. Tests change what mandates answers about it. */
export interface BoundLeg {
  readonly publicId: string
  readonly wallet: PrivateKeyAccount
  mandate: LegMandate
}

/** What mandates was told of a stop. */
export interface ToldStop {
  readonly public_id: string
  readonly worth_usdc: string
  readonly stop_line_usdc: string
  readonly closed: readonly { readonly market: string; readonly side: string; readonly size: string }[]
}

/** Legs of one rig, mandates that answers for them, and the owners' hands at the venue. */
export class Scene {
  readonly rig: Rig
  readonly legs: BoundLeg[] = []
  #made = 0
  #nonce = 0

  constructor(rig: Rig) {
    this.rig = rig
    const named = (publicId: string) => this.legs.find((leg) => leg.publicId === publicId)?.mandate
    Object.assign(rig.mandates.answers, {
      readLegMandate: ({ public_id }: { public_id: string }) => ({ mandate: named(public_id) }),
      listLegMandates: ({ public_ids }: { public_ids: string[] }) => ({
        mandates: public_ids.flatMap((publicId) => named(publicId) ?? []),
      }),
      noteWorker: () => ({ ok: true }),
      resolveLegOrder: () => ({ ok: true, usage: USAGE }),
    })
    this.acknowledgeStops()
  }

  /** Lets mandates stop what it is told to. */
  acknowledgeStops(): void {
    this.rig.mandates.answers['stopForLine'] = ({ public_id }: { public_id: string }) => {
      const stopped = this.legs.find(({ publicId }) => publicId === public_id)
      if (stopped !== undefined)
        stopped.mandate = { ...stopped.mandate, state: 'stopped', stop_cause: 'stopped_by_stop_line' }
      return { ok: true, state: 'stopped' }
    }
  }

  /** What mandates was told since the last call. */
  toldStops(): readonly ToldStop[] {
    return this.rig.mandates.asked.flatMap(({ operation, input }) =>
      operation === 'stopForLine' ? [input as ToldStop] : [],
    )
  }

  /** Binds the leg of a new mandate whose vault is worth 500 USDC; its owner has 2,000 USDC of their own at the venue. */
  async bind(line: string, changed: Partial<LegMandate> = {}): Promise<BoundLeg> {
    const { rig } = this
    const id = (this.#made += 1)
    const publicId = `mdt_${id.toString(16).padStart(32, '0')}`
    const wallet = ownerWallet(id)
    const leg: BoundLeg = { publicId, wallet, mandate: mandateOf(publicId, id, wallet.address, line, changed) }
    this.legs.push(leg)
    rig.venue.control('fund', { address: wallet.address, amount: '2000' })
    const approval = await rig.as(owner(id)).prepareApproval({ public_id: publicId })
    const signature = await wallet.signTypedData(approval.typed_data as never)
    await rig.as(owner(id)).bindLeg({ public_id: publicId, signature, nonce: approval.nonce })
    return leg
  }

  /** Lets the owner trade by hand, at once and at any price. */
  async trade({ wallet }: BoundLeg, coin: string, size: number): Promise<void> {
    const { asset, mark } = this.market(coin)
    const signer = openLegSigner(wallet, { network: 'testnet', owner: wallet.address, dexes: ['', 'xyz'] })
    const nowMs = this.rig.clock.now().getTime()
    // Later than any that the service asked this wallet to sign.
    const nonce = (this.#nonce = Math.max(this.#nonce + 1, nowMs + 60_000))
    const order = {
      asset,
      side: size > 0 ? ('buy' as const) : ('sell' as const),
      price: String(Math.round(Number(mark) * (size > 0 ? 2 : 0.5))),
      size: String(Math.abs(size)),
      reduceOnly: false,
      cloid: `0x${(0xc1n * 2n ** 120n + BigInt(nonce)).toString(16)}` as const,
    }
    const { body } = await signer.signOrder(order, { nonce, nowMs })
    const answer = await fetch(`${this.rig.venue.url}/exchange`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    })
    const text = await answer.text()
    if (!text.includes('filled')) throw new Error(`the owner's order of ${coin}: ${text}`)
    // Nobody looks sooner at an account that was flat and holds no money of the mandate.
    this.rig.advance(10 * 60_000)
  }

  /** Moves the owner's USDC to another dex by hand. */
  async moveTo(dex: string, { wallet }: BoundLeg, amountUsdc: string): Promise<void> {
    const account = this.rig.venue.state.accounts[wallet.address.toLowerCase()]
    const own = account?.dexes['']
    if (account === undefined || own === undefined) throw new Error('the owner has no account')
    own.raw = String(Number(own.raw) - Number(amountUsdc))
    account.dexes[dex] = { raw: amountUsdc, positions: {}, leverage: {} }
  }

  market(coin: string) {
    for (const [place, dex] of this.rig.venue.state.dexes.entries())
      for (const [index, market] of dex.markets.entries())
        if (coin === (dex.name === '' ? market.name : `${dex.name}:${market.name}`))
          return { asset: place === 0 ? index : 100_000 + place * 10_000 + index, mark: market.mark }
    throw new Error(`no market ${coin}`)
  }

  /** Position of an owner at the venue; 0 if flat. */
  position({ wallet }: BoundLeg, coin: string): number {
    const dex = coin.includes(':') ? (coin.split(':')[0] ?? '') : ''
    const account = this.rig.venue.state.accounts[wallet.address.toLowerCase()]
    return Number(account?.dexes[dex]?.positions[coin]?.size ?? 0)
  }

  mark(coin: string, price: string): void {
    this.rig.venue.control('mark', { coin, price })
  }
}

const USAGE = {
  today_usdc: '0',
  remaining_today_usdc: '0',
}

function mandateOf(
  publicId: string,
  id: number,
  ownerWalletAddress: string,
  line: string,
  changed: Partial<LegMandate>,
): LegMandate {
  const endsAt = '2026-12-22T10:00:00.000Z'
  return {
    public_id: publicId,
    name: 'Stop line',
    state: 'working',
    owner_id: id,
    owner_wallet: ownerWalletAddress,
    agent_id: 100 + id,
    limits: {
      hl_leg: true,
      budget_usdc: '500',
      per_tx_cap_usdc: '100',
      daily_cap_usdc: '300',
      stop_line_usdc: line,
      approval_above_usdc: null,
      markets: ['hl:BTC', 'hl:ETH', 'hl:xyz:TSLA'],
      ends_at: endsAt,
      fee_bps: 1_000,
      leg_budget_usdc: '500',
      close_if_silent_minutes: null,
      public_proof: false,
    } as LegMandate['limits'],
    markets: ['hl:BTC', 'hl:ETH', 'hl:xyz:TSLA'].map((market_id) => ({ market_id, status: 'paper' as const })),
    terms_hash: `0x${'ab'.repeat(32)}`,
    ends_at: endsAt,
    stop_cause: null,
    stopped_at: null,
    agent_acted_at: null,
    vault: {
      address: `0x${'11'.repeat(20)}`,
      chain_id: 31_337,
      version: 2,
      accounted_usdc: '500',
      leg_out_usdc: '0',
      leg_open: false,
      vault_worth_usdc: '500',
      worth_at: '2026-11-22T10:00:00.000Z',
    },
    ...changed,
  }
}
