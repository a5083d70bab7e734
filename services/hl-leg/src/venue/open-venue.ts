import type { SettingsOf } from '@svc/contract'
import type { hlLegSettings } from '@svc/contracts/hl-leg/settings'
import { openTransport, venueUrls, type Post } from '@svc/hyperliquid'

/** The connection to the venue. */
export interface Venue {
  readonly post: Post
  close(): Promise<void>
}

/** Opens the connection to the configured network, or to a rig on this machine. */
export function openVenue({
  network,
  infoUrl,
  exchangeUrl,
}: Pick<SettingsOf<typeof hlLegSettings>, 'network' | 'infoUrl' | 'exchangeUrl'>): Venue {
  return openTransport(
    venueUrls(network, {
      ...(infoUrl === null ? {} : { info: infoUrl }),
      ...(exchangeUrl === null ? {} : { exchange: exchangeUrl }),
    }),
  )
}
