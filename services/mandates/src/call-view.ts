import type { PreparedCall } from '@svc/chain'

/** A prepared call as answers give it. */
export function callView({ to, data, chainId }: PreparedCall) {
  return { to, data, value: '0' as const, chain_id: chainId }
}
