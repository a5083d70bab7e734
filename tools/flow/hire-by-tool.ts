import { contracts } from '@svc/contracts/all'
import { routesOf } from '@svc/edge'
import { toolsOf, type Tool } from '@svc/mcp'
import { expect } from 'vitest'
import type { PlayedDay } from '../demo/public/public-day.ts'
import {
  allowanceOf,
  compared,
  expectCounted,
  expectSame,
  viaRoute,
  viaTool,
  withRows,
  type At,
  type Input,
} from './contract/tool-calls.ts'
import { signIn } from './people.ts'

const FOLLOWS = /\.follow$/
const FOLLOW = new Set(['follow_id'])

/**
 * Adopts a template, and hires and releases a listing, by tool and by route. A release gives the mandate the past that it had
 * before, so that a hire by the tool finds what the hire by the route found: answer, quota and record are the same.
 */
export async function hireByTool(at: At & { readonly url: string }, day: PlayedDay, templateId: string): Promise<void> {
  const tools = toolsOf(routesOf(contracts))
  const toolOf = (name: string) => tools.find((one) => one.name === name) ?? expect.fail(name)
  const { token } = await signIn(at.url, day.follower.owner.wallet)
  const asked = (input: Input) => ({ credential: { authorization: `Bearer ${token}` }, input })
  const adoption = asked({ listing_id: templateId, params: { per_tx_cap_usdc: '25' }, agent: 'house' })
  expect(await expectSame(at, toolOf('hub_gallery_adopt'), adoption)).toBe(200)

  const parties = { listing_id: day.listingId, mandate_id: day.follower.publicId }
  const hire = toolOf('hub_gallery_hire')
  expect(await expectSame(at, hire, asked({ ...parties, dry_run: true }), FOLLOWS)).toBe(200)
  const byRoute = async (tool: Tool) => {
    const call = () => viaRoute(at, tool, asked(parties), crypto.randomUUID())
    const { answer, added } = await withRows(at, tool, call, FOLLOWS)
    return { answer, added, said: compared(answer.json, FOLLOW) }
  }
  const byTool = async (tool: Tool) => {
    const call = () => viaTool(at, tool, asked(parties), crypto.randomUUID())
    const { answer, added } = await withRows(at, tool, call, FOLLOWS)
    return { answer: answer.answer, added, said: compared(answer.content, FOLLOW) }
  }
  const release = toolOf('hub_gallery_release')
  const [hired, released] = [await byRoute(hire), await byRoute(release)]
  const [hiredToo, releasedToo] = [await byTool(hire), await byTool(release)]
  expect(hired.said).toMatchObject({ ok: true, status: 'following', follow: { end_reason: null } })
  expect(released.said).toMatchObject({ ok: true, follow: { end_reason: 'released' } })
  expect(hired.added).toEqual([['gallery.follow', 1]])
  expect([hiredToo.said, releasedToo.said]).toEqual([hired.said, released.said])
  expect([hiredToo.added, releasedToo.added]).toEqual([hired.added, released.added])
  // A release has the allowance of exits, so that it counts beside the hires.
  expectCounted(hired.answer, hiredToo.answer, 1)
  expectCounted(released.answer, releasedToo.answer, 1)
  expect(allowanceOf(hired.answer)?.name).toBe('hub_write')
  expect(allowanceOf(released.answer)?.name).toBe('hub_exit')
}
