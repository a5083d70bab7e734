import type { HallAgent } from '@svc/contracts/identity/hall-agents'
import type { HallMandate } from '@svc/contracts/mandates/facts'
import type { GalleryRig } from '../rig.ts'

/** What identity and mandates know; tests change it. */
export interface World {
  readonly agents: Map<number, HallAgent>
  readonly mandates: Map<string, HallMandate>
  /** Most days that one answer of mandates has. */
  daysMax: number
}

const DAY_MS = 86_400_000
export const dayText = (ms: number): string => new Date(ms).toISOString().slice(0, 10)
export const addressOf = (n: number): string => `0x${n.toString(16).padStart(40, '0')}`
export const mandateId = (n: number): string => `mdt_${n.toString(16).padStart(32, '0')}`

/** Makes the peers of a rig answer from a world. */
export function playWorld(rig: GalleryRig): World {
  const world: World = { agents: new Map(), mandates: new Map(), daysMax: 10_000 }
  const { identity, mandates } = rig.peers
  Object.assign(identity.answers, {
    readHallAgents: ({ agent_ids }: { agent_ids: number[] }) => ({
      agents: agent_ids.map((id) => world.agents.get(id) ?? null),
    }),
    readHallOwners: ({ owner_ids }: { owner_ids: number[] }) => ({
      owners: owner_ids.map((owner_id) => ({ owner_id, wallet: addressOf(owner_id) })),
    }),
    listHallAgents: ({ after = 0, limit }: { after?: number; limit: number }) => ({
      agent_ids: [...world.agents.keys()]
        .filter((id) => id > after)
        .toSorted((a, b) => a - b)
        .slice(0, limit),
    }),
  })
  Object.assign(mandates.answers, {
    readHallFacts: ({ items }: { items: { public_id: string; from_day: string | null }[] }) => factsOf(world, items),
    listHallMandates: ({ after = '', limit }: { after?: string; limit: number }) => ({
      mandates: [...world.mandates.values()]
        .filter(({ public_id }) => public_id > after)
        .toSorted((a, b) => (a.public_id < b.public_id ? -1 : 1))
        .slice(0, limit)
        .map(({ public_id, agent_id }) => ({ public_id, agent_id })),
    }),
  })
  return world
}

function factsOf(world: World, items: readonly { public_id: string; from_day: string | null }[]) {
  let room = world.daysMax
  const mandates: HallMandate[] = []
  const left: { public_id: string; from_day: string | null }[] = []
  for (const { public_id, from_day } of items) {
    const mandate = world.mandates.get(public_id)
    if (mandate === undefined) continue
    const days = mandate.days.filter(({ day }) => from_day === null || day >= from_day)
    const told = days.slice(0, room)
    room -= told.length
    mandates.push({ ...mandate, days: told })
    const next = days[told.length]
    if (next !== undefined) left.push({ public_id, from_day: next.day })
  }
  return { mandates, left }
}

/** An agent of the world; its wallet is that of no owner. */
export const agentOf = (agent_id: number, more: Partial<HallAgent> = {}): HallAgent => ({
  agent_id,
  name: `Agent ${agent_id}`,
  registered_at: '2026-09-01T00:00:00.000Z',
  wallet: addressOf(1_000_000 + agent_id),
  owner_id: 500_000 + agent_id,
  accepts_mandates: true,
  policy_changes: [{ changed_at: '2026-09-02T00:00:00.000Z', direction: 'widen', items: ['accepts_mandates'] }],
  ...more,
})

/** A mandate with a closing a day, from its daily results; its owner paid in once. */
export function mandateOf(
  n: number,
  agent_id: number,
  {
    results,
    until,
    paidIn = 100,
    ...more
  }: Partial<HallMandate> & {
    readonly results: readonly number[]
    /** The day after the last result. */
    readonly until: string
    readonly paidIn?: number
  },
): HallMandate {
  const first = Date.parse(until) - (results.length + 1) * DAY_MS
  let worth = paidIn
  const days = [0, ...results].map((result, at) => {
    worth *= 1 + result
    const day = dayText(first + at * DAY_MS)
    return {
      day,
      trades: at === 0 ? 0 : 1,
      refusals: {},
      refusals_on_chain: 0,
      violations: 0,
      foreign_fills: 0,
      points: [
        {
          at: `${day}T23:50:00.000Z`,
          block_number: 1_000 + at,
          worth_usdc: usdcText(worth),
          paid_in_usdc: usdcText(paidIn),
          paid_out_usdc: '0',
        },
      ],
    }
  })
  return {
    public_id: mandateId(n),
    agent_id,
    owner_id: 700_000 + n,
    state: 'working',
    public_proof: false,
    chain_id: 31_337,
    vault: addressOf(2_000_000 + n),
    hl_leg: false,
    principal_usdc: usdcText(paidIn),
    stop_line_usdc: usdcText(paidIn * 0.75),
    opened_at: `${dayText(first)}T10:00:00.000Z`,
    ended_at: null,
    record: { seq: days.length, hash: n.toString(16).padStart(64, 'a') },
    trades_total: results.length,
    ...more,
    days: more.days ?? days,
  }
}

/** Writes an amount as the API does. */
export const usdcText = (amount: number): string =>
  amount
    .toFixed(6)
    .replace(/(\.\d*?)0+$/, '$1')
    .replace(/\.$/, '')
