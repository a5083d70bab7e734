import { gallery } from '@svc/contracts/gallery'
import { clientOf, type Bus } from '@svc/service'
import { orNull } from './or-null.ts'

/** Where an agent stands in the Hall. */
export interface Standing {
  readonly agent_id: number
  readonly ranked: boolean
  readonly rank: number | null
  readonly days_needed: number
  readonly trades_needed: number
  readonly days_live: number
}

/** Questions answered by gallery. */
export interface HallClient {
  /** Returns where agents stand, without those that the Hall does not have; null during an outage. */
  standingsOf(agentIds: readonly number[]): Promise<ReadonlyMap<number, Standing> | null>
}

/** Creates the client of gallery. Sends no request. */
export function openHallClient(bus: Bus): HallClient {
  const hall = clientOf(bus, 'mandates', gallery)
  return {
    standingsOf: async (agentIds) => {
      const answer = await orNull(hall.readRanks({ agent_ids: [...agentIds] }))
      if (answer === null) return null
      return new Map(answer.ranks.flatMap((one) => (one === null ? [] : [[one.agent_id, one]])))
    },
  }
}
