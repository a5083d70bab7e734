import { expect, test } from 'vitest'
import { z } from 'zod'
import { contracts } from '../all.ts'
import { feeds } from '../subscriptions/feed-catalogue.ts'

/**
 * Places that name a pair without its open alerts, each with the reason. Whatever says anything about the market of a
 * pair has no place here: it carries `alerts` beside the name.
 */
const WITHOUT_ALERTS: Readonly<Record<string, string>> = {
  'mining.listFields': 'metadata of the token, nothing about its market',
  'mining.submitMetadata': 'metadata of the token, nothing about its market',
  'mining.listSubmissions.items': 'metadata of the token, nothing about its market',
  'mining.miningBalance.recent_rewards': 'metadata of the token, nothing about its market',
  'mining.reviewQueue.items': 'metadata of the token, nothing about its market',
  'mining.reviewSubmission.submission': 'metadata of the token, nothing about its market',
  'market-data.findPairs.pairs': 'only tells another service which pairs exist',
  'market-data.addTarget': 'confirms the order; the target itself is read with its alerts',
  'market-data.removeTarget': 'confirms the order',
  'market-data.listCrisisAlerts.items': 'is the alert',
  'market-data.readTargetHistory.pair': 'the alerts are in board.row of the same answer',
  'research-reports.makeReport': 'names a file, whose first lines are the alerts',
  'research-reports.listReports.items': 'names files, whose first lines are the alerts',
  'research-reports.readReport': 'names a file, whose first lines are the alerts',
  'research-reports.downloadReport': 'names a file, whose first lines are the alerts',
  'subscriptions.createWebhook.pairs': 'the filter that the account chose',
  'subscriptions.listWebhooks.items.pairs': 'the filter that the account chose',
  'subscriptions.verifyWebhook.pairs': 'the filter that the account chose',
  'subscriptions.rotateWebhookSecret.pairs': 'the filter that the account chose',
  'feed crisis_alerts': 'is the alert',
}

interface Schema {
  readonly properties?: Readonly<Record<string, unknown>>
  readonly required?: readonly string[]
}
const NESTED = ['items', 'prefixItems', 'anyOf', 'oneOf', 'allOf', 'additionalProperties'] as const

/** Returns the places in a schema that name a pair, and whether the open alerts of the pair are always beside the name. */
function namedPairs(schema: unknown, place: string): { place: string; safe: boolean }[] {
  if (typeof schema !== 'object' || schema === null) return []
  if (Array.isArray(schema)) return schema.flatMap((one) => namedPairs(one, place))
  const { properties = {}, required = [] } = schema as Schema
  const names = 'token_id' in properties || ('symbol' in properties && 'exchange' in properties)
  return [
    ...(names ? [{ place, safe: required.includes('alerts') }] : []),
    ...Object.entries(properties).flatMap(([name, member]) => namedPairs(member, `${place}.${name}`)),
    ...NESTED.flatMap((name) => namedPairs(Reflect.get(schema, name), place)),
  ]
}

const answers = contracts.flatMap(({ name, operations }) =>
  Object.values(operations).flatMap(({ key, success }) =>
    Object.values(success).map((schema): [string, z.ZodType] => [`${name}.${key}`, schema]),
  ),
)
const items = Object.entries(feeds).map(([key, { data }]): [string, z.ZodType] => [`feed ${key}`, data])
const found = [...answers, ...items].flatMap(([place, schema]) =>
  namedPairs(z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any', reused: 'inline' }), place),
)

test('every answer and every feed that names a pair carries the open alerts of the pair beside the name', () => {
  const bare = [...new Set(found.filter(({ safe }) => !safe).map(({ place }) => place))].toSorted()
  expect(bare).toEqual(Object.keys(WITHOUT_ALERTS).toSorted())
})

test('the search for names of pairs finds those of the board, of research, of targets, of arbitrage and of the feeds', () => {
  const safe = found.filter((one) => one.safe).map(({ place }) => place)
  expect(safe).toEqual(
    expect.arrayContaining([
      'market-data.readBoard.tokens',
      'market-data.searchTokens.items',
      'market-data.explainToken.row',
      'market-data.listRiskBottom.tokens',
      'market-data.listRiskBottom.in_crisis',
      'market-data.listTargets.targets',
      'market-data.listArbitrage.items.legs',
      'market-data.listArbitrage.conflicts.members',
      'market-data.listArbitrageReel.items.buy',
      'market-data.listArbitrageMulti.items.venues',
      'market-data.readTargetHistory.board.row',
      'research-reports.readPairResearch.meta',
      'feed arbitrage_2cex.items.buy',
      'feed priority_pool.items',
    ]),
  )
})
