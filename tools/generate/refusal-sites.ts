import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Refusal } from '@svc/contract'
import { parseSync, type Node, type Program } from 'oxc-parser'

/** A place in the sources that refuses a call. */
export interface RefusalSite {
  /** File, relative to the root. */
  readonly file: string
  /** What it refuses with; null where its caller decides. */
  readonly refusal: Refusal | null
  /** The fix that the site states instead of the general one of its code; parts that are known only at run time are in braces. */
  readonly fix: string | null
  /** True if `errors` names each wrong member with what it must be. */
  readonly namesMembers: boolean
}

type Import = (specifier: string) => Promise<Readonly<Record<string, unknown>>>

/** Where the arguments of a call that refuses stand: the refusal, its members, and its errors. */
interface Form {
  readonly refusal: number
  /** Index of the members; of an object that has them as `members`, with `errors` beside. */
  readonly members: number
  readonly errors?: number
}

const FORMS: Readonly<Record<string, Form>> = {
  refuse: { refusal: 0, members: 2, errors: 3 },
  RefusalError: { refusal: 0, members: 2, errors: 3 },
  EdgeRefusal: { refusal: 0, members: 1 },
  sendProblem: { refusal: 2, members: 3 },
}

const SOURCES = ['services/*/src/**/*.ts', 'services/*/*/src/**/*.ts', 'packages/{edge,mcp,service,venue}/src/**/*.ts']
const REFUSES = new RegExp(String.raw`\b(?:${Object.keys(FORMS).join('|')})\(`)

/** Returns every site of the sources that refuses a call, in the order of files. */
export async function refusalSites(root: string): Promise<readonly RefusalSite[]> {
  const files = globSync(SOURCES, { cwd: root })
    .filter((file) => !file.endsWith('.test.ts'))
    .toSorted()
  const sites: RefusalSite[] = []
  for (const file of files) {
    const text = readFileSync(join(root, file), 'utf8')
    if (REFUSES.test(text)) sites.push(...(await sitesIn(file, text, (specifier) => import(specifier))))
  }
  return sites
}

/** Returns the sites of one file. `load` returns a module of contracts. */
export async function sitesIn(file: string, text: string, load: Import): Promise<readonly RefusalSite[]> {
  const { program } = parseSync(file, text)
  const imports = program.body.flatMap((node) =>
    node.type === 'ImportDeclaration' ? node.specifiers.map(({ local }) => local.name) : [],
  )
  const forms = new Map(Object.entries(FORMS).filter(([name]) => imports.includes(name)))
  const scope = await scopeOf(program, load)
  const sites: RefusalSite[] = []
  visit(program, (node) => {
    if (node.type !== 'CallExpression' && node.type !== 'NewExpression') return
    const form = node.callee.type === 'Identifier' ? forms.get(node.callee.name) : undefined
    const refused = form === undefined ? undefined : node.arguments[form.refusal]
    if (form === undefined || refused === undefined) return
    const more = node.arguments[form.members]
    const members = form.errors === undefined ? memberOf(more, 'members') : more
    const errors = form.errors === undefined ? memberOf(more, 'errors') : node.arguments[form.errors]
    const fix = fixIn(members, scope)
    for (const refusal of refusalsOf(refused, scope))
      sites.push({ file, refusal, fix, namesMembers: errors !== undefined })
  })
  return sites
}

/** What the names of a file stand for. */
interface Scope {
  /** Names that are imported from contracts. */
  readonly imported: ReadonlyMap<string, unknown>
  /** Expressions that names of this file are set to, at any depth; the last of equal names wins. */
  readonly set: ReadonlyMap<string, { readonly init: Node; readonly member: string | null }>
}

async function scopeOf(program: Program, load: Import): Promise<Scope> {
  const imported = new Map<string, unknown>()
  for (const node of program.body) {
    if (node.type !== 'ImportDeclaration' || node.importKind === 'type') continue
    if (!node.source.value.startsWith('@svc/contracts')) continue
    const module = await load(node.source.value)
    for (const one of node.specifiers)
      imported.set(one.local.name, one.type === 'ImportSpecifier' ? module[nameOf(one.imported) ?? ''] : module)
  }
  const set = new Map<string, { init: Node; member: string | null }>()
  visit(program, (node) => {
    if (node.type === 'VariableDeclarator' && node.init !== null) {
      if (node.id.type === 'Identifier') set.set(node.id.name, { init: node.init, member: null })
      if (node.id.type === 'ObjectPattern')
        for (const one of node.id.properties)
          if (one.type === 'Property' && one.value.type === 'Identifier')
            set.set(one.value.name, { init: node.init, member: nameOf(one.key) })
    }
    if (node.type === 'AssignmentPattern' && node.left.type === 'Identifier')
      set.set(node.left.name, { init: node.right, member: null })
  })
  return { imported, set }
}

/** Returns what an expression may refuse with; null stands for what a caller decides. */
function refusalsOf(node: Node, scope: Scope): readonly (Refusal | null)[] {
  if (node.type === 'ParenthesizedExpression') return refusalsOf(node.expression, scope)
  if (node.type === 'ConditionalExpression')
    return [...refusalsOf(node.consequent, scope), ...refusalsOf(node.alternate, scope)]
  const value = valueOf(node, scope)
  return [isRefusal(value) ? value : null]
}

const isRefusal = (value: unknown): value is Refusal =>
  typeof value === 'object' && value !== null && 'code' in value && 'fix' in value

/** Returns the value of a name or a member of one, as far as contracts declare it. */
function valueOf(node: Node, scope: Scope): unknown {
  if (node.type === 'MemberExpression') return memberIn(valueOf(node.object, scope), nameOf(node.property))
  if (node.type !== 'Identifier') return undefined
  if (scope.imported.has(node.name)) return scope.imported.get(node.name)
  const found = scope.set.get(node.name)
  if (found === undefined || found.init === node) return undefined
  const value = valueOf(found.init, scope)
  return found.member === null ? value : memberIn(value, found.member)
}

const memberIn = (value: unknown, name: string | null): unknown =>
  typeof value === 'object' && value !== null && name !== null ? Reflect.get(value, name) : undefined

/** Returns the fix among members; null if they have none. */
function fixIn(members: Node | undefined, scope: Scope): string | null {
  if (members === undefined) return null
  switch (members.type) {
    case 'Identifier': {
      const found = scope.set.get(members.name)
      return found === undefined || found.member !== null ? null : fixIn(found.init, scope)
    }
    case 'TSAsExpression':
    case 'ParenthesizedExpression':
      return fixIn(members.expression, scope)
    case 'ConditionalExpression':
      return fixIn(members.consequent, scope) ?? fixIn(members.alternate, scope)
    case 'ObjectExpression': {
      const own = memberOf(members, 'fix')
      if (own !== undefined) return textOf(own, scope)
      const spread = members.properties.flatMap((one) => (one.type === 'SpreadElement' ? [one.argument] : []))
      return spread.map((one) => fixIn(one, scope)).find((fix) => fix !== null) ?? null
    }
    default:
      return null
  }
}

/** Returns a text, with the parts that are known only at run time in braces. */
function textOf(node: Node, scope: Scope): string {
  if (node.type === 'Literal') return String(node.value)
  if (node.type === 'TemplateLiteral')
    return node.quasis.map(({ value }, at) => `${value.cooked ?? ''}${partOf(node.expressions[at])}`).join('')
  const known = node.type === 'Identifier' ? scope.set.get(node.name) : undefined
  return known === undefined || known.member !== null ? partOf(node) : textOf(known.init, scope)
}

const partOf = (node: Node | undefined): string =>
  node === undefined ? '' : `{${node.type === 'Identifier' ? node.name : '…'}}`

/** Returns the value of a member of an object expression. */
function memberOf(node: Node | undefined, name: string): Node | undefined {
  if (node?.type !== 'ObjectExpression') return undefined
  for (const one of node.properties) if (one.type === 'Property' && nameOf(one.key) === name) return one.value
  return undefined
}

const nameOf = (node: Node): string | null =>
  node.type === 'Identifier' ? node.name : node.type === 'Literal' ? String(node.value) : null

/** Shows a node and all within it. */
function visit(node: Node, see: (node: Node) => void): void {
  see(node)
  for (const value of Object.values(node) as unknown[])
    for (const one of Array.isArray(value) ? (value as unknown[]) : [value]) if (isNode(one)) visit(one, see)
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof Reflect.get(value, 'type') === 'string'
