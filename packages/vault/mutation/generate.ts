import { globSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { vaultFolder } from '../src/forge.ts'
import type { Mutant } from './mutant.ts'

const require = createRequire(import.meta.url)

/** A node of solc's syntax tree, as far as mutants are made from it. */
interface Node {
  readonly nodeType: string
  /** `start:length:file`, in bytes. The sources are ASCII, so bytes are characters. */
  readonly src: string
  readonly typeDescriptions?: { readonly typeString?: string | null }
  readonly [member: string]: unknown
}

interface Source {
  readonly file: string
  readonly text: string
}

/** What a node becomes: the part that is replaced and its replacement. */
interface Change {
  readonly part: Pick<Node, 'src'>
  readonly replace: string
}

/** What a comparison becomes: a bound moves by one, an equality turns round. */
const COMPARISONS: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '==': '!=',
  '!=': '==',
}

/** Functions of the contracts that return the same type, the second without the check of the first. */
const UNCHECKED: Readonly<Record<string, string>> = { _onlyOwner: '_terms' }

/** Contracts of the product; those of the local chain and of tests have hand-picked mutants only. */
const PRODUCT = /^(Mandate|Vault)\w*\.sol$/

/**
 * Returns a mutant for each place of the contracts at which an operator can be exchanged, an operand, statement, check or
 * modifier left out, a constant raised by one, a branch forced, or an argument of an event or error falsified. The order
 * and the names are the same for the same sources. Throws with the compiler's message if the contracts do not compile.
 */
export function generateMutants(folder: string = join(vaultFolder, 'contracts')): readonly Mutant[] {
  const files = globSync('*.sol', { cwd: folder }).toSorted()
  const sources = files.map((file): Source => ({ file, text: readFileSync(join(folder, file), 'utf8') }))
  const trees = parse(sources)
  return sources.filter(({ file }) => PRODUCT.test(file)).flatMap((source) => mutantsOf(source, trees(source.file)))
}

const output = z.object({
  errors: z.array(z.object({ severity: z.string(), formattedMessage: z.string() })).optional(),
  sources: z.record(z.string(), z.object({ ast: z.custom<Node>((value) => typeof value === 'object') })),
})

/** Syntax trees with types, which solc makes without generating code. */
function parse(sources: readonly Source[]): (file: string) => Node {
  const { compile }: { compile(input: string, callbacks: object): string } = require('solc')
  const modules = join(dirname(require.resolve('@openzeppelin/contracts/package.json')), '../..')
  const input = {
    language: 'Solidity',
    sources: Object.fromEntries(sources.map(({ file, text }) => [`contracts/${file}`, { content: text }])),
    settings: { evmVersion: 'cancun', outputSelection: { '*': { '': ['ast'] } } },
  }
  const read = (path: string) => ({ contents: readFileSync(join(modules, path), 'utf8') })
  const { errors, sources: trees } = output.parse(JSON.parse(compile(JSON.stringify(input), { import: read })))
  const failure = errors?.find(({ severity }) => severity === 'error')
  if (failure !== undefined) throw new Error(failure.formattedMessage)
  return (file) => {
    const tree = trees[`contracts/${file}`]
    if (tree === undefined) throw new Error(`solc returned no syntax tree of ${file}`)
    return tree.ast
  }
}

function mutantsOf(source: Source, tree: Node): Mutant[] {
  const times = new Map<string, number>()
  return [...placesIn(tree, '')].flatMap(({ node, within }) =>
    changesOf(source, node).map(({ part, replace }): Mutant => {
      const [start, end] = range(part)
      const before = source.text.slice(start, end)
      const said = `${source.file.replace('.sol', '')}${within}: ${line(before)} → ${replace === '{}' ? 'nothing' : line(replace) || 'nothing'}`
      const time = (times.get(said) ?? 0) + 1
      times.set(said, time)
      const name = time === 1 ? said : `${said} (${time})`
      const apply = (text: string): string => {
        if (text !== source.text) throw new Error(`Mutant "${name}" was generated from another source.`)
        return text.slice(0, start) + replace + text.slice(end)
      }
      return { name, file: source.file, apply }
    }),
  )
}

const range = ({ src }: Pick<Node, 'src'>): readonly [number, number] => {
  const [start = 0, length = 0] = src.split(':').map(Number)
  return [start, start + length]
}
const textOf = ({ text }: Source, node: Pick<Node, 'src'>): string => text.slice(...range(node))
const line = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'nodeType' in value
const nodeAt = (node: Node, member: string): Node | null => (isNode(node[member]) ? node[member] : null)
const nodesAt = (node: Node, member: string): readonly Node[] =>
  Array.isArray(node[member]) ? node[member].filter(isNode) : []

/** The nodes of function bodies and of constants, each with the function it is in. Assembly has no changes here. */
function* placesIn(node: Node, within: string): Generator<{ readonly node: Node; readonly within: string }> {
  const { nodeType } = node
  if (nodeType.endsWith('TypeName') || ['InlineAssembly', 'EventDefinition', 'ErrorDefinition'].includes(nodeType))
    return
  const named = nodeType === 'FunctionDefinition' || (nodeType === 'VariableDeclaration' && within === '')
  const inside = named ? `.${String(node['name'] || node['kind'])}` : within
  yield { node, within: inside }
  for (const [member, value] of Object.entries(node))
    if (member !== 'loopExpression')
      for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) yield* placesIn(child, inside)
}

function changesOf(source: Source, node: Node): readonly Change[] {
  switch (node.nodeType) {
    case 'BinaryOperation':
      return binaryChanges(source, node)
    case 'UnaryOperation':
      return node['operator'] === '!' ? [{ part: node, replace: textAt(source, node, 'subExpression') }] : []
    case 'Conditional':
      return ['trueExpression', 'falseExpression'].map((branch) => ({
        part: node,
        replace: textAt(source, node, branch),
      }))
    case 'IfStatement':
      return ifChanges(node)
    case 'ExpressionStatement':
    case 'EmitStatement':
      // An empty block, because the statement may be the branch of an `if`.
      return [{ part: withSemicolon(source, node), replace: '{}' }, ...falsified(source, node)]
    case 'RevertStatement':
      return falsified(source, node)
    case 'ModifierInvocation':
      return node['kind'] === 'baseConstructorSpecifier' ? [] : [{ part: node, replace: '' }]
    case 'Assignment':
      return assignmentChanges(source, node)
    case 'FunctionCall':
      return callChanges(source, node)
    case 'Literal':
      return raised(source, node)
    default:
      return []
  }
}

const textAt = (source: Source, node: Node, member: string): string => {
  const child = nodeAt(node, member)
  return child === null ? '' : textOf(source, child)
}

/** Exchanges a comparison; of `a && b && c`, which is read as `(a && b) && c`, and of sums leaves each operand out once. */
function binaryChanges(source: Source, node: Node): readonly Change[] {
  const operator = String(node['operator'])
  const [left, right] = [textAt(source, node, 'leftExpression'), textAt(source, node, 'rightExpression')]
  const comparison = COMPARISONS[operator]
  if (comparison !== undefined) return [{ part: node, replace: `${left} ${comparison} ${right}` }]
  const chained = nodeAt(node, 'leftExpression')?.['operator'] === operator
  const whole = ['&&', '||', '+'].includes(operator) && !chained
  return [left, ...(whole ? [right] : [])].map((replace) => ({ part: node, replace }))
}

/** Leaves a check out, and carries its statement out always unless that ends the call. */
function ifChanges(node: Node): readonly Change[] {
  const [condition, then] = [nodeAt(node, 'condition'), nodeAt(node, 'trueBody')]
  if (condition === null || then === null) return []
  const reverts = [then, ...nodesAt(then, 'statements')].some(({ nodeType }) => nodeType === 'RevertStatement')
  return [{ part: condition, replace: 'false' }, ...(reverts ? [] : [{ part: condition, replace: 'true' }])]
}

function withSemicolon({ text }: Source, node: Node): Pick<Node, 'src'> {
  const [start, end] = range(node)
  const semicolon = text.indexOf(';', end - 1)
  return { src: `${start}:${semicolon + 1 - start}:0` }
}

/** Each argument of an event or an error, falsified by itself. */
function falsified(source: Source, node: Node): readonly Change[] {
  const call = nodeAt(node, 'eventCall') ?? nodeAt(node, 'errorCall')
  if (call === null) return []
  return nodesAt(call, 'arguments').flatMap((argument) => {
    const replace = falseValue(textOf(source, argument), argument.typeDescriptions?.typeString ?? '')
    return replace === null ? [] : [{ part: argument, replace }]
  })
}

function falseValue(text: string, type: string): string | null {
  if (/^uint\d+$/.test(type)) return `(${text}) ^ 1`
  if (/^address( payable)?$/.test(type)) return `address(uint160(${text}) ^ 1)`
  if (/^bytes\d+$/.test(type)) return `~${text}`
  if (type === 'bool') return `!(${text})`
  return null
}

/** Overwrites a sum instead of adding to it. */
function assignmentChanges(source: Source, node: Node): readonly Change[] {
  const [left, right] = [textAt(source, node, 'leftHandSide'), textAt(source, node, 'rightHandSide')]
  return node['operator'] === '+=' ? [{ part: node, replace: `${left} = ${right}` }] : []
}

/** Returns one argument of a function of OpenZeppelin's `Math` in place of its result, or leaves out a check of the caller. */
function callChanges(source: Source, node: Node): readonly Change[] {
  const callee = textAt(source, node, 'expression')
  const [first = '', second = ''] = nodesAt(node, 'arguments').map((argument) => textOf(source, argument))
  const unchecked = UNCHECKED[callee]
  if (unchecked !== undefined) return [{ part: node, replace: `${unchecked}()` }]
  if (callee === 'Math.saturatingSub') return [{ part: node, replace: `uint256(${first})` }]
  return callee === 'Math.min' ? [first, second].map((one) => ({ part: node, replace: `uint256(${one})` })) : []
}

/** A number, or the count of a unit of time, one higher. */
function raised(source: Source, node: Node): readonly Change[] {
  const digits = /^[1-9][\d_]*/.exec(textOf(source, node))?.[0]
  if (node['kind'] !== 'number' || digits === undefined) return []
  const [start] = range(node)
  return [{ part: { src: `${start}:${digits.length}:0` }, replace: String(BigInt(digits.replaceAll('_', '')) + 1n) }]
}
