import { prepare } from '@svc/chain'
import type { Job } from '@svc/service'
import type { Context } from '#context.ts'
import type { VaultReading } from '#vaults/read-vault.ts'
import { readVaults } from '#vaults/read-vaults.ts'
import { queueTransaction } from '#transactions/store/transactions.ts'
import { vaultPages } from '#vaults/vault-pages.ts'

/** States of a mandate in which its vault may be closed and not yet settled. */
const CLOSING: ReadonlySet<string> = new Set(['stopped', 'ended'])

/** Stopped or ended but not settled on the chain, without a position at a venue or an open leg. */
const isReady = ({ phase, mayHold, legOpen }: VaultReading): boolean =>
  (phase === 2 || phase === 3) && !mayHold && !legOpen

/** Settles closed vaults, each once. The call passes no amount: the vault computes the fee from its books. */
export const settle =
  (context: Context): Job =>
  async (signal) => {
    const { chain, clock, log, settings, signer, transaction } = context
    if (chain === null) return { done: 0 }
    let done = 0
    for await (const page of vaultPages(context)) {
      const closing = page.filter(({ state }) => CLOSING.has(state))
      if (closing.length === 0) continue
      const ready = (await readVaults(context, chain, closing, signal)).filter(isReady)
      for (const { publicId, vault } of ready.slice(0, settings.markMax - done)) {
        const line = { job: 'settle', dry: signer === null, do: 'settle', public_id: publicId, vault }
        if (signer === null) {
          log.info(line, 'dry run: this vault would be settled')
          continue
        }
        const { data } = prepare(chain.id).vault(vault).settle()
        const account = { chainId: chain.id, sender: signer.address }
        const decision = { kind: 'settle', publicId, vault, data } as const
        if ((await transaction((tx) => queueTransaction(tx, account, decision, clock.now()))) !== null) {
          done += 1
          log.info(line, 'settlement decided')
        }
      }
      if (done >= settings.markMax) break
    }
    return { done }
  }
