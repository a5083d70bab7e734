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
 * Moves parameters that several operations share to `components.parameters`, under their names. Of several parameters with one
 * name the most frequent has the name itself, the next one `name_2`.
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
  const keys = new Map<string, string>()
  const parameters: Json = {}
  for (const [text, { parameter }] of frequent.toSorted(([, one], [, other]) => other.count - one.count)) {
    const name = String(parameter['name'])
    let key = name
    for (let n = 2; key in parameters; n += 1) key = `${name}_${n}`
    keys.set(text, key)
    parameters[key] = parameter
  }
  return {
    paths: eachParameter(paths, (parameter) => {
      const key = keys.get(JSON.stringify(parameter))
      return key === undefined ? parameter : { $ref: `#/components/parameters/${key}` }
    }),
    parameters,
  }
}
