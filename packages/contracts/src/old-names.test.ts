import { expect, test } from 'vitest'
import { z } from 'zod'
import { contracts } from './all.ts'

interface Schema {
  readonly deprecated?: boolean
  readonly description?: string
  readonly properties?: Readonly<Record<string, Schema>>
}

/** Returns the names of members, anywhere in a schema, that are old: by their mark, or because their description says so. */
function oldMembers(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const { properties = {} } = schema as Schema
  const own = Object.entries(properties).flatMap(([name, { deprecated, description = '' }]) =>
    deprecated === true || /\b(alias|deprecated|legacy|old name)\b/i.test(description) ? [name] : [],
  )
  return [...own, ...Object.values(schema).flatMap(oldMembers)]
}

const routes = contracts.flatMap(({ operations }) => Object.values(operations).filter(({ http }) => http !== undefined))

test('every route whose answers have old members announces exactly these, each with a current member in its place', () => {
  for (const { key, success, deprecated } of routes) {
    const schemas = Object.values(success).map((schema) =>
      z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' }),
    )
    const old = [...new Set(schemas.flatMap(oldMembers))].toSorted()
    expect(Object.keys(deprecated?.members ?? {}).toSorted(), key).toEqual(old)
    for (const successor of Object.values(deprecated?.members ?? {}))
      expect(JSON.stringify(schemas), key).toContain(`"${successor}":`)
  }
})

test('the aliases of the listing of minable fields are announced', () => {
  expect(routes.find(({ key }) => key === 'listFields')?.deprecated?.members).toEqual({
    total_cherry: 'total_cherry_on_approval',
    cherry: 'cherry_on_approval',
  })
})
