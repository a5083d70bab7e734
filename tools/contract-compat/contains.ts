/** A JSON schema as `z.toJSONSchema` writes it, of which some keywords are compared. */
export interface Schema {
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | Schema
  readonly propertyNames?: Schema
  readonly items?: Schema
  readonly prefixItems?: readonly Schema[]
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly pattern?: string
  readonly format?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
  readonly exclusiveMaximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly $ref?: string
}

export interface Problem {
  /** Where, such as `body.items[].price`. */
  readonly path: string
  readonly problem: string
}

/** Pairs of a lower or upper bound; a missing one bounds nothing. */
const LOWER = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems'] as const
const UPPER = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems'] as const

/** Returns the alternatives of a schema, also those of a list of types; undefined if it has one form. */
function branchesOf(schema: Schema): readonly Schema[] | undefined {
  const { type } = schema
  if (typeof type === 'object') return type.map((one) => (one === 'null' ? { type: one } : { ...schema, type: one }))
  return schema.anyOf ?? schema.oneOf
}
const valuesOf = (schema: Schema): readonly unknown[] | undefined =>
  schema.enum ?? (Object.hasOwn(schema, 'const') ? [schema.const] : undefined)

/**
 * Returns why a reader may fail on what a writer may send: everything of `writer` must be valid for `reader`. Members that the
 * reader does not know are no problem here.
 */
export function unreadable(reader: Schema, writer: Schema, path: string): Problem[] {
  if (same(reader, writer)) return []
  const written = branchesOf(writer)
  if (written !== undefined) return written.flatMap((branch) => unreadable(reader, branch, path))
  const read = branchesOf(reader)
  if (read !== undefined) {
    const each = read.map((branch) => unreadable(branch, writer, path))
    if (each.some((problems) => problems.length === 0)) return []
    // The branch that fits best explains most.
    const [closest] = each.sort((one, other) => depthOf(other) - depthOf(one))
    return closest ?? []
  }
  return [
    ...kindProblems(reader, writer, path),
    ...boundProblems(reader, writer, path),
    ...partProblems(reader, writer, path),
  ]
}

const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)
const depthOf = (problems: readonly Problem[]) => Math.max(...problems.map(({ path }) => path.length))

function kindProblems(reader: Schema, writer: Schema, path: string): Problem[] {
  const allowed = valuesOf(reader)
  const possible = valuesOf(writer)
  if (allowed !== undefined) {
    if (possible === undefined) return [{ path, problem: `is one of ${JSON.stringify(allowed)} for its reader only` }]
    const foreign = possible.filter((value) => !allowed.some((known) => same(known, value)))
    return foreign.map((value) => ({
      path,
      problem: `may be ${JSON.stringify(value)}, which its reader does not know`,
    }))
  }
  if (reader.type === undefined || reader.type === writer.type) return []
  if (reader.type === 'number' && writer.type === 'integer') return []
  const type = String(writer.type ?? (possible === undefined ? 'anything' : typeof possible[0]))
  return type === reader.type ? [] : [{ path, problem: `may be ${type}, its reader wants ${String(reader.type)}` }]
}

function boundProblems(reader: Schema, writer: Schema, path: string): Problem[] {
  if (valuesOf(writer) !== undefined) return []
  const wants = (name: string, value: unknown, found: unknown) => ({
    path,
    problem: `has ${name} ${JSON.stringify(found) ?? 'none'}, its reader wants ${JSON.stringify(value)}`,
  })
  return [
    ...LOWER.filter((name) => (reader[name] ?? -Infinity) > (writer[name] ?? -Infinity)).map((name) =>
      wants(name, reader[name], writer[name]),
    ),
    ...UPPER.filter((name) => (reader[name] ?? Infinity) < (writer[name] ?? Infinity)).map((name) =>
      wants(name, reader[name], writer[name]),
    ),
    // Patterns are not compared as languages: another one may be narrower.
    ...(['pattern', 'format'] as const)
      .filter((name) => reader[name] !== undefined && reader[name] !== writer[name])
      .map((name) => wants(name, reader[name], writer[name])),
  ]
}

function partProblems(reader: Schema, writer: Schema, path: string): Problem[] {
  const members = Object.entries(reader.properties ?? {}).flatMap(([name, member]) => {
    const place = path === '' ? name : `${path}.${name}`
    const written = writer.properties?.[name]
    const needed = reader.required?.includes(name) === true
    if (needed && writer.required?.includes(name) !== true)
      return [
        {
          path: place,
          problem: written === undefined ? 'is missing, its reader needs it' : 'may be missing, its reader needs it',
        },
      ]
    return written === undefined ? [] : unreadable(member, written, place)
  })
  const open = (schema: Schema) =>
    typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined
  const [readOpen, writtenOpen] = [open(reader), open(writer)]
  return [
    ...members,
    ...(readOpen !== undefined && writtenOpen !== undefined ? unreadable(readOpen, writtenOpen, `${path}{}`) : []),
    ...(reader.propertyNames !== undefined && writer.propertyNames !== undefined
      ? unreadable(reader.propertyNames, writer.propertyNames, `${path}{name}`)
      : []),
    ...(reader.items !== undefined && writer.items !== undefined
      ? unreadable(reader.items, writer.items, `${path}[]`)
      : []),
    ...(reader.prefixItems ?? []).flatMap((item, index) => {
      const written = writer.prefixItems?.[index]
      return written === undefined ? [] : unreadable(item, written, `${path}[${index}]`)
    }),
  ]
}

/** Returns the members that a schema had and that are gone, wherever they are. */
export function removedMembers(before: Schema, after: Schema, path: string): Problem[] {
  if (same(before, after)) return []
  const [old, now] = [membersOf(before), membersOf(after)]
  return [...old].flatMap(([name, schemas]) => {
    const place = name === '' ? `${path}[]` : path === '' ? name : `${path}.${name}`
    const found = now.get(name)
    if (found === undefined) return [{ path: place, problem: 'was removed or renamed' }]
    return removedMembers({ anyOf: schemas }, { anyOf: found }, place)
  })
}

/** Members of an object and, under the empty name, the items of an array, over all branches. */
function membersOf(schema: Schema): Map<string, Schema[]> {
  const found = new Map<string, Schema[]>()
  const visit = (one: Schema) => {
    for (const branch of [...(branchesOf(one) ?? []), ...(one.allOf ?? [])]) visit(branch)
    for (const [name, member] of Object.entries(one.properties ?? {})) add(name, member)
    if (one.items !== undefined) add('', one.items)
  }
  const add = (name: string, member: Schema) => found.set(name, [...(found.get(name) ?? []), member])
  visit(schema)
  return found
}
