/** Pages of a history at most: two million entries. */
const PAGES_MAX = 10_000

/** Downloads what `verifyBalance` reads; throws with the answer of the API if it refuses. */
export async function download(base: string, key: string) {
  const read = async (path: string): Promise<Record<string, unknown>> => {
    const answer = await fetch(new URL(path, base), { headers: { 'x-svc-user-key': key } })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${text.slice(0, 300)}`)
    return JSON.parse(text) as Record<string, unknown>
  }
  const proof = await read('/subscriptions/cherries/proof')
  const history: Record<string, unknown>[] = []
  for (let cursor: unknown = ''; typeof cursor === 'string' && history.length < PAGES_MAX;) {
    const page = await read(
      `/subscriptions/cherries/history?limit=200${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`,
    )
    history.push(page)
    cursor = page['next_cursor']
  }
  const [roots, jwks] = await Promise.all([read('/subscriptions/cherries/roots'), read('/.well-known/jwks.json')])
  return { proof, history, roots, jwks }
}
