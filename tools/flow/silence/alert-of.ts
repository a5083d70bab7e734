import type { Dependency } from '@svc/service'

/** The alert of each system, which the flow of silent systems makes fire. */
export const ALERT_OF = {
  postgres: 'PostgresSilent',
  nats: 'NatsSilent',
  redis: 'RedisSilent',
  chain: 'RpcSilent',
  venue: 'VenueAnswerOld',
  exchange: 'ExchangeSilent',
} as const satisfies Record<Dependency, string>

/** Fires while NATS is gone, too. */
export const QUORUM_ALERT = 'NatsQuorumLost'
