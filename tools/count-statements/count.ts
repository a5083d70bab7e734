import { parseSync, visitorKeys, type Node } from 'oxc-parser'

/** Blocks and empty statements say nothing themselves; imports and lists of exports only name what stands elsewhere. */
const NOT_COUNTED: ReadonlySet<string> = new Set([
  'BlockStatement',
  'EmptyStatement',
  'ImportDeclaration',
  'ExportAllDeclaration',
  'ExportNamedDeclaration',
  'ExportDefaultDeclaration',
])
const COUNTED = /(?:Statement|Declaration)$|^(?:MethodDefinition|PropertyDefinition)$/

/** Returns how many statements and declarations a source has, at every depth, without comments and imports. Throws for a syntax error. */
export function countStatements(file: string, text: string): number {
  const { program, errors } = parseSync(file, text)
  const [error] = errors
  if (error !== undefined) throw new SyntaxError(`${file}: ${error.message}`)
  let count = 0
  const visit = (node: Node): void => {
    if (COUNTED.test(node.type) && !NOT_COUNTED.has(node.type)) count += 1
    for (const key of visitorKeys[node.type] ?? []) {
      const child = (node as unknown as Readonly<Record<string, unknown>>)[key]
      for (const one of Array.isArray(child) ? child : [child]) if (one != null) visit(one as Node)
    }
  }
  visit(program)
  return count
}

/** Whether a file is a source that people write and ship: no test, no generated file. */
export const isSource = (file: string): boolean =>
  /\.tsx?$/.test(file) && !/\.test\.tsx?$|\/test\/|\/generated\//.test(file)
