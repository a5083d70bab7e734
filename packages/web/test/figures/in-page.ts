/** A figure of an answer: where it stands, and whether the page changed with it. */
export interface Judged {
  readonly url: string
  readonly path: string
  readonly changed: boolean
}

declare global {
  /** Answers of the page; see `keepAnswers`. */
  var answersOfPage: {
    /** The page hears nothing new from now on. */
    freeze(): Promise<readonly string[]>
    /** Changes one figure after the other and tells for each whether the page changed. */
    judge(
      unseen: readonly (readonly [string, string])[],
      perListMax: number,
      remembers: boolean,
    ): Promise<readonly Judged[]>
    /** Changes every figure at once, and returns the texts with figures that stayed. */
    unmoved(): Promise<readonly string[]>
  }
}

/**
 * Runs inside the page before its own code. The answers of the API are kept as they come; once frozen, the page is
 * answered from what was kept, with one figure changed. Times stand still, so nothing else moves.
 */
export function keepAnswers(): void {
  type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json }
  type Path = readonly (string | number)[]
  const ask = globalThis.fetch.bind(globalThis)
  const kept = new Map<string, { status: number; date: string; text: string }>()
  let changed = new Map<string, string>()
  let frozen = false
  let under = 0
  const made = ({ status, date, text }: { status: number; date: string; text: string }) =>
    new Response(text, { status, headers: { 'content-type': 'application/json', date } })

  globalThis.fetch = async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : String(input), location.href)
    // A record is read from where the page stands; here it is told whole again, and each entry takes its place.
    url.searchParams.delete('since')
    const key = `${url.pathname}${url.search}`
    // A note is sent to be read: nothing is stored.
    const isRead = (init?.method ?? 'GET') === 'GET' || url.pathname === '/hub/mandates/draft'
    if (frozen) {
      const before = kept.get(key)
      if (!isRead || before === undefined) return made({ status: 503, date: '', text: '{}' })
      return made({ ...before, text: changed.get(key) ?? before.text })
    }
    under += 1
    try {
      const answer = await ask(input, init)
      const type = answer.headers.get('content-type') ?? ''
      // The gateway's own facts are no answer of a service: they are what answers are compared with. `/dev` is not served
      // outside of a local product.
      if (isRead && type.includes('json') && url.pathname !== '/ui/config.json' && !url.pathname.startsWith('/dev/'))
        kept.set(key, {
          status: answer.status,
          date: answer.headers.get('date') ?? '',
          text: await answer.clone().text(),
        })
      return answer
    } finally {
      under -= 1
    }
  }

  const DateOfPage = Date
  let ahead = 0
  const later = globalThis.setTimeout
  /** A note is read when nobody typed for a moment; a frozen page does not wait for such pauses. */
  const TYPING_MS = 20
  const PAUSE_MAX_MS = 1_000
  const withoutPauses = (work: () => void, ms = 0, ...rest: unknown[]) =>
    later(work, ms < PAUSE_MAX_MS ? 0 : ms, ...rest)
  const turn = () => new Promise<void>((done) => setTimeout(done, 0))
  /** Makes every answer old and has the page read all of them again, as it does when somebody comes back. */
  const readAgain = async () => {
    ahead += 3_600_000
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
    const note = document.querySelector<HTMLTextAreaElement>('textarea#note')
    if (note !== null) {
      // Somebody types a space and takes it away: the same note is read again after the usual pause.
      const type = (text: string) => {
        Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value')?.set?.call(note, text)
        note.dispatchEvent(new Event('input', { bubbles: true }))
      }
      const text = note.value
      type(`${text} `)
      // Two letters never come in one turn; a page that draws once a turn would see no change.
      await turn()
      type(text)
      await new Promise((done) => later(done, TYPING_MS))
    }
    for (let turns = 0; turns < 6; turns += 1) await turn()
  }

  const FIGURE = /^-?\d+(\.\d+)?$/
  const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/
  const DAY = /^\d{4}-\d\d-\d\d$/
  const isFigure = (value: Json) =>
    typeof value === 'number' ||
    (typeof value === 'string' && (FIGURE.test(value) || TIME.test(value) || DAY.test(value)))
  /** Another figure of the same kind, far enough away that no rounding hides it. */
  const other = (value: Json, by: number): Json => {
    if (typeof value === 'number') return (Number.isInteger(value) ? value * 2 : value * 1.37) + by
    const text = typeof value === 'string' ? value : ''
    if (DAY.test(text)) return new DateOfPage(DateOfPage.parse(text) - by * 86_400_000).toISOString().slice(0, 10)
    if (TIME.test(text)) return new DateOfPage(DateOfPage.parse(text) - by * 86_400_000 - 3_723_000).toISOString()
    const [whole = '0', parts = ''] = text.split('.')
    const units = (BigInt(whole + parts) * 137n) / 100n + BigInt(by) * 10n ** BigInt(parts.length)
    const digits = String(units < 0n ? -units : units).padStart(parts.length + 1, '0')
    const cut = digits.length - parts.length
    return `${units < 0n ? '-' : ''}${digits.slice(0, cut)}${parts === '' ? '' : `.${digits.slice(cut)}`}`
  }
  const figuresOf = (value: Json, path: Path, perListMax: number): Path[] => {
    if (isFigure(value)) return [path]
    if (Array.isArray(value))
      return (value as readonly Json[]).flatMap((one, at) =>
        at < perListMax ? figuresOf(one, [...path, at], perListMax) : [],
      )
    if (typeof value !== 'object' || value === null) return []
    return Object.entries(value).flatMap(([name, one]) => figuresOf(one as Json, [...path, name], perListMax))
  }
  const withOther = (value: Json, path: Path, by: number): Json => {
    const [name, ...rest] = path
    if (name === undefined) return other(value, by)
    if (Array.isArray(value))
      return (value as readonly Json[]).map((one, at) => (at === name ? withOther(one, rest, by) : one))
    const members = value as { readonly [name: string]: Json }
    return { ...members, [name]: withOther(members[name] ?? null, rest, by) }
  }

  const content = () => document.getElementById('content')?.innerHTML ?? ''

  /** Returns the content once it stands still: late parts of the page have come, and nothing was forgotten. */
  const standing = async () => {
    let [last, before] = ['', '']
    for (let tries = 0; tries < 50; tries += 1) {
      await readAgain()
      if (content() === last) return last
      ;[last, before] = [content(), last]
    }
    const at = [...last].findIndex((letter, index) => letter !== before[index])
    const part = (text: string) => text.slice(Math.max(0, at - 60), at + 90)
    throw new Error(`the page never stands still: "${part(before)}" became "${part(last)}"`)
  }

  globalThis.answersOfPage = {
    freeze: async () => {
      for (let quiet = 0; quiet < 20; quiet += 1) {
        await new Promise((done) => setTimeout(done, 25))
        if (under > 0) quiet = 0
      }
      frozen = true
      // Nothing but a changed answer moves the page.
      for (let timer = setTimeout(() => {}, 0) as unknown as number; timer > 0; timer -= 1) clearTimeout(timer)
      globalThis.setTimeout = withoutPauses as typeof setTimeout
      Date.now = () => performance.timeOrigin + performance.now() + ahead
      await readAgain()
      return [...kept.keys()]
    },
    judge: async (unseen, perListMax, remembers) => {
      const judged: Judged[] = []
      const hidden = unseen.map(([url, path]) => [new RegExp(url), new RegExp(path)] as const)
      changed = new Map()
      let before = await standing()
      for (const [url, { text, status }] of kept) {
        if (status !== 200) continue
        const answer = JSON.parse(text) as Json
        for (const path of figuresOf(answer, [], perListMax)) {
          const name = path.join('.')
          if (hidden.some(([ofUrl, ofPath]) => ofUrl.test(url) && ofPath.test(name))) continue
          if (remembers) {
            changed = new Map()
            before = await standing()
          }
          changed = new Map([[url, JSON.stringify(withOther(answer, path, 7))]])
          await readAgain()
          judged.push({ url, path: name, changed: content() !== before })
        }
      }
      changed = new Map()
      // A page that moves by itself would pass every figure.
      const after = await standing()
      if (!remembers && after !== before) throw new Error('the page did not stand still')
      return judged
    },
    unmoved: async () => {
      changed = new Map()
      await standing()
      const before = textsWithFigures()
      const answers = [...kept].flatMap(([url, { text, status }]) =>
        status === 200 ? [[url, JSON.parse(text) as Json] as const] : [],
      )
      let by = 0
      changed = new Map(
        answers.map(([url, answer]) => {
          let next = answer
          for (const path of figuresOf(answer, [], 1_000)) next = withOther(next, path, 7 + (by++ % 90))
          return [url, JSON.stringify(next)]
        }),
      )
      await readAgain()
      const after = textsWithFigures()
      changed = new Map()
      const told = new Set(answers.flatMap(([, answer]) => textsOf(answer)))
      return [...before]
        .filter(([place, text]) => after.get(place) === text && !isTold(text, told))
        .map(([, text]) => text)
    },
  }

  /** Returns the texts of the content in which a figure stands, by their place. */
  function textsWithFigures(): Map<string, string> {
    const found = new Map<string, string>()
    const walk = (node: Node, place: string) => {
      const text = node.nodeType === Node.TEXT_NODE ? (node.nodeValue ?? '').trim() : ''
      if (/\d/.test(text)) found.set(place, text)
      for (const [at, child] of node.childNodes.entries()) walk(child, `${place}/${at}`)
    }
    walk(document.getElementById('content') ?? document.body, '')
    return found
  }

  /** Returns the texts of an answer that have a figure in them: names, hashes, sentences of the service. */
  function textsOf(value: Json): string[] {
    if (typeof value === 'string') return /\d/.test(value) && !isFigure(value) ? [value] : []
    if (typeof value !== 'object' || value === null) return []
    return Object.values(value as Record<string, Json>).flatMap(textsOf)
  }

  /** Returns true if all figures of a text stand in texts of the answers, whole or shortened in the middle. */
  function isTold(text: string, told: ReadonlySet<string>): boolean {
    let left = text
    for (const one of [...told].toSorted((a, b) => b.length - a.length)) {
      if (one.toLowerCase().includes(left.toLowerCase())) return true
      left = left.replaceAll(one, '')
      for (const [short, first = '', last = ''] of left.matchAll(/(\w+)…(\w+)/g))
        if (one.toLowerCase().startsWith(first.toLowerCase()) && one.toLowerCase().endsWith(last.toLowerCase()))
          left = left.replace(short, '')
    }
    return !/\d/.test(left)
  }
}
