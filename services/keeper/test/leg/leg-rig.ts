import { ok, refuse, type Environment, type InputOf } from '@svc/contract'
import type { hlLeg } from '@svc/contracts/hl-leg'
import { transferConflict, type LegStanding, type LegTransfer } from '@svc/contracts/hl-leg/money'
import { read } from '@svc/chain'
import { usdcText } from '@svc/limits'
import { Outage, type AnyHandler } from '@svc/service'
import { startVenueRig, type VenueRig } from '@svc/venue-rig'
import type { Hex } from 'viem'
import { chainRig, startRig, wallets, type ChainRig, type Rig, type TestVault } from '../rig.ts'

export const POOL_KEY = `0x${Buffer.from(wallets.operator.getHdKey().privateKey ?? []).toString('hex')}` as const
export const OWNER = wallets.owner.address.toLowerCase()
export const POOL = wallets.operator.address.toLowerCase()

/** Settings of a live mover whose pool is the gateway's operator. */
export const legEnvironment = (chain: ChainRig): Environment => ({
  HUB_MANDATE_FACTORY_V2_ADDRESS: chain.at('factory_v2'),
  HUB_TEST_LEG_GATEWAY: chain.at('leg_gateway'),
  HUB_HL_LEG_ENABLED: '1',
  HUB_LEG_FUNDING: 'test',
  HUB_LEG_MOVER_DRY_RUN: '0',
  HUB_LEG_RECONCILE_DRY_RUN: '0',
  HUB_HL_TEST_POOL_ADDRESS: wallets.operator.address,
  HUB_HL_TEST_POOL_KEY: POOL_KEY,
  SVC_LEG_CONFIRMATIONS: '2',
})

type Input<K extends keyof typeof hlLeg.operations> = InputOf<(typeof hlLeg.operations)[K]>

/** The neighbour hl-leg: its rows, and the venue to which it relays bytes. */
export interface LegPeer {
  readonly rows: Map<string, LegTransfer>
  /** Bytes that keeper signed, by transfer. */
  readonly bodies: Map<string, string[]>
  /** Changes what it says of the leg. */
  standing: Partial<LegStanding>
  isAway: boolean
  /** Address of the pool, in lower case. */
  pool: string
}

/** keeper with a chain, the venue, and hl-leg as a peer. */
export interface LegRig {
  readonly chain: ChainRig
  readonly rig: Rig
  readonly venue: VenueRig
  readonly peer: LegPeer
  readonly record: Map<string, { readonly vault: TestVault; state: string; stoppedAt: string | null }>
  /** While it is behind, the record states the vaults as it did before. */
  readonly indexer: { isBehind: boolean }
  /** A leg mandate with USDC in its vault. */
  follow(usdc: bigint): Promise<TestVault>
  /** Runs the mover, the sender and a block, so often. */
  turn(times?: number): Promise<void>
  /** The owner's return has arrived at the venue. */
  landReturn(vault: TestVault, usdc: bigint, last?: boolean): LegTransfer
  transferOf(vault: TestVault, kind?: LegTransfer['kind']): LegTransfer
  account(address: string): number
  stop(): Promise<void>
}

export async function startLegRig(): Promise<LegRig> {
  const chain = await chainRig()
  const venue = await startVenueRig()
  venue.control('fund', { address: POOL, amount: '5000' })
  venue.control('fund', { address: OWNER, amount: '50' })
  const peer: LegPeer = { rows: new Map(), bodies: new Map(), standing: {}, isAway: false, pool: POOL }
  const record: LegRig['record'] = new Map()
  const indexer = { isBehind: false }
  const at = () => rig.clock.now().toISOString()
  const put = (row: LegTransfer) => {
    peer.rows.set(row.transfer_id, row)
    return ok(200, { transfer: row })
  }
  const answers = {
    'hl-leg': legAnswers({ peer, venue, put, at }),
    mandates: { listLegsToMove: listLegs(chain, record, indexer) },
  }
  const rig = await startRig(chain, { environment: legEnvironment(chain), answers })
  const transferOf: LegRig['transferOf'] = ({ publicId }, kind = 'fund') =>
    [...peer.rows.values()].findLast((row) => row.public_id === publicId && row.kind === kind) ?? missing(kind)
  return {
    chain,
    rig,
    venue,
    peer,
    record,
    indexer,
    follow: async (usdc) => {
      const vault = await chain.legVault(usdc)
      record.set(vault.publicId, { vault, state: 'working', stoppedAt: null })
      rig.follow(vault)
      return vault
    },
    turn: async (times = 1) => {
      for (let done = 0; done < times; done++) {
        await rig.run('legMover')
        await rig.run('send')
        await chain.anvil.mine(1)
      }
    },
    landReturn: (vault, usdc, last = false) => {
      const id = `ltr_${(peer.rows.size + 1).toString(16).padStart(32, 'a')}`
      const row: LegTransfer = {
        ...blank(id, vault.publicId, at()),
        kind: 'return',
        state: 'delivered_at_venue',
        vault: vault.address,
        chain_id: 31_337,
        amount_usdc: usdcText(usdc),
        last,
        ref: `0x${id.slice(4).padStart(64, '0')}`,
        venue_step: 'landed',
      }
      put(row)
      return row
    },
    transferOf,
    account: (address) => Number(venue.state.accounts[address.toLowerCase()]?.dexes['']?.raw ?? 0),
    stop: async () => {
      await rig.stop()
      await venue.close()
      await chain.stop()
    },
  }
}

const missing = (kind: string): never => {
  throw new Error(`no transfer of kind ${kind}`)
}

const blank = (id: string, publicId: string, at: string): LegTransfer => ({
  transfer_id: id,
  public_id: publicId,
  kind: 'fund',
  state: 'planned',
  open: true,
  reason: null,
  network: 'testnet',
  owner_address: OWNER,
  vault: null,
  chain_id: null,
  amount_usdc: '0',
  last: false,
  ref: null,
  nonce: null,
  signed: false,
  chain_step: 'none',
  venue_step: 'none',
  tx_hash: null,
  venue_hash: null,
  venue_at: null,
  opened_at: at,
  changed_at: at,
})

function listLegs(chain: ChainRig, record: LegRig['record'], indexer: LegRig['indexer']): AnyHandler {
  const seen = new Map<string, object>()
  return async ({ after }: { after?: string }) => {
    if (after !== undefined) return ok(200, { legs: [] })
    const legs = await Promise.all(
      [...record.values()].map(async ({ vault, state, stoppedAt }) => {
        if (!indexer.isBehind) seen.set(vault.publicId, await figuresOf(chain, vault))
        return {
          public_id: vault.publicId,
          owner_id: 1,
          owner_wallet: wallets.owner.address,
          state,
          phase: state === 'working' ? 'working' : 'stopped',
          stopped_at: stoppedAt,
          ends_at: new Date(Date.now() + 10 * 86_400_000).toISOString(),
          chain_id: 31_337,
          vault: vault.address,
          held_usdc: '0',
          leg_budget_usdc: '200',
          marked_leg_usdc: '200',
          ...seen.get(vault.publicId),
        }
      }),
    )
    return ok(200, { legs })
  }
}

async function figuresOf(chain: ChainRig, { address }: TestVault): Promise<object> {
  const views = read(chain.chain).vaultV2(address)
  const [accounted, out, open, seq] = await Promise.all([
    views.accounted(),
    views.legOut(),
    views.legOpen(),
    views.legSeq(),
  ])
  return { accounted_usdc: usdcText(accounted), leg_out_usdc: usdcText(out), leg_open: open, leg_seq: Number(seq) }
}

interface World {
  readonly peer: LegPeer
  readonly venue: VenueRig
  put(row: LegTransfer): { status: 200; body: { transfer: LegTransfer } }
  at(): string
}

/** hl-leg as far as keeper notices it; its own rules are tested beside it. */
function legAnswers({ peer, venue, put, at }: World): Record<string, AnyHandler> {
  const awake = () => {
    if (peer.isAway) throw new Outage('test', 'hl-leg is away')
  }
  const rowOf = (id: string) => peer.rows.get(id) ?? refuse(transferConflict)
  return {
    listLegTransfers: async ({ after }: Input<'listLegTransfers'>) => {
      awake()
      const transfers =
        after === undefined ? [...peer.rows.values()].toSorted((a, b) => (a.transfer_id < b.transfer_id ? -1 : 1)) : []
      const pool = Number(venue.state.accounts[peer.pool]?.dexes['']?.raw ?? 0)
      return ok(200, { transfers, pool: { withdrawable_usdc: String(pool), lent_usdc: '0' } })
    },
    openLegTransfer: async (input: Input<'openLegTransfer'>) => {
      awake()
      const open = [...peer.rows.values()].some((row) => row.public_id === input.public_id && row.open)
      if (open) refuse(transferConflict, 'A transfer of the leg is open.')
      const known = [...peer.rows.values()].some(({ kind }) => kind === 'activation')
      if (known && input.kind === 'activation') refuse(transferConflict, 'The account is known to the venue.')
      const ends = input.kind === 'closing' || input.kind === 'fallback'
      const { marked_usdc, ...given } = input
      // At the fallback hl-leg decides; here by the mark alone.
      const amount_usdc = input.kind === 'fallback' ? (marked_usdc ?? refuse(transferConflict)) : input.amount_usdc
      return put({
        ...blank(input.transfer_id, input.public_id, at()),
        ...given,
        amount_usdc,
        nonce: input.kind === 'activation' || input.kind === 'refund' ? Date.now() : null,
        last: ends,
        ref: ends ? (`0x${input.transfer_id.slice(4).padStart(64, 'c')}` as Hex) : null,
      })
    },
    advanceLegTransfer: async ({ transfer_id, event, tx_hash, reason }: Input<'advanceLegTransfer'>) => {
      awake()
      const row = rowOf(transfer_id)
      const isFunding = row.kind === 'fund'
      const failed = isFunding ? 'failed' : 'none'
      const chain_step = (
        {
          chain_sent: 'sending',
          chain_seen: 'seen',
          chain_lost: 'lost',
          chain_failed: failed,
          chain_ended: 'failed',
        } as const
      )[event]
      const ended = (chain_step === 'seen' && !isFunding) || chain_step === 'failed'
      const nonce = isFunding && event === 'chain_seen' ? (row.nonce ?? Date.now()) : row.nonce
      return put({ ...row, chain_step, tx_hash, reason, nonce, open: !ended, changed_at: at() })
    },
    sendPoolTransfer: async ({ transfer_id, body }: Input<'sendPoolTransfer'>) => {
      awake()
      const row = rowOf(transfer_id)
      peer.bodies.set(transfer_id, [...(peer.bodies.get(transfer_id) ?? []), body])
      put({ ...row, signed: true, venue_step: 'signed', state: 'sent' })
      const answer = await fetch(`${venue.url}/exchange`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      })
      if (!(await answer.text()).includes('"ok"')) throw new Error('the venue refused the bytes of the pool')
      return put({ ...row, signed: true, venue_step: 'landed', state: 'delivered', open: false })
    },
    readLegWorths: async ({ public_ids }: Input<'readLegWorths'>) => {
      awake()
      return ok(200, { legs: public_ids.map((id) => ({ ...standingOf(peer, venue, id, at()), ...peer.standing })) })
    },
  }
}

function standingOf(peer: LegPeer, venue: VenueRig, publicId: string, at: string): LegStanding {
  const rows = [...peer.rows.values()].filter(({ public_id }) => public_id === publicId)
  const sum = (kind: string) =>
    rows.reduce(
      (total, row) => (row.kind === kind && row.venue_step === 'landed' ? total + Number(row.amount_usdc) : total),
      0,
    )
  const held = Number(venue.state.accounts[OWNER]?.dexes['']?.raw ?? 0)
  const all = [...peer.rows.values()].filter(({ kind, venue_step }) => kind === 'fund' && venue_step === 'landed')
  // Whatever the account has besides fundings was there before.
  const lent = all.reduce((total, { amount_usdc }) => total + Number(amount_usdc), 0)
  const foreign = held - lent
  const value = (held - (lent - sum('fund')) - sum('return')).toFixed(6)
  return {
    public_id: publicId,
    state: 'bound',
    network: 'testnet',
    owner_address: OWNER,
    ready: true,
    read_at: at,
    value_usdc: value,
    exit_usdc: '0',
    withdrawable_usdc: value,
    foreign_usdc: foreign.toFixed(6),
    flat: true,
    explained: { read_at: at, flat: true, owed_usdc: Math.max(0, Number(value) - foreign).toFixed(6) },
    withheld_reason: null,
    delivered_usdc: sum('fund').toFixed(6),
    left_usdc: sum('return').toFixed(6),
    row_changed_at: null,
    open_transfers: rows.filter(({ open }) => open).length,
    stuck: false,
    return_begun: rows.some(({ kind }) => kind !== 'fund'),
    last_sent: false,
    leg_debt_usdc: '0',
    owner_id: 1,
    lent_owner_usdc: '0',
    refundable_usdc: '0',
    activation_asked: false,
  }
}
