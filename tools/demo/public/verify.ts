import { rpc } from '@svc/servers'
import { Surprise } from '../request.ts'
import { keep, runTool } from '../run-tool.ts'
import type { HallRow } from './hall.ts'
import type { PublicStage } from './house.ts'

const VERIFIER = 'tools/verify-hall/main.ts'

interface Proof {
  readonly vault: string
  readonly points: readonly { readonly blocks: readonly number[] }[]
}

interface Page {
  readonly name: string
  readonly ranked: boolean
  readonly trades: number
  readonly worth_change_bps: number | null
  readonly mandates: readonly { readonly proof: Proof | null }[]
}

/** Verifies a page of the Hall whose mandates are all open, from the chain alone; a page with one changed figure is caught. */
export async function verifyRow({ walk, stage, deploymentFile, folder }: PublicStage, rows: readonly HallRow[]) {
  walk.chapter('Verify a row from the chain alone')
  const { name, text } = await openPage(walk, rows)
  if (!(await keepsOldState(stage.url, JSON.parse(text) as Page))) {
    walk.say(
      'The local chain was restarted since the history and has the state of new blocks only; a chain of which some node',
    )
    walk.say(
      'keeps all state can be verified at any time. A history in a new folder can be verified until its first restart.',
    )
    return
  }
  walk.say(`The owners of ${name} chose public_proof: the page names each vault, and the blocks that were read.`)
  const more = ['--rpc', stage.url, '--deployment', deploymentFile]
  walk.expect('the exit code', await runTool(walk, VERIFIER, [keep(folder, 'hall.json', text), ...more]), 0)
  const page = JSON.parse(text) as Page
  const forged = { ...page, worth_change_bps: (page.worth_change_bps ?? 0) + 100 }
  walk.say('The same page with one per cent more:')
  const file = keep(folder, 'forged-hall.json', JSON.stringify(forged))
  walk.expect('the exit code', await runTool(walk, VERIFIER, [file, ...more]), 1)
}

/** Returns true if the node still has the state of the first block that the page names; anvil forgets it with a restart. */
async function keepsOldState(rpcUrl: string, { mandates }: Page): Promise<boolean> {
  for (const { proof } of mandates) {
    const block = proof?.points[0]?.blocks[0]
    if (proof === null || block === undefined) continue
    const code = await rpc(rpcUrl, 'eth_getCode', [proof.vault, `0x${block.toString(16)}`]).catch(() => '0x')
    return code !== '0x'
  }
  return true
}

/** Returns the page of the first ranked agent whose mandates are all open. */
async function openPage(walk: PublicStage['walk'], rows: readonly HallRow[]): Promise<{ name: string; text: string }> {
  for (const { agent_id, ranked } of rows) {
    if (!ranked) continue
    const { body } = await walk.ask(`/hub/hall/${agent_id}`, 200, { quiet: true })
    const { name, mandates } = body as Page
    if (mandates.length > 0 && mandates.every(({ proof }) => proof !== null))
      return { name, text: JSON.stringify(body) }
  }
  throw new Surprise('no ranked agent has only mandates with public_proof')
}
