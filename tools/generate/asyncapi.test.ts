import type { Event } from '@svc/contract'
import { contracts } from '@svc/contracts/all'
import Ajv from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import { asyncApi } from './asyncapi.ts'
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
