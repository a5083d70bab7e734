import { contracts } from '@svc/contracts/all'
import { refusalRegistry, routesOf } from '@svc/edge'
import { expect, test } from 'vitest'
import { fixText, namesOf, refusalsText } from './refusals.ts'
import { toolsOf } from './tools.ts'

const routes = routesOf(contracts)
const names = namesOf(routes)
const known = refusalRegistry(contracts)
const of = (...codes: readonly string[]) => codes.map((code) => known.get(code) ?? expect.fail(code))

test('a refusal says what it means unless its code does, and the tool to call next', () => {
  expect(refusalsText(of('unknown_mandate', 'not_a_target', 'pdf_limit'), names)).toBe(
    'unknown_mandate → mandate_list; not_a_target → targets_add; pdf_limit: report allowance used up',
  )
  expect(refusalsText(of('hub_hl_leg_none', 'would_flip', 'hub_hl_leg_expired'), names)).toBe(
    'hub_hl_leg_none, hub_hl_leg_expired: the leg is not bound; would_flip: the order would turn the position',
  )
})

test('a fix names the tools of its routes, and leaves routes without a tool as they are', () => {
  const [mandate, listing, vault] = of('unknown_mandate', 'unknown_listing', 'hub_not_runner').map((one) =>
    fixText(one, names),
  )
  expect(mandate).toBe('Read the ids of your mandates with GET /hub/mandates (tool mandate_list).')
  expect(listing).toBe('Use a listing_id of GET /hub/gallery (tool hub_gallery).')
  expect(vault).toContain('POST /hub/gallery/{listing_id}/adopt (tool hub_gallery_adopt)')
})

test('the description of each tool names every refusal of its route, and no tool that does not exist', () => {
  const tools = toolsOf(routes)
  const existing = new Set(tools.map(({ name }) => name))
  let nexts = 0
  for (const { name, printed, route } of tools) {
    for (const { code } of route.operation.refusals ?? [])
      expect(printed.description, name).toMatch(new RegExp(`[ ]${code}[,:;. ]`))
    for (const [, next = ''] of printed.description.matchAll(/→ (\w+)/g)) {
      expect(existing, name).toContain(next)
      nexts += 1
    }
  }
  expect(nexts).toBeGreaterThan(25)
})
