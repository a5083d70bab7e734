import { chainIndexer } from '@svc/contracts/chain-indexer'
import { clientOf, isOutage, RemoteRefusal, type Bus, type Clock } from '@svc/service'
import { LRUCache } from 'lru-cache'
import { CALLS, codeSizeCall, isOnChain, readOf, type Contract, type OnchainRead } from './rules/onchain.ts'

/** A supply changes slowly, and reports of the same hour must agree. */
const KEPT_MS = 3_600_000
/** Pause before another attempt after an outage. */
const AGAIN_MS = 30_000
const KEPT_MAX = 2_000

/** Reads the token contract at an approved address through chain-indexer. Does not reject if chain-indexer is unavailable. */
export type ReadOnchain = (contract: Contract) => Promise<OnchainRead>

export function onchainReader(bus: Bus, clock: Clock): ReadOnchain {
  const ask = clientOf(bus, 'research-reports', chainIndexer)
  const kept = new LRUCache<string, { readonly until: number; readonly read: Promise<OnchainRead> }>({ max: KEPT_MAX })
  const read = async (contract: Contract): Promise<OnchainRead> => {
    try {
      const { chain_id, head, head_time } = await ask.readHead({})
      if (!isOnChain(contract, chain_id)) return { state: 'not_indexed' }
      const { address } = contract
      // All figures are of one block.
      const call = async (data: string, to?: string) =>
        (await ask.simulateCall({ ...(to === undefined ? {} : { to }), data, block_number: head })).data
      const [codeSize, totalSupply, decimals] = await Promise.all([
        call(codeSizeCall(address)),
        call(CALLS.totalSupply, address),
        call(CALLS.decimals, address),
      ])
      return readOf({ codeSize, totalSupply, decimals, readAt: head_time })
    } catch (error) {
      if (error instanceof RemoteRefusal) return { state: 'not_indexed' }
      if (isOutage(error)) return { state: 'chain_unavailable' }
      throw error
    }
  }
  return async (contract) => {
    const key = `${contract.chain} ${contract.address}`
    const now = clock.now().getTime()
    const known = kept.get(key)
    if (known !== undefined && known.until > now) return known.read
    const reading = read(contract)
    kept.set(key, { until: now + AGAIN_MS, read: reading })
    const answer = await reading.catch((error: unknown) => {
      kept.delete(key)
      throw error
    })
    if (answer.state !== 'chain_unavailable') kept.set(key, { until: now + KEPT_MS, read: reading })
    return answer
  }
}
