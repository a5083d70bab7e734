import { describe, expect, test } from 'vitest'
import { documentOptions } from './document-options.ts'
import { edgeRefusals, openApi } from '@svc/edge'
import { z } from 'zod'
import { redoclyFindings, spectralFindings } from './openapi-lint.ts'

interface Reference {
  readonly $ref?: string
}
interface Response {
  readonly $ref?: string
  readonly content?: Record<string, { schema?: Reference & { oneOf?: Reference[] } }>
}
interface Described {
  readonly paths: Record<string, Record<string, { responses: Record<string, Response> }>>
  readonly components: {
    readonly responses: Record<string, Response>
    readonly schemas: Record<string, { allOf?: { properties: { code?: { const: string } } }[] }>
  }
}

describe('the OpenAPI document', () => {
  const document = openApi(documentOptions())

  test('passes Spectral with its OpenAPI and OWASP rules', async () => {
    expect(await spectralFindings(document)).toEqual([])
  })

  test("passes Redocly's recommended rules", async () => {
    expect(await redoclyFindings(document)).toEqual([])
  })

  test('names for every route and status exactly the codes that may be answered there', () => {
    const { paths, components } = document as unknown as Described
    const shared = (ref: string) => components.responses[ref.split('/').at(-1) ?? ''] ?? {}
    const schemaOf = ({ $ref = '' }: Reference) => components.schemas[$ref.split('/').at(-1) ?? '']
    for (const route of documentOptions().routes) {
      const { responses } = paths[route.path]?.[route.method.toLowerCase()] ?? { responses: {} }
      const described = Object.entries(responses).flatMap(([status, response]) => {
        const { content } = response.$ref === undefined ? response : shared(response.$ref)
        const { schema } = content?.['application/problem+json'] ?? {}
        const problems = schema === undefined ? [] : (schema.oneOf ?? [schema])
        return problems.map((problem) => `${status} ${schemaOf(problem)?.allOf?.[1]?.properties.code?.const}`)
      })
      const declared = [...edgeRefusals(route), ...(route.operation.refusals ?? [])]
      expect(described.toSorted(), route.operation.key).toEqual(
        [...new Set(declared.map(({ status, code }) => `${status} ${code}`))].toSorted(),
      )
    }
  })

  test('gives a file as bytes and JSON only where JSON is answered', () => {
    const { paths } = document as unknown as Described
    const mediaOf = (path: string, status: string) =>
      Object.keys(paths[path]?.['get']?.responses[status]?.content ?? {})
    expect(mediaOf('/reports/{report_id}', '200')).toEqual(['application/pdf'])
    expect(mediaOf('/reports/{report_id}', '202')).toEqual(['application/json'])
    expect(mediaOf('/hub/mandates/{public_id}/statement', '200')).toEqual(['application/json', 'application/pdf'])
    expect(JSON.stringify(document)).not.toContain('"bucket"')
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
      const schema = body?.content['application/json']?.schema
      return schema === undefined || Reflect.get(schema, 'additionalProperties') === false ? [] : [name]
    })
    expect(bodies).toEqual([])
  })

  test('has a whole example, which its schema accepts, for every body', () => {
    const bodies = documentOptions().routes.flatMap((route) => {
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

  test('has an example, which its schema accepts, for every successful answer in JSON', () => {
    const answers = documentOptions().routes.flatMap(({ path, method, operation }) =>
      Object.entries(operation.success).flatMap(([status, schema]) => {
        const described = Reflect.get(document.paths as object, path)[method.toLowerCase()].responses[status]
        const media = described.content?.['application/json'] as { example?: object; schema: object } | undefined
        const name = `${operation.service}.${operation.key} ${status}`
        return media === undefined
          ? []
          : [{ name, schema, example: media.example ?? Reflect.get(media.schema, 'example') }]
      }),
    )
    expect(
      answers.filter(({ example }) => example === undefined).map(({ name }) => name),
      'record examples of these with npm run examples -- <a test that gets the answer>',
    ).toEqual([])
    expect(answers.filter(({ schema, example }) => !schema.safeParse(example).success).map(({ name }) => name)).toEqual(
      [],
    )
  })

  test('is small enough to be read by programs that are charged for what they read', () => {
    expect(JSON.stringify(document).length / documentOptions().routes.length).toBeLessThan(6_000)
  })

  test('is refused by both where it is wrong, so that a pass means something', async () => {
    // One route is enough to be wrong: Spectral takes twelve seconds of a core for all of them.
    const [first = ''] = Object.keys(document.paths as object)
    const { components, paths, ...rest } = structuredClone(document) as {
      components: { securitySchemes: object }
      paths: Record<string, Record<string, { responses: Record<string, unknown> }>>
    }
    for (const operation of Object.values(paths[first] ?? {})) operation.responses = { 200: {} }
    const broken = {
      ...rest,
      servers: [{ url: 'http://example.com' }],
      components: { securitySchemes: components.securitySchemes },
      paths: { [first]: paths[first] },
    }
    expect(await spectralFindings(broken)).not.toEqual([])
    expect(await redoclyFindings(broken)).not.toEqual([])
  })
})
