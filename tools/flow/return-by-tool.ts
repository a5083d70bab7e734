import { toolsOf } from '@svc/mcp'
import type { LocalAccount } from 'viem'
import { expect } from 'vitest'
import { compared, expectSame, viaRoute, viaTool, type Input } from './contract/tool-calls.ts'
import type { World } from './contract/world.ts'

const TRANSFERS = /\.transfer$/
/** A return is of one nonce; the typed data calls it a time. */
const NONCE = new Set(['nonce', 'time'])
/** What the venue and the chain add while the return is on its way. */
const PROGRESS = new Set(['state', 'venue_hash'])

/**
 * Returns the money of a leg with tools alone, and compares each with its route: what is prepared and rehearsed, and the
 * return that both send is one. Returns its amount.
 */
export async function returnByTool(
  world: World,
  { public_id, token, wallet }: { readonly public_id: string; readonly token: string; readonly wallet: LocalAccount },
): Promise<string> {
  const toolOf = (name: string) => toolsOf(world.routes).find((one) => one.name === name) ?? expect.fail(name)
  const [prepare, give] = [toolOf('mandate_return_call'), toolOf('mandate_return')]
  const asked = (more: Input) => ({ credential: { authorization: `Bearer ${token}` }, input: { public_id, ...more } })
  expect(await expectSame(world, prepare, asked({}), TRANSFERS, NONCE)).toBe(200)

  const { content } = await viaTool(world, prepare, asked({}), '')
  const { nonce, amount_usdc } = content
  const signature = await wallet.signTypedData(content['typed_data'] as Parameters<typeof wallet.signTypedData>[0])
  expect(await expectSame(world, give, asked({ nonce, signature, dry_run: true }), TRANSFERS)).toBe(200)
  const sent = await viaTool(world, give, asked({ nonce, signature }), '')
  expect(sent.content).toMatchObject({ ok: true, amount_usdc })
  const again = await viaRoute(world, give, asked({ nonce, signature }), '')
  expect(again.status, again.text).toBe(200)
  expect(compared(again.json, PROGRESS)).toEqual(compared(sent.content, PROGRESS))
  return String(amount_usdc)
}
