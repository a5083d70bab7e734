import { z } from 'zod'

/**
 * The members of an object in their order. A member that is an object or a list of objects comes with its own members.
 * Twenty thousand objects of one kind are written as lists of values after their members: in a board the names of members
 * are two thirds of the text.
 */
export type Members = readonly Member[]
type Member = string | readonly [name: string, kind: 'object' | 'list', members: Members]
type Values = readonly unknown[]
type Named = Readonly<Record<string, unknown>>

/** Returns the members of a schema of objects. */
export const membersOf = (schema: z.ZodObject): Members =>
  Object.entries(schema.shape).map(([name, member]) => memberOf(name, member))

function memberOf(name: string, schema: unknown): Member {
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodDefault) return memberOf(name, schema.unwrap())
  if (schema instanceof z.ZodObject) return [name, 'object', membersOf(schema)]
  if (schema instanceof z.ZodArray && schema.element instanceof z.ZodObject)
    return [name, 'list', membersOf(schema.element)]
  return name
}

/** Returns the values of an object in the order of its members. */
export function valuesOf(object: object, members: Members): Values {
  // A list of its final length: one that grows takes twice as much.
  return members.map((member) =>
    typeof member === 'string'
      ? (object as Named)[member]
      : nestedValues((object as Named)[member[0]] as object | null, member),
  )
}

function nestedValues(value: object | null, [, kind, members]: Exclude<Member, string>): Values | null {
  if (value === null) return null
  return kind === 'object' ? valuesOf(value, members) : (value as object[]).map((one) => valuesOf(one, members))
}

/** Returns the object whose values `valuesOf` returned. */
export function objectOf(values: Values, members: Members): Named {
  const object: Record<string, unknown> = {}
  for (let place = 0; place < members.length; place += 1) {
    const [member, value] = [members[place] ?? '', values[place]]
    if (typeof member === 'string') object[member] = value
    else object[member[0]] = nestedOf(value as Values | null, member)
  }
  return object
}

function nestedOf(value: Values | null, [, kind, members]: Exclude<Member, string>): unknown {
  if (value === null) return null
  return kind === 'object' ? objectOf(value, members) : value.map((one) => objectOf(one as Values, members))
}
