import { common } from '@svc/contracts'
import type { z } from 'zod'
import type { DescribedPlace } from './described-place.ts'
import { securityOf } from './openapi-components.ts'
import type { Failures } from './openapi-failures.ts'
import { jsonSchema } from './routes.ts'

type Json = Record<string, unknown>

const queryOf = (query: z.ZodObject): Json[] => {
  const { properties = {} } = jsonSchema(query, 'input') as { readonly properties?: Readonly<Record<string, Json>> }
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    required: false,
    description,
    schema,
  }))
}

function bodyOf(body: z.ZodType): Json {
  const { example, ...schema } = jsonSchema(body, 'input')
  return { required: true, content: { 'application/json': { schema, example } } }
}

/** Returns a place as the OpenAPI document describes it; `headers` prints those of every response and more. */
export function describePlace(
  place: DescribedPlace,
  failures: Failures,
  headers: (...more: readonly string[]) => Json,
): Json {
  const { key, service, summary, description, costs, query, body, answers, refusals } = place
  const own = Object.entries(answers).map(([status, { description: means, headers: more = [], content }]) => {
    const bodies = Object.entries(content).map(([type, schema]) => [type, { schema: jsonSchema(schema, 'output') }])
    return [status, { description: means, headers: headers(...more), content: Object.fromEntries(bodies) as Json }]
  })
  return {
    operationId: key,
    summary,
    description: `${description}\n\nOpen. ${costs === 'free' ? 'Costs no request of the day.' : 'Costs what the route costs that it calls.'}`,
    tags: [service],
    security: securityOf({ auth: 'open' }),
    ...(query === undefined ? {} : { parameters: queryOf(query) }),
    ...(body === undefined ? {} : { requestBody: bodyOf(body) }),
    responses: {
      ...failures.ofRefusals([common.rateLimited, common.internal, ...refusals]),
      ...(Object.fromEntries(own) as Json),
    },
  }
}
