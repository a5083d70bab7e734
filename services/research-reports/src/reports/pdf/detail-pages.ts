import { alertsBlock, notKnownBlock, noticesBlock, type NotKnown } from './alert-blocks.ts'
import { burstsBlock } from './burst-block.ts'
import { courseBlock, coverageBlock, hasCourse } from './course-blocks.ts'
import type { Block } from './flow.ts'
import { glossaryBlock, healthBlock, onchainBlock, readingBlock } from './health-blocks.ts'
import { listingsBlock, percentilesBlock } from './peer-blocks.ts'
import { estimatesBlock, factorsBlock, gradeBlock } from './rank-blocks.ts'
import type { Sheet } from './sheet.ts'

/** Returns the parts of the detailed report for which something is known, and one that names the others. */
export function detailBlocks(sheet: Sheet): readonly Block[] {
  const { meta, microburst, percentiles, kpi_2h } = sheet.research
  const spread = hasCourse(sheet, 'spread_bps')
  const depth = hasCourse(sheet, 'depth_2pct_usd')
  const bursts = microburst.reason === null
  const ranked = meta.risk !== null
  const unknown: NotKnown[] = [
    ...(ranked ? [] : (['notKnownRank'] as const)),
    ...(percentiles.peers.length > 0 ? [] : (['notKnownPercentiles'] as const)),
    ...(spread && depth ? [] : (['notKnownSpread'] as const)),
    ...(bursts ? [] : (['notKnownCaptures'] as const)),
  ]
  const parts: readonly (Block | null)[] = [
    meta.components.length > 0 ? gradeBlock : null,
    ranked ? factorsBlock : null,
    estimatesBlock,
    spread ? (at, top) => courseBlock(at, top, 'spread') : null,
    depth ? (at, top) => courseBlock(at, top, 'depth') : null,
    alertsBlock,
    noticesBlock,
    listingsBlock,
    percentiles.peers.length > 0 ? percentilesBlock : null,
    bursts ? burstsBlock : null,
    kpi_2h.buckets.length > 1 ? coverageBlock : null,
    healthBlock,
    onchainBlock,
    unknown.length > 0 ? (at, top) => notKnownBlock(at, top, unknown) : null,
    glossaryBlock,
    readingBlock,
  ]
  return parts.filter((part) => part !== null)
}
