/** A statement of a migration, without comments and with single spaces. */
export interface Statement {
  readonly text: string
  /** Comments above and inside it. */
  readonly comments: readonly string[]
  readonly line: number
}

/** Comments, quoted texts and names, dollar-quoted bodies, ends of statements, and everything between. */
const TOKEN =
  /(?<comment>--[^\n]*|\/\*[\s\S]*?\*\/)|(?<quoted>'(?:[^']|'')*'|"(?:[^"]|"")*"|(?<tag>\$\w*\$)[\s\S]*?\k<tag>)|(?<end>;)|(?<rest>[^-/'"$;]+|[-/$])/g

/** Splits a migration into its statements. Bodies of functions are one token, so that statements inside are not taken for ours. */
export function statementsOf(sql: string): Statement[] {
  const found: Statement[] = []
  let text = ''
  let comments: string[] = []
  let line = 0
  const end = () => {
    const plain = text.replaceAll(/\s+/g, ' ').trim()
    if (plain !== '') found.push({ text: plain, comments, line })
    text = ''
    comments = []
  }
  for (const { 0: token, groups, index } of sql.matchAll(TOKEN)) {
    if (groups?.['comment'] !== undefined) comments.push(token)
    else if (groups?.['end'] !== undefined) end()
    else {
      if (text.trim() === '' && token.trim() !== '') line = sql.slice(0, index + token.search(/\S/)).split('\n').length
      text += token
    }
  }
  end()
  return found
}

/** Name of a table in lower case, without quotes and schema. */
const plain = (name: string) => name.replaceAll('"', '').split('.').at(-1)?.toLowerCase() ?? ''
const NAME = String.raw`((?:"[^"]+"|\w+)(?:\.(?:"[^"]+"|\w+))?)`

/** Returns the tables that a migration creates. */
export const tablesOf = (sql: string): string[] =>
  statementsOf(sql).flatMap(({ text }) => {
    const created = new RegExp(`^CREATE (?:UNLOGGED )?TABLE (?:IF NOT EXISTS )?${NAME}`, 'i').exec(text)?.[1]
    return created === undefined ? [] : [plain(created)]
  })

/** Returns the table that a statement changes; null for other statements. */
export function changedTable({ text }: Statement): string | null {
  const patterns = [
    `^ALTER TABLE (?:IF EXISTS )?(?:ONLY )?${NAME}`,
    `^DROP TABLE (?:IF EXISTS )?${NAME}`,
    `^TRUNCATE (?:TABLE )?(?:ONLY )?${NAME}`,
    `^CREATE (?:UNIQUE )?INDEX .*? ?ON (?:ONLY )?${NAME}`,
    `^REVOKE .* ON (?:TABLE )?${NAME}`,
  ]
  const name = patterns.map((pattern) => new RegExp(pattern, 'i').exec(text)?.[1]).find((one) => one !== undefined)
  return name === undefined ? null : plain(name)
}

/** Returns the actions of an `ALTER TABLE`, which commas outside of brackets separate. */
export function actionsOf({ text }: Statement): string[] {
  const actions = text.replace(new RegExp(`^ALTER TABLE (?:IF EXISTS )?(?:ONLY )?${NAME} `, 'i'), '')
  let depth = 0
  const parts = ['']
  for (const letter of actions) {
    depth += letter === '(' ? 1 : letter === ')' ? -1 : 0
    if (letter === ',' && depth === 0) parts.push('')
    else parts[parts.length - 1] += letter
  }
  return parts.map((part) => part.trim())
}
