import type { z } from 'zod'
import type { legOfMandate } from '@svc/contracts/mandates/mandate'
import { getAddress } from 'viem'
import type { Leg } from './store/legs.ts'

/** Returns the leg of a mandate as answers have it; null without one. */
export function legView(leg: Leg | null): z.output<typeof legOfMandate> | null {
  if (leg === null) return null
  const { state, network, agent_address, epoch, valid_until, changed_at } = leg
  const address = agent_address === null ? null : getAddress(agent_address)
  return { state, network, agent_address: address, epoch, valid_until, changed_at }
}
