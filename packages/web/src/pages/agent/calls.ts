/** A first call of a bot, to copy into a shell. The key stays in the shell: `$SVC_KEY` is not filled in here. */
export interface Call {
  readonly id: 'me' | 'offers' | 'accept' | 'pair'
  readonly command: string
}

/** Name of the variable that holds the key. */
export const KEY_VARIABLE = '$SVC_KEY'
const HEADER = `-H "X-SVC-User-Key: ${KEY_VARIABLE}"`
const JSON_HEADER = '-H "Content-Type: application/json"'

const lines = (...parts: readonly string[]): string => parts.join(' \\\n  ')

/** A text that a shell takes as one word, whatever stands in it. */
export const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** Returns the calls with which a bot of this agent begins. */
export function firstCalls(base: string, agentId: number): readonly Call[] {
  const url = (path: string) => quoted(`${base.replace(/\/+$/, '')}${path}`)
  return [
    { id: 'me', command: lines('curl -s', url('/hub/agents/me'), HEADER) },
    { id: 'offers', command: lines('curl -s', url(`/hub/agents/${agentId}/offers`), HEADER) },
    {
      id: 'accept',
      command: lines(
        'curl -s -X POST',
        `"${base.replace(/\/+$/, '')}/hub/mandates/$MANDATE/accept"`,
        HEADER,
        JSON_HEADER,
        "-d '{}'",
      ),
    },
  ]
}

/** Returns the call that pairs an agent by a code. */
export const pairCall = (base: string, code: string): string =>
  lines(
    'curl -s -X POST',
    quoted(`${base.replace(/\/+$/, '')}/hub/agents/pair`),
    HEADER,
    JSON_HEADER,
    `-d ${quoted(JSON.stringify({ code }))}`,
  )
