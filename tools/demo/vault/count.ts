import { usdcText } from '@svc/limits'
import type { Acts } from './acts.ts'
import { walletUsdc, type Cast } from './cast.ts'
import type { Stage } from './stage.ts'

/** Every USDC that came in went out again, to its owner or as the fee that the profit owes. */
export async function count(stage: Stage, cast: Cast, before: bigint, lives: readonly Acts[]): Promise<void> {
  const { walk } = stage
  walk.chapter('The count')
  let [profits, fees] = [0n, 0n]
  for (const { mandate } of lives) {
    const { vault, balance, units } = mandate.books()
    const { terms } = mandate.account.vault
    const profit = vault.withdrawn + vault.feeTotal - vault.principal
    walk.expect(
      'what is left in the vault',
      { balance, units, owed: vault.feeOwed },
      { balance: 0n, units: 0n, owed: 0n },
    )
    walk.expect('the fee', vault.feeTotal, profit > 0n ? (profit * terms.feeBps) / 10_000n : 0n)
    walk.say(
      `Vault ${mandate.account.vault.address}: ${usdcText(vault.principal)} in, ${usdcText(vault.withdrawn)} out, ` +
        `${signed(profit)} by trading, ${usdcText(vault.feeTotal)} fee.`,
    )
    profits += profit
    fees += vault.feeTotal
  }
  const [after, fee] = [await walletUsdc(stage, cast.owner), await walletUsdc(stage, cast.recipient)]
  walk.expect('what the fee recipient has', fee, fees)
  walk.expect('what the owner has', after, before + profits - fees)
  walk.say(`Owner: ${usdcText(before)} before, ${usdcText(after)} after. Fee recipient: ${usdcText(fee)}.`)
}

const signed = (amount: bigint) => (amount < 0n ? `-${usdcText(-amount)}` : usdcText(amount))
