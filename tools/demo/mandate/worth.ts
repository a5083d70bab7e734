import { read } from '@svc/chain'
import { usdcText } from '@svc/limits'
import { WORKERS, type Working } from './scene.ts'

interface Mark {
  readonly at: string
  readonly worth_usdc: string | null
  readonly vault_usdc: string
  readonly positions_usdc: string | null
  readonly source: string
}

async function series({ scene, path }: Working, quiet: boolean): Promise<readonly Mark[]> {
  const show = ['public_id', 'window']
  const { items } = await scene.asOwner(`${path}/worth-series?window=24h`, 200, { quiet, show })
  return items
}

/** Returns the money of the vault plus the venue's quote for its position, read from the contracts. */
async function worthOnChain({ scene, vault }: Working): Promise<bigint> {
  const { chain, deployment } = scene.stage
  const at = read(chain).venue(deployment.contracts.venue.address)
  const [own, n] = await Promise.all([
    read(chain).vault(vault).accounted(),
    at.units({ arg0: vault, arg1: scene.market }),
  ])
  if (n === 0n) return own
  const [value] = await at.quoteSell({ m: scene.market, n })
  return own + value
}

/** Waits for the mark of the present worth and prints the series up to it. */
export async function showWorth(working: Working): Promise<void> {
  const { walk } = working.scene
  walk.chapter('See the worth')
  const worth = usdcText(await worthOnChain(working))
  walk.say(`By the contracts: ${worth} USDC, the money of the vault plus the venue's quote for its position.`)
  await walk.until('the mark of that worth by the keeper', WORKERS, () => endsWith(working, worth))
  for (const { at, worth_usdc, vault_usdc, positions_usdc, source } of await series(working, false))
    walk.say(
      `  ${at.slice(11)}  ${source}  ${(worth_usdc ?? 'withheld').padStart(12)} = ${vault_usdc} in the vault + ${positions_usdc ?? '?'} at the venue`,
    )
}

/** Waits for a mark of zero: the closing worth of the statement. */
export async function awaitLastMark(working: Working): Promise<void> {
  await working.scene.walk.until('the last mark of the closed mandate', WORKERS, () => endsWith(working, '0'))
}

async function endsWith(working: Working, worth: string): Promise<boolean> {
  return (await series(working, true)).at(-1)?.worth_usdc === worth
}
