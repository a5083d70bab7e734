import type { Db } from '@svc/postgres'
import { standingOf, type Standing } from '#hall/store/standing.ts'
import type { SellerStanding } from './rules/may-publish.ts'

/** Returns what the rule for sellers looks at. */
export const sellerStanding = (standing: Standing): SellerStanding => ({
  ranked: standing.ranked,
  violations30d: standing.violations30d,
  independentOwners: standing.independentOwners,
  independentPrincipal: standing.independentPrincipalUsdc,
})

/** Returns the standing of a seller; null if the Hall has no good row of it. */
export async function standingOfSeller(db: Db, agentId: number): Promise<SellerStanding | null> {
  const standing = (await standingOf(db, [agentId])).get(agentId)
  return standing === undefined ? null : sellerStanding(standing)
}
