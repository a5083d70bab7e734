import { join } from 'node:path'
import type { Address } from 'viem'
import type { DevWallets } from '#dev/dev-wallets.ts'
import type { Stage } from '../chain-stage.ts'
import type { RegisteredAgent } from '../first-day.ts'
import { awayFromMidnight } from '../people.ts'
import { closeAll, pauseAndResume } from './closing.ts'
import { recordStrip, verifyRecord, weeklyStatement } from './proof.ts'
import { openScene } from './scene.ts'
import { agreeOnTerms } from './terms.ts'
import { acceptAndTrade, heldForTheOwner, refusedAboveTheCap } from './trading.ts'
import { createAndFund } from './vault.ts'
import { showWorth } from './worth.ts'

/** A mandate that was played to its end. */
export interface PlayedMandate {
  readonly publicId: string
  readonly vault: Address
  readonly withdrawn: bigint
  /** Folder of the downloaded statement and record. */
  readonly folder: string
}

/**
 * Plays a mandate through the API and on the local chain, from a purpose note to the verified record. Each run has a
 * new owner and a new market. Downloads are kept in a folder of the mandate below `folder`.
 */
export async function mandateDay(
  stage: Stage,
  wallets: DevWallets,
  agent: RegisteredAgent,
  folder: string,
): Promise<PlayedMandate> {
  await awayFromMidnight(stage.walk)
  const scene = await openScene(stage, wallets, agent)
  const publicId = await agreeOnTerms(scene)
  const path = `/hub/mandates/${publicId}`
  const working = { scene, path, vault: await createAndFund(scene, path) }
  await acceptAndTrade(working)
  await refusedAboveTheCap(working)
  await heldForTheOwner(working)
  await showWorth(working)
  await pauseAndResume(working)
  const outcome = await closeAll(working)
  const kept = join(folder, publicId)
  await weeklyStatement(working, outcome, kept)
  await verifyRecord(working, kept)
  await recordStrip(working)
  return { publicId, vault: working.vault, withdrawn: outcome.withdrawn, folder: kept }
}
