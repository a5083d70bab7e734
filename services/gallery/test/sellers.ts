import type { AgentPolicy } from '@svc/contracts/identity/policy'
import { sql } from '@svc/postgres'
import { admin, type GalleryRig } from './rig.ts'

/** A policy that accepts everything. */
export const openPolicy: AgentPolicy = {
  accepts_mandates: true,
  max_open_mandates: null,
  max_budget_usdc: null,
  per_tx_cap_usdc: null,
  daily_cap_usdc: null,
  allowed_markets: null,
  approval_above_usdc: null,
  daily_cherry_budget: null,
}

/** What identity knows of agents; tests change it. */
export interface KnownAgents {
  /** Owners of paired agents, by agent. */
  readonly owners: Map<number, number>
  readonly policies: Map<number, Partial<AgentPolicy>>
  /** Agents above this id do not exist. */
  readonly max: number
}

const walletOf = (id: number) => `0x${id.toString(16).padStart(40, '0')}`

/** Lets the peer of identity answer for agents. */
export function knowAgents(rig: GalleryRig): KnownAgents {
  const known: KnownAgents = { owners: new Map(), policies: new Map(), max: 9_000 }
  const { answers } = rig.peers.identity
  answers['readAgents'] = ({ agent_ids }: { agent_ids: number[] }) => ({
    agents: agent_ids.map((agent_id) => {
      const owner = known.owners.get(agent_id)
      return agent_id > known.max
        ? null
        : {
            agent_id,
            name: `agent ${agent_id}`,
            wallet: walletOf(agent_id),
            owner: owner === undefined ? null : { owner_id: owner, wallet: walletOf(owner) },
            policy: { ...openPolicy, ...known.policies.get(agent_id) },
            access_ends_at: null,
            last_seen_at: null,
            channel: null,
          }
    }),
  })
  return known
}

/** Makes an agent an operator, as an admin does. */
export async function newOperator(rig: GalleryRig, agentId: number, kind: 'signal' | 'vault' = 'signal') {
  const { operator } = await rig.as(admin(1)).addOperator({ agent_id: agentId, kind, title: `Operator ${agentId}` })
  return operator
}

/** Where an agent stands in the Hall. */
export interface Stands {
  readonly ranked?: boolean
  readonly violations?: number
  readonly owners?: number
  readonly principal?: string
  readonly rowIsGood?: boolean
}

/** Stores rows of the Hall, computed now. */
export async function standAt(rig: GalleryRig, agentId: number, stands: Stands = {}): Promise<void> {
  const { ranked = true, violations = 0, owners = 1, principal = '25000000', rowIsGood = true } = stands
  const now = rig.clock.now().toISOString()
  await rig.pool.query(sql.unsafe`
    INSERT INTO hall_record (agent_id, facts_version, day, computed_at, standing, ranked, rank, days_live, trades_total,
      violations_30d, independent_owners, independent_principal_usdc, accepting, house, worth_low_bps, adherence_pct, trades,
      drawdown_bps, body, windows, detail)
    VALUES (${agentId}, 1, ${now.slice(0, 10)}, ${now}, ${rowIsGood ? 'good' : 'error'}, ${ranked}, ${ranked ? 3 : null}, 40, 12,
      ${violations}, ${owners}, ${principal}, true, false, '{1,2,3,4}', '{99,98,97,97.5}', '{1,2,3,4}', '{1,2,3,4}', '{}', '{}', '{}')
    ON CONFLICT (agent_id) DO UPDATE SET standing = excluded.standing, ranked = excluded.ranked, rank = excluded.rank,
      violations_30d = excluded.violations_30d, independent_owners = excluded.independent_owners,
      independent_principal_usdc = excluded.independent_principal_usdc`)
  await computeHall(rig)
}

/** Stores that the Hall was computed now. */
export async function computeHall(rig: GalleryRig): Promise<void> {
  await rig.pool.query(sql.unsafe`
    INSERT INTO hall_snapshot (seq, computed_at, agents, proof) VALUES (1, ${rig.clock.now().toISOString()}, 1, '{}')
    ON CONFLICT (id) DO UPDATE SET computed_at = excluded.computed_at`)
}
