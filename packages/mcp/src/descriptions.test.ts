import { contracts } from '@svc/contracts/all'
import { jsonSchema, routesOf } from '@svc/edge'
import { expect, test } from 'vitest'
import { toolsOf } from './tools.ts'

interface Schema {
  readonly description?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
}

const choicesOf = ({ anyOf = [], oneOf = [] }: Schema) => [...anyOf, ...oneOf]

/** Returns the members of a schema, at any depth, that say nothing of themselves. */
function silentOf(schema: Schema, path = ''): readonly string[] {
  const parts = [...choicesOf(schema), ...(schema.items === undefined ? [] : [schema.items])]
  const members = Object.entries(schema.properties ?? {}).flatMap(([name, member]) => {
    const says = [member, ...choicesOf(member)].some(({ description }) => description !== undefined)
    return [...(says ? [] : [`${path}/${name}`]), ...silentOf(member, `${path}/${name}`)]
  })
  return [...members, ...parts.flatMap((part) => silentOf(part, path))]
}

test('every member of the input of every tool has a description', () => {
  const silent = toolsOf(routesOf(contracts)).flatMap(({ name, route }) =>
    silentOf(jsonSchema(route.operation.input, 'input') as Schema, name),
  )
  expect(silent).toEqual([])
  expect(silentOf({ properties: { entries: { description: 'some', items: { properties: { a: {} } } } } })).toEqual([
    '/entries/a',
  ])
})
