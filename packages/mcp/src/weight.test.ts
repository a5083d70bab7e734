import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { Operation } from '@svc/contract'
import { contracts } from '@svc/contracts/all'
import { examples } from '@svc/contracts/examples'
import { routesOf } from '@svc/edge'
import { encode } from 'gpt-tokenizer'
import { expect, test } from 'vitest'
import { isListed, printedFor } from './choice.ts'
import { isIn, PROFILES, toolsOf } from './tools.ts'

const tools = toolsOf(routesOf(contracts))
const page = readFileSync(new URL('../../../docs/mcp.md', import.meta.url), 'utf8')
const TOLERANCE = 0.05
/** Most tokens of the list by default. */
const TOKENS_MAX = { core: 5_500, hub: 15_000, full: 15_000 } as const
/** Forms of a list, in the order of the table. */
const FORMS = [
  { outputs: false, strict: false },
  { outputs: true, strict: false },
  { outputs: false, strict: true },
]
/** The list as an agent with a key gets it. */
const OF_AGENT = { caller: 'agent', tools: null, readonly: false } as const

test.each(PROFILES)('the list of profile %s weighs what docs/mcp.md says, within 5 %%', (profile) => {
  const row = new RegExp(`^\\| \`${profile}\` \\|[^|]+\\| (\\d+) \\| (\\d+) \\| (\\d+) \\| (\\d+) \\|$`, 'm').exec(page)
  const [, count, ...tokens] = row ?? []
  const listed = tools.filter((tool) => isIn(profile, tool) && isListed(OF_AGENT, tool))
  expect(listed.length).toBe(Number(count))
  const weights = FORMS.map(
    (form) => encode(JSON.stringify({ tools: listed.map((tool) => printedFor(form, tool)) })).length,
  )
  for (const [at, weight] of weights.entries())
    expect(Math.abs(weight / Number(tokens[at]) - 1), `${profile} weighs ${weights.join(', ')}`).toBeLessThan(TOLERANCE)
  expect(weights[0]).toBeLessThanOrEqual(TOKENS_MAX[profile])
})

const recordedOf = ({ service, key }: Pick<Operation, 'service' | 'key'>) =>
  Object.entries(examples).filter(([name]) => name.startsWith(`${service}.${key} `))

test('nearly every tool has a recorded answer to compare its schema with', () => {
  const without = tools.filter(({ route }) => recordedOf(route.operation).length === 0)
  expect(without.length).toBeLessThanOrEqual(1)
})

test.each(tools.map((tool) => [tool.name, tool] as const))(
  'the output schema of %s accepts the recorded answers of its route, and its input schema is valid',
  (_name, { route: { operation }, printed }) => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false })
    ajv.compile(printed.inputSchema)
    const accepts = ajv.compile(printed.outputSchema)
    const recorded = recordedOf(operation)
    for (const [key, answer] of recorded)
      expect(accepts(answer), `${key}: ${ajv.errorsText(accepts.errors)}`).toBe(true)
  },
)

test('every tool that moves money can be tried without effect, and says what may be lost and whether an owner may have to approve', () => {
  const moving = tools.filter(({ route }) => route.operation.effect === 'money')
  expect(moving.map(({ name }) => name)).toEqual([
    'hub_gallery_hire',
    'hub_gallery_signals',
    'hub_gas_drip',
    'mandate_hl_order',
    'mandate_return',
    'mandate_return_call',
    'opvault_signal_publish',
    'tier_buy',
  ])
  for (const { printed } of moving) {
    expect(printed.inputSchema['properties'], printed.name).toHaveProperty('dry_run')
    expect(printed._meta).toMatchObject({ 'svc/money_moving': true, 'svc/may_lose': expect.any(String) })
  }
  const held = tools.filter(({ printed }) => printed._meta['svc/approval'] === 'owner').map(({ name }) => name)
  expect(held).toEqual(['mandate_execute_call', 'mandate_hl_order'])
  const destroying = tools.filter(({ printed }) => printed.annotations.destructiveHint).map(({ name }) => name)
  expect(destroying).toEqual(['mandate_hl_order', 'mandate_return', 'mandate_return_call', 'opvault_signal_publish'])
})

/** Calls that write and move no money: what they store, start, or end. */
const MOVES_NOTHING = `
  identity: requestNonce openSession refreshSession endSession mintServiceToken createKey revokeKey createPairCode pairAgent revokeOwnerSpending registerAgent setKeyScopes replacePolicy
  mining: submitMetadata setPrices
  subscriptions: subscribeFeed unsubscribeFeed createWebhook verifyWebhook testWebhook rotateWebhookSecret deleteWebhook
  market-data: addTarget removeTarget
  research-reports: makeReport
  mandates: draftFromNote createMandate correctMandate assignAgent claimMandate acceptMandate signTerms attachVault recordVaultTransaction settleMandate stopMandate reportEvent reportRefusal reportTransfer readDepositAddress setAlertTimes setAlertChannel verifyAlertChannel setAlertEmail verifyAlertEmail removeAlertEmail verifyClaim
  hl-leg: bindLeg unbindLeg
  hl-trade: challengeLink linkOwnAccount relayApproval verifyApprovals recordIntent recordBuilderFee createPaperBook recordOrder raiseOrderCap lowerLimits
  gallery: releaseListing adoptListing publishListing withdrawListing addOperator removeOperator`

test('every call that writes either can be tried without effect, or is known to move no money', () => {
  const still = MOVES_NOTHING.trim()
    .split('\n')
    .flatMap((line) => {
      const [service = '', ...keys] = line.trim().split(/:? /)
      return keys.map((key) => `${service}.${key}`)
    })
  const writing = routesOf(contracts)
    .filter(({ method, operation }) => method !== 'GET' && operation.effect === undefined)
    .map(({ operation }) => `${operation.service}.${operation.key}`)
  expect(writing.toSorted()).toEqual(still.toSorted())
  for (const { operation } of routesOf(contracts).filter((route) => route.operation.effect === 'money'))
    expect(operation.input.shape, operation.key).toHaveProperty('dry_run')
})

test('the list is the same, whatever order the contracts have', () => {
  const other = toolsOf(routesOf([...contracts].toReversed()))
  expect(other.map(({ printed }) => printed)).toEqual(tools.map(({ printed }) => printed))
})
