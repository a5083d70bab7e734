type Json = Record<string, unknown>

/** Members that may differ between the uses of a titled schema; they stand next to the reference. */
export const BESIDE = ['description', 'example', 'default', 'deprecated'] as const

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns the value with `change` applied to every schema that has a title, innermost first. */
function eachTitled(value: unknown, change: (title: string, schema: Json) => Json): unknown {
  if (Array.isArray(value)) return value.map((item) => eachTitled(item, change))
  if (!isObject(value)) return value
  const { title, ...rest } = value
  const isNamed = typeof title === 'string'
  const members = Object.entries(isNamed ? rest : value)
  // An example is a value, not a schema: a title in it names something else.
  const inner = Object.fromEntries(
    members.map(([key, member]) => [key, key === 'example' ? member : eachTitled(member, change)]),
  )
  return isNamed ? change(title, inner) : inner
}

/**
 * Moves every schema that has a title to `components.schemas`, once, and puts a reference in its place. The most
 * frequent description becomes that of the shared schema. Throws if two different schemas have the same title.
 */
export function shareTitled<T extends Json>(parts: T): { readonly parts: T; readonly schemas: Json } {
  const variants = new Map<string, Map<string, { schema: Json; uses: number }>>()
  const reference = (title: string) => ({ $ref: `#/components/schemas/${title}` })
  eachTitled(parts, (title, schema) => {
    const known = variants.get(title) ?? new Map<string, { schema: Json; uses: number }>()
    variants.set(title, known)
    const text = JSON.stringify(schema)
    const variant = known.get(text) ?? { schema, uses: 0 }
    known.set(text, variant)
    variant.uses += 1
    return reference(title)
  })
  const schemas: Record<string, Json> = {}
  for (const [title, known] of [...variants].toSorted(([one], [other]) => one.localeCompare(other))) {
    const all = [...known.values()].toSorted((one, other) => other.uses - one.uses).map(({ schema }) => schema)
    const shapes = new Set(
      all.map((schema) =>
        JSON.stringify({ ...schema, ...Object.fromEntries(BESIDE.map((word) => [word, undefined])) }),
      ),
    )
    if (shapes.size > 1) throw new Error(`two schemas have the title ${title}: ${[...shapes].join(' and ')}`)
    if (all[0] !== undefined) {
      const { default: _, ...own } = all[0]
      schemas[title] = own
    }
  }
  const shared = eachTitled(parts, (title, schema) => {
    const own = schemas[title]
    const beside = BESIDE.filter((word) => schema[word] !== undefined && schema[word] !== own?.[word])
    return { ...reference(title), ...Object.fromEntries(beside.map((word) => [word, schema[word]])) }
  })
  return { parts: shared as T, schemas }
}
