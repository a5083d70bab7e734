import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Public addresses that answer only inside clouds, by the providers' documents. */
const cloudAddresses = new Set(['168.63.129.16'])

/** IPv6 addresses in use on the internet (IANA allocates only 2000::/3). */
const globalUnicast = ipaddr.IPv6.parse('2000::')

/**
 * Whether an IP address belongs to the public internet. False for all others: private, loopback,
 * link-local and metadata, carrier-grade NAT, multicast, documentation, benchmarking and reserved
 * ranges, and IPv6 forms that contain an IPv4 address (mapped, compatible, NAT64, 6to4, Teredo).
 */
export function isPublicAddress(text: string): boolean {
  if (isIP(text) === 0) return false
  const address = ipaddr.parse(text)
  if (address instanceof ipaddr.IPv4) return address.range() === 'unicast' && !cloudAddresses.has(address.toString())
  return address.zoneId === undefined && address.range() === 'unicast' && address.match(globalUnicast, 3)
}
