import { describe, expect, test } from 'vitest'
import { documentOptions } from './document-options.ts'
import { edgeRefusals, openApi, openApiExamples, readersOf } from '@svc/edge'
import { storedFile } from '@svc/contract'
import { z } from 'zod'
import { documentText } from './document-text.ts'
import { redoclyFindings, spectralFindings } from './openapi-lint.ts'

const LONG = process.env['TEST_LONG'] === '1'

interface Response {
  readonly $ref?: string
  readonly description?: string
  readonly content?: Record<string, { schema?: object }>
}
interface Described {
  readonly paths: Record<string, Record<string, { responses: Record<string, Response> }>>
  readonly components: {
    readonly responses: Record<string, Response>
    readonly schemas: Record<string, object>
  }
}

describe.each(['public', 'staff'] as const)('the %s OpenAPI document', (readers) => {
  const document = openApi(documentOptions(), readers)
  const routes = documentOptions().routes.filter((route) => readersOf(route) === readers)

  test('passes Spectral with its OpenAPI and OWASP rules', async () => {
    expect(await spectralFindings(document, LONG)).toEqual([])
  })

  test("passes Redocly's recommended rules, those on examples among them", async () => {
    expect(await redoclyFindings(document)).toEqual([])
  })

  test('names for every route and status exactly the codes that may be answered there', () => {
    const { paths, components } = document as unknown as Described
    for (const route of routes) {
      const { responses } = paths[route.path]?.[route.method.toLowerCase()] ?? { responses: {} }
      const described = Object.entries(responses).flatMap(([status, { $ref, description }]) => {
        if (Number(status) < 400) return []
        expect($ref).toBe(`#/components/responses/${status}`)
        const codes = description ?? components.responses[status]?.description ?? ''
        return codes.split(', ').map((code) => `${status} ${code}`)
      })
      const declared = [...edgeRefusals(route), ...(route.operation.refusals ?? [])]
      expect(described.toSorted(), route.operation.key).toEqual(
        [...new Set(declared.map(({ status, code }) => `${status} ${code}`))].toSorted(),
      )
    }
  })

  test('has the members of every code that has members of its own', () => {
    const { components } = document as unknown as Described
    const refusals = routes.flatMap(({ operation }) => operation.refusals ?? [])
    for (const { code, details } of refusals.filter((one) => one.details !== undefined)) {
      const own = Object.values(components.schemas).map((schema) => JSON.stringify(schema))
      const schema = own.find((text) => text.includes(`"code":{"enum":["${code}"]}`) && text.startsWith('{"allOf":'))
      for (const member of Object.keys((details as z.ZodObject).shape)) expect(schema, code).toContain(`"${member}":`)
    }
  })

  test('leaves answers open to further members, and accepts no unknown member of a body', () => {
    const { paths, components } = document as unknown as Described
    const closed = (value: unknown, seen: ReadonlySet<string> = new Set()): boolean => {
      if (typeof value !== 'object' || value === null) return false
      const { $ref, ...members } = value as Record<string, unknown>
      if (members['additionalProperties'] === false) return true
      if (typeof $ref === 'string') {
        const [kind, name] = $ref.split('/').slice(-2)
        const target = Reflect.get(Reflect.get(components, kind ?? ''), name ?? '') as unknown
        if (!seen.has($ref) && closed(target, new Set([...seen, $ref]))) return true
      }
      return Object.values(members).some((member) => closed(member, seen))
    }
    const operations = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ name: `${method} ${path}`, operation })),
    )
    const successes = ({ responses }: (typeof operations)[0]['operation']) =>
      Object.entries(responses).filter(([status]) => status.startsWith('2'))
    expect(operations.filter(({ operation }) => closed(successes(operation))).map(({ name }) => name)).toEqual([])
    const bodies = operations.flatMap(({ name, operation }) => {
      const body = Reflect.get(operation, 'requestBody') as { content: Record<string, { schema: object }> } | undefined
      const given = body?.content['application/json']?.schema
      const reference = Reflect.get(given ?? {}, '$ref') as string | undefined
      const shared = reference?.split('/').at(-1) ?? ''
      const schema = shared === '' ? given : (Reflect.get(components, 'schemas') as Record<string, object>)[shared]
      return schema === undefined || Reflect.get(schema, 'additionalProperties') === false ? [] : [name]
    })
    // Messages of JSON-RPC have whatever a client adds.
    expect(bodies.filter((name) => name !== 'post /mcp')).toEqual([])
  })

  test('has a whole example, which its schema accepts, for every body', () => {
    const bodies = routes.flatMap((route) => {
      const operation = Reflect.get(document.paths as object, route.path)[route.method.toLowerCase()]
      const media = operation.requestBody?.content['application/json'] as { example?: object } | undefined
      return media === undefined ? [] : [{ route, example: media.example }]
    })
    for (const { route, example } of bodies) {
      expect(example, `${route.operation.key}: give the members of the body an example in its contract`).toBeDefined()
      const ofBody = Object.entries(route.operation.input.shape).filter(([name]) => route.places[name] === 'body')
      const input = z.strictObject(Object.fromEntries(ofBody) as z.ZodRawShape)
      expect(input.safeParse(example).error, route.operation.key).toBeUndefined()
    }
  })
})

describe('the OpenAPI document', () => {
  const document = openApi(documentOptions())

  test('gives a file as bytes and JSON only where JSON is answered', () => {
    const { paths } = document as unknown as Described
    const mediaOf = (path: string, status: string) =>
      Object.keys(paths[path]?.['get']?.responses[status]?.content ?? {})
    expect(mediaOf('/reports/{report_id}', '200')).toEqual(['application/pdf'])
    expect(mediaOf('/reports/{report_id}', '202')).toEqual(['application/json'])
    expect(mediaOf('/hub/mandates/{public_id}/statement', '200')).toEqual(['application/json', 'application/pdf'])
    expect(JSON.stringify(document)).not.toContain('"bucket"')
  })

  test('comes with an example, which its schema accepts, of every successful answer in JSON', () => {
    const examples = openApiExamples(documentOptions())
    const answers = documentOptions().routes.flatMap(({ operation }) =>
      Object.entries(operation.success).map(([status, schema]) => ({
        name: `${operation.service}.${operation.key} ${status}`,
        schema,
        example: (examples[operation.key] as Record<string, unknown> | undefined)?.[status],
        isJson: operation.stream === undefined && !onlyNamesFile(schema),
      })),
    )
    const inJson = answers.filter(({ isJson }) => isJson)
    expect(
      inJson.filter(({ example }) => example === undefined).map(({ name }) => name),
      'record examples of these with npm run examples -- <a test that gets the answer>',
    ).toEqual([])
    expect(inJson.filter(({ schema, example }) => !schema.safeParse(example).success).map(({ name }) => name)).toEqual(
      [],
    )
  })

  test('is small enough to be read by programs that are charged for what they read', () => {
    expect(Buffer.byteLength(documentText(document))).toBeLessThan(625_000)
    expect(JSON.parse(documentText(document))).toEqual(document)
  })

  test('is refused by both where it is wrong, so that a pass means something', async () => {
    // One route is enough to be wrong: Spectral takes twelve seconds of a core for all of them.
    const [path = ''] = Object.keys(document['paths'] as object)
    const operation = { operationId: 'broken', responses: { 200: {} } }
    const broken = { ...document, servers: [{ url: 'http://example.com' }], paths: { [path]: { get: operation } } }
    Reflect.deleteProperty(broken, 'components')
    expect(await spectralFindings(broken)).not.toEqual([])
    expect(await redoclyFindings(broken)).not.toEqual([])
  })

  test('is refused by Redocly where an example of a schema or of a body breaks its schema', async () => {
    const schema = { type: 'object', properties: { count: { type: 'integer', example: 'one' } } }
    const requestBody = { content: { 'application/json': { schema, example: { count: 'two' } } } }
    const broken = { ...document, paths: { '/things': { post: { requestBody, responses: { 204: {} } } } } }
    Reflect.deleteProperty(broken, 'components')
    const findings = (await redoclyFindings(broken)).join('\n')
    expect(findings).toContain('no-invalid-schema-examples')
    expect(findings).toContain('no-invalid-media-type-examples')
  })
})

const onlyNamesFile = (schema: z.ZodType) => schema instanceof z.ZodObject && schema.shape['file'] === storedFile
