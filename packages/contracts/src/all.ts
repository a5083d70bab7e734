import type { Contract } from '@svc/contract'
import { mandates } from './mandates/contract.ts'
import { chainIndexer } from './chain-indexer/contract.ts'
import { keeper } from './keeper/contract.ts'
import { hlLeg } from './hl-leg/contract.ts'
import { hlRelay } from './hl-relay/contract.ts'
import { hlTrade } from './hl-trade/contract.ts'
import { gallery } from './gallery/contract.ts'
import { gateway } from './gateway.ts'
import { identity } from './identity/contract.ts'
import { marketData } from './market-data/contract.ts'
import { mining } from './mining/contract.ts'
import { researchReports } from './research-reports/contract.ts'
import { subscriptions } from './subscriptions/contract.ts'

/** Every contract of the product, in the order in which documents list them. */
export const contracts: readonly Contract[] = [
  identity,
  mining,
  subscriptions,
  marketData,
  researchReports,
  mandates,
  chainIndexer,
  keeper,
  hlLeg,
  hlRelay,
  hlTrade,
  gallery,
  gateway,
] as unknown as readonly Contract[]
