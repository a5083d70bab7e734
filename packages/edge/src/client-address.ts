import ipaddr from 'ipaddr.js'
import { LRUCache } from 'lru-cache'

const ADDRESSES_MAX = 10_000
const keys = new LRUCache<string, string>({ max: ADDRESSES_MAX })

/** Returns the client that a rate rule counts: an IPv4 address, or the /64 of an IPv6 one. */
export function clientKey(address: string): string {
  const known = keys.get(address)
  if (known !== undefined) return known
  const key = keyOf(address)
  keys.set(address, key)
  return key
}

function keyOf(address: string): string {
  if (!ipaddr.isValid(address)) return 'unknown'
  const parsed = ipaddr.process(address)
  if (parsed.kind() === 'ipv4') return parsed.toString()
  const network = (parsed as ipaddr.IPv6).parts.slice(0, 4).map((part) => part.toString(16))
  return `${network.join('.')}.64`
}
