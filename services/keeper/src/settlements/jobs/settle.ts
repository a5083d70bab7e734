import { prepare } from '@svc/chain'
import type { Job } from '@svc/service'
import type { Context } from '#context.ts'
import type { VaultReading } from '#vaults/read-vault.ts'
import { readVaults } from '#vaults/read-vaults.ts'
import { queue } from '#transactions/store/transactions.ts'
import { vaultPages } from '#vaults/vault-pages.ts'

/** States in which a vault may be closed and not yet settled. */
const CLOSING: ReadonlySet<string> = new Set(['stopped', 'ended'])

/** Stopped or ended, not settled, and with nothing at a venue or at the leg, as the chain says. */
const isReady = ({ phase, mayHold, legOut }: VaultReading): boolean =>
  (phase === 2 || phase === 3) && !mayHold && legOut === 0n

/** Settles closed vaults, each once. No amount is passed: the vault takes the fee by its own books. */
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
        if (signer === null) {
          log.info({ public_id: publicId, vault }, 'dry run: this vault would be settled')
          continue
        }
        const { data } = prepare(chain.id).vault(vault).settle()
        const account = { chainId: chain.id, sender: signer.address }
        const decision = { kind: 'settle', publicId, vault, data } as const
        if (await transaction((tx) => queue(tx, account, decision, clock.now()))) {
          done += 1
          log.info({ public_id: publicId, vault }, 'settlement decided')
        }
      }
      if (done >= settings.markMax) break
    }
    return { done }
  }
