import { z } from 'zod'

/** The venue's two networks; the leg uses testnet unless `HUB_HL_NETWORK` says otherwise. */
export type Network = 'mainnet' | 'testnet'

/** Name of a network inside user-signed actions; it stops a replay on the other network. */
export const chainName = (network: Network) => (network === 'mainnet' ? 'Mainnet' : 'Testnet')

const API: Readonly<Record<Network, string>> = {
  mainnet: 'https://api.hyperliquid.xyz',
  testnet: 'https://api.hyperliquid-testnet.xyz',
}

export interface VenueUrls {
  readonly info: string
  readonly exchange: string
}

/** Address of a venue on this machine: plain HTTP to `127.0.0.1` or `localhost`, without credentials. */
const loopbackUrl = z
  .url()
  .transform((text) => new URL(text))
  .refine(
    (url) =>
      url.protocol === 'http:' &&
      (url.hostname === '127.0.0.1' || url.hostname === 'localhost') &&
      url.username === '' &&
      url.password === '',
  )

/** Returns whether questions go to a program on this machine, whose figures are made up, and not to the venue. */
export const isMadeUp = ({ info }: VenueUrls): boolean =>
  !Object.values(API).some((base) => info.startsWith(`${base}/`))

/**
 * Returns the addresses of the info and exchange endpoints. An override counts on testnet only, and only if it is plain
 * HTTP to this machine; any other override is ignored, because an order that goes elsewhere is an order given away.
 */
export function venueUrls(network: Network, overrides: Partial<VenueUrls> = {}): VenueUrls {
  const urlOf = (endpoint: keyof VenueUrls): string => {
    const override = loopbackUrl.safeParse(overrides[endpoint])
    return network === 'testnet' && override.success ? override.data.href : `${API[network]}/${endpoint}`
  }
  return { info: urlOf('info'), exchange: urlOf('exchange') }
}
