/** Programs whose lines are commands, with at least one word more. Words in front may set variables. `…` stands for `node tools/with-node24.mjs`. */
const COMMAND =
  /^(?:[A-Z_]+=\S+(?: \S+ "[^"]*"\))? )*(?:npm|npx|vitest|node|kubectl|docker|curl|psql|nats|redis-cli|argocd|kubeseal|ls|echo|…) \S|^kill -\w+ \S/

/** Languages of blocks that hold a program or data, or text of a document. */
const NO_SHELL = /^(?:ts|tsx|js|json|jsonc|md|sql|yaml|mermaid)\b/

const unwrapped = (text: string) => text.replaceAll(/\s*\\?\n\s*/g, ' ').trim()

/** Returns the lines of a block that are commands, without their comments; `\` at the end of a line continues it. */
const ofBlock = (block: string): readonly string[] =>
  block
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .map((line) => line.replace(/ +# .*$/, '').trim())

/**
 * Returns the commands of a document: the lines of its shell blocks, and its code that begins with a program. In the README of a
 * service, `src/main.ts` is that of the service.
 */
export function commandsIn(document: string, text: string): readonly string[] {
  const blocks: string[] = []
  const prose = text.replaceAll(/^ *```([^\n]*)\n([\s\S]*?)^ *```$/gm, (_, language: string, block: string) => {
    if (!NO_SHELL.test(language)) blocks.push(block)
    return ''
  })
  const inline = [...prose.matchAll(/`([^`]+)`/g)].map(([, code = '']) => unwrapped(code))
  const service = /^(services\/.+)\/[^/]+$/.exec(document)?.[1]
  return [...blocks.flatMap(ofBlock), ...inline]
    .filter((line) => COMMAND.test(line))
    .map((line) => (service === undefined ? line : line.replace(/\bnode src\//, `node ${service}/src/`)))
}
