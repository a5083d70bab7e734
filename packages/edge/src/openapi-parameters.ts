type Json = Record<string, unknown>
type Paths = Readonly<Record<string, Json>>

interface Described extends Json {
  readonly parameters?: readonly Json[]
}

/** Returns the value with `change` applied to the parameters of every operation. */
function eachParameter(paths: Paths, change: (parameter: Json) => Json): Record<string, Json> {
  const ofOperation = (operation: Described) =>
    operation.parameters === undefined ? operation : { ...operation, parameters: operation.parameters.map(change) }
  const ofPath = (methods: Json) =>
    Object.fromEntries(Object.entries(methods).map(([method, one]) => [method, ofOperation(one as Described)]))
  return Object.fromEntries(Object.entries(paths).map(([path, methods]) => [path, ofPath(methods)]))
}

/**
 * Moves parameters that several operations share to `components.parameters`, under their names. Of several parameters
 * with one name the most frequent is shared; the others stay where they are.
 */
export function shareParameters(paths: Paths): { readonly paths: Json; readonly parameters: Json } {
  const uses = new Map<string, { readonly parameter: Json; count: number }>()
  eachParameter(paths, (parameter) => {
    const text = JSON.stringify(parameter)
    const known = uses.get(text) ?? { parameter, count: 0 }
    uses.set(text, known)
    known.count += 1
    return parameter
  })
  const frequent = [...uses].filter(([, { count, parameter }]) => count > 1 && typeof parameter['name'] === 'string')
  const shared = new Map<string, string>()
  for (const [text, { parameter }] of frequent.toSorted(([, one], [, other]) => other.count - one.count)) {
    const name = String(parameter['name'])
    if (!shared.has(name)) shared.set(name, text)
  }
  return {
    paths: eachParameter(paths, (parameter) =>
      shared.get(String(parameter['name'])) === JSON.stringify(parameter)
        ? { $ref: `#/components/parameters/${String(parameter['name'])}` }
        : parameter,
    ),
    parameters: Object.fromEntries([...shared].map(([name, text]) => [name, uses.get(text)?.parameter])),
  }
}
