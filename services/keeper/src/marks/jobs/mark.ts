import { setTimeout as pause } from 'node:timers/promises'
import { prepare, type Chain } from '@svc/chain'
import { Outage, type Job } from '@svc/service'
import type { Context } from '#context.ts'
import { recordMarks } from '../mark-metrics.ts'
import { crosses, planMarks } from '../rules/plan-marks.ts'
import { worthRowOf, type WorthRow } from '../rules/worth-row.ts'
import type { VaultReading } from '#vaults/read-vault.ts'
import { readVaults } from '#vaults/read-vaults.ts'
import { queueTransaction } from '#transactions/store/transactions.ts'
import { vaultPages } from '#vaults/vault-pages.ts'

/** Maximum number of rows in one call of storeWorth. */
const ROWS_MAX = 500

/**
 * Values every vault, decides which marks to send, and stores worth rows. A mark that would stop a vault is sent only if a
 * second reading agrees; otherwise its worth is withheld.
 */
export const mark =
  (context: Context): Job =>
  async (signal) => {
    const { chain, clock, settings, signer, ask } = context
    if (chain === null) return { done: 0 }
    const readings: VaultReading[] = []
    for await (const page of vaultPages(context)) readings.push(...(await readVaults(context, chain, page, signal)))
    const now = BigInt(Math.floor(clock.now().getTime() / 1000))
    const rules = { minDeltaBps: settings.markMinDeltaBps, maxAgeSec: settings.markMaxAgeSec, now }
    const due = planMarks(readings, rules).slice(0, settings.markMax)
    const safe = due.filter((reading) => !crosses(reading))
    const queued = await decide(context, chain, safe)
    const again = await readAgain(context, chain, due.filter(mayStop), signal)
    const stopping = await decide(context, chain, [...again.values()].filter(mayStop))
    const valued = readings.map((first) => withSecond(first, again.get(first.publicId)))
    recordMarks(valued, now)
    const rows = await storeRows(context, valued)
    await ask.mandates.noteWorker({ worker: 'mark', live: signer !== null, every_sec: settings.markSec })
    return { done: queued + stopping + rows, marks: queued + stopping, rows, vaults: readings.length }
  }

/** A reading taken while money of the leg moved from one side to the other stops no vault. */
const mayStop = (reading: VaultReading): boolean => crosses(reading) && !reading.legMoved

/** Reads the vaults at or below their line again after the pause. A vault that cannot be read is missing from the result. */
async function readAgain(
  context: Context,
  chain: Chain,
  crossing: readonly VaultReading[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, VaultReading>> {
  if (crossing.length === 0) return new Map()
  await pause(context.settings.crossingConfirmSec * 1000, undefined, { signal }).catch(() => {
    throw new Outage('keeper', 'the run ended before the second reading; the next run starts over')
  })
  const readings = await readVaults(context, chain, crossing, signal)
  return new Map(readings.map((reading) => [reading.publicId, reading]))
}

function withSecond(first: VaultReading, second: VaultReading | undefined): VaultReading {
  if (second === undefined || !crosses(first) || second.worth === null) return second ?? first
  return mayStop(second) ? second : { ...second, worth: null, withheld: 'readings_disagree' }
}

/** Stores the marks to send, or logs them in a dry run. Returns the number stored. */
async function decide(context: Context, chain: Chain, due: readonly VaultReading[]): Promise<number> {
  const { transaction, clock, log, signer } = context
  let queued = 0
  for (const reading of due) {
    const { publicId, vault, worth, asOf, stopLine } = reading
    if (worth === null) continue
    const line = {
      job: 'mark',
      dry: signer === null,
      do: 'mark',
      public_id: publicId,
      vault,
      worth: String(worth),
      stop_line: String(stopLine),
      crosses: crosses(reading),
    }
    if (signer === null) {
      log.info(line, 'dry run: this mark would be sent')
      continue
    }
    const { data } = prepare(chain.id).vault(vault).markWorth({ worth, asOf })
    const account = { chainId: chain.id, sender: signer.address }
    const decision = { kind: 'mark', publicId, vault, data } as const
    if ((await transaction((tx) => queueTransaction(tx, account, decision, clock.now()))) !== null) {
      queued += 1
      log.info(line, 'mark decided')
    }
  }
  return queued
}

async function storeRows({ ask, clock, settings }: Context, readings: readonly VaultReading[]): Promise<number> {
  const at = clock.now()
  const rows = readings.flatMap((reading): { public_id: string; row: WorthRow }[] => {
    const row = worthRowOf(reading, reading.newest, at, settings.worthHeartbeatSec)
    return row === null ? [] : [{ public_id: reading.publicId, row }]
  })
  let stored = 0
  for (let from = 0; from < rows.length; from += ROWS_MAX)
    stored += (await ask.mandates.storeWorth({ rows: rows.slice(from, from + ROWS_MAX) })).stored
  return stored
}
