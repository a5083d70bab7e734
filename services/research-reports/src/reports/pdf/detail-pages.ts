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
  const still = (draw: (at: Sheet, top: number) => number): Block => ({ draw })
  const parts: readonly (Block | null)[] = [
    meta.components.length > 0 ? still(gradeBlock) : null,
    ranked ? still(factorsBlock) : null,
    still(estimatesBlock),
    spread ? { draw: (at, top, more) => courseBlock(at, top, 'spread', more), grows: true } : null,
    depth ? { draw: (at, top, more) => courseBlock(at, top, 'depth', more), grows: true } : null,
    still(alertsBlock),
    still(noticesBlock),
    still(listingsBlock),
    percentiles.peers.length > 0 ? still(percentilesBlock) : null,
    bursts ? { draw: burstsBlock, grows: microburst.bursts.length > 0 } : null,
    kpi_2h.buckets.length > 1 ? { draw: coverageBlock, grows: true } : null,
    still(healthBlock),
    still(onchainBlock),
    unknown.length > 0 ? still((at, top) => notKnownBlock(at, top, unknown)) : null,
    still(glossaryBlock),
    still(readingBlock),
  ]
  return parts.filter((part) => part !== null)
}
