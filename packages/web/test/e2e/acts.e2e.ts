import { expect, test } from 'vitest'
import { LONG } from '../accessible.ts'
import { OWNER_KEY } from '../states/act.ts'
import { acts } from '../states/acts.ts'
import { failuresOf, type DeclaredFailure } from '../states/declared-failures.ts'
import { openFed, refusal } from '../states/feed.ts'

/** A session that has ended is asked for again; it is seen with the sessions. */
const isOfAct = ({ code }: DeclaredFailure) => code !== 'unauthenticated'

/** In the short run each act fails once, by a failure that the API declares for it, in turn; in the long run by all of them. */
const tried = acts.map((one, nth) => {
  const failures = failuresOf(one.route).filter(isOfAct)
  return { ...one, failures: LONG ? failures : failures.slice(nth % failures.length).slice(0, 1) }
})

test.each(tried)('a failure of $route on $path is told where it was pressed', async ({ route, path, act, ...one }) => {
  expect(one.failures.length).toBeGreaterThan(0)
  const tab = await openFed(one.given ?? {}, {
    signedIn: one.visitor !== true,
    wallet: { key: OWNER_KEY },
    viewport: { width: 1440, height: 2400 },
  })
  const untold: string[] = []
  for (const { status, code } of one.failures) {
    tab.feed(route, refusal(status, code))
    await tab.go(path)
    await act(tab.page)
    const wanted = one.ownWords?.[code] ?? new RegExp(`Title of ${code}`)
    await expect
      .poll(() => tab.page.locator('body').innerText())
      .toMatch(wanted)
      .catch(() => untold.push(`${status} ${code}`))
  }
  expect(untold).toEqual([])
})
