import type { Event } from '@svc/contract'
import { contracts } from '@svc/contracts/all'
import Ajv from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import { asyncApi } from './asyncapi.ts'
import { asyncApiFeeds } from './asyncapi-feeds.ts'
import { feeds } from '@svc/contracts/subscriptions/feed-catalogue'
import { asyncApiFindings } from './openapi-lint.ts'

describe('the AsyncAPI document', () => {
  const document = asyncApi(contracts, '0.1.0')
  const events = contracts.flatMap((contract) => Object.values(contract.events as Record<string, Event>))

  test("passes Spectral's rules for AsyncAPI", async () => {
    expect(await asyncApiFindings(document)).toEqual([])
  })

  test('is refused where it is wrong, so that a pass means something', async () => {
    expect(await asyncApiFindings({ ...document, channels: { 'a.b': { messages: [] } } })).not.toEqual([])
  })

  test('has the payload schema of every event, which a payload without a required member breaks', () => {
    const { channels } = document as { channels: Record<string, { address: string }> }
    expect(Object.values(channels).map(({ address }) => address)).toEqual(events.map(({ subject }) => subject))
    const ajv = new Ajv.default({ strict: false, validateFormats: false })
    ajv.addSchema(document, 'asyncapi')
    for (const { service, key, payload } of events) {
      const validate = ajv.compile({ $ref: `asyncapi#/components/messages/${service}.${key}/payload` })
      const envelope = { id: 'x', seq: 1, at: '2026-11-21T09:30:00.000Z' }
      const required = Object.values(payload.shape).some((member) => !member.safeParse(undefined).success)
      expect(validate({ ...envelope, payload: {} }), `${service}.${key}`).toBe(!required)
    }
  })
})

describe('the AsyncAPI document of the feeds', () => {
  const document = asyncApiFeeds('https://api.platform.test', '0.1.0')

  test("passes Spectral's rules for AsyncAPI", async () => {
    expect(await asyncApiFindings(document)).toEqual([])
  })

  test('accepts the sample of every feed as the data of an item, and no item without its seq', () => {
    const ajv = new Ajv.default({ strict: false, validateFormats: false })
    ajv.addSchema(document, 'feeds')
    for (const [key, { sample }] of Object.entries(feeds)) {
      const validate = ajv.compile({ $ref: `feeds#/components/messages/${key}/payload` })
      const at = '2026-11-21T09:30:00.000Z'
      const item = { specversion: '1.0', id: `${key}-1`, source: `/feeds/data/${key}`, type: 'cherry.feed', time: at }
      const whole = { ...item, datacontenttype: 'application/json', at, seq: 1, data: sample }
      expect(validate(whole), `${key}: ${ajv.errorsText(validate.errors)}`).toBe(true)
      expect(validate({ ...whole, seq: undefined })).toBe(false)
      expect(validate({ ...whole, data: {} })).toBe(false)
    }
  })
})
