import { describe, expect, test } from 'vitest'
import { documentOptions } from './document-options.ts'
import { openApi } from '@svc/edge'
import { redoclyFindings, spectralFindings } from './openapi-lint.ts'

describe('the OpenAPI document', () => {
  const document = openApi(documentOptions())

  test('passes Spectral with its OpenAPI and OWASP rules', async () => {
    expect(await spectralFindings(document)).toEqual([])
  })

  test("passes Redocly's recommended rules", async () => {
    expect(await redoclyFindings(document)).toEqual([])
  })

  test('is refused by both where it is wrong, so that a pass means something', async () => {
    const broken = structuredClone(document) as {
      servers: unknown
      paths: Record<string, Record<string, { responses: Record<string, unknown> }>>
    }
    broken.servers = [{ url: 'http://example.com' }]
    const [first = ''] = Object.keys(broken.paths)
    for (const operation of Object.values(broken.paths[first] ?? {})) operation.responses = { 200: {} }
    expect(await spectralFindings(broken)).not.toEqual([])
    expect(await redoclyFindings(broken)).not.toEqual([])
  })
})
