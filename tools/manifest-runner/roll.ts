import { settle, type Account } from './accounts.ts'
import { loadDuring, type LoadResult } from './load.ts'
import type { Objects } from './objects.ts'
import type { LocalPlatform } from './start-locally.ts'

export interface RollResult extends Omit<LoadResult, 'agents'>, Account {
  readonly agents: number
  /** Seconds that the update of each Deployment took. */
  readonly updates: Readonly<Record<string, number>>
  /** Containers that ended by themselves, by pod. */
  readonly restarts: Readonly<Record<string, number>>
}

/** Deployments of the platform itself, without servers. */
export const servicesOf = ({ objects }: LocalPlatform): string[] =>
  Object.entries(objects.deployments)
    .filter(([, { template }]) => template.spec.containers[0]?.image.startsWith('platform/'))
    .map(([name]) => name)

/**
 * Replaces every pod of the given Deployments one after another while requests run, and accounts for what they did. With `next`, by
 * those of another release, whose Jobs run first.
 */
export async function rollUnderLoad(
  platform: LocalPlatform,
  names: readonly string[] = servicesOf(platform),
  next: Objects | null = null,
): Promise<RollResult> {
  const updates: Record<string, number> = {}
  const load = await loadDuring(platform.url, platform.house.admin, servicesOf(platform), async () => {
    if (next !== null) await platform.cluster.runJobs(next.jobs)
    for (const name of names) {
      const began = performance.now()
      await platform.cluster.deployments.get(name)?.rollOut(next?.deployments[name])
      updates[name] = Math.round((performance.now() - began) / 100) / 10
    }
  })
  const { agents, ...figures } = load
  const account = await settle(platform, load, servicesOf(platform))
  return { ...figures, agents: agents.length, updates, ...account, restarts: platform.cluster.restarts() }
}
