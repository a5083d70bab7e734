import { PAIR } from '@svc/tools/web/web-world.ts'
import { expect, test } from 'vitest'
import { openPage, openTab, world } from '../rig.ts'

const board = `/ui/markets`

test('a pair has a page of its own: from the board, by its address, and by a link of a former release', async () => {
  const { page, go } = await openPage(board)
  await page.getByRole('table').first().waitFor()
  await page.getByRole('rowheader').first().getByRole('link').click()
  await page.waitForFunction(() => document.activeElement?.tagName === 'H1')
  const path = new URL(page.url()).pathname
  expect(path).toMatch(/^\/ui\/markets\/[a-z0-9_]+$/)
  await page.getByRole('heading', { level: 1, name: '/' }).waitFor()
  // A visitor is told where the computation of the grade is, and sees no part of it.
  await page.getByText('Sign in to see how each part was computed').waitFor()
  await go(`${board}?token=${PAIR}`)
  await page.getByRole('heading', { level: 1, name: 'BTC/USDT' }).waitFor()
  expect(new URL(page.url()).pathname).toBe(`${board}/${PAIR}`)
  await go(`${board}/nowhere_none_usdt`)
  await page.getByRole('heading', { level: 1, name: 'Pair not found' }).waitFor()
})

test('watched pairs stay in the browser and are a list of their own on the board', async () => {
  const { page, go } = await openPage(`${board}?watched=1`)
  await page.getByText('You are not watching any pairs in this browser yet').waitFor()
  await go(`${board}/${PAIR}`)
  await page.getByRole('button', { name: 'Watch this pair' }).click()
  await page.getByRole('button', { name: 'Stop watching' }).waitFor()
  await page.reload()
  await page.getByRole('button', { name: 'Stop watching' }).waitFor()
  await go(board)
  await page.getByRole('table').first().waitFor()
  await page.getByText('Watched pairs').click()
  await expect.poll(() => page.getByRole('rowheader').count()).toBe(1)
  await page.getByRole('rowheader').getByRole('link', { name: 'BTC/USDT' }).click()
  await page.getByRole('button', { name: 'Stop watching' }).click()
  expect(await page.evaluate(() => localStorage.getItem('watched'))).toBe('[]')
  // Without a watched pair there is nothing to save.
  await go(`${board}?watched=1`)
  await page.getByText('You are not watching any pairs in this browser yet').waitFor()
  expect(await page.getByRole('button', { name: 'Save as CSV' }).count()).toBe(0)
  // A pair that left the board can be taken from the list.
  await page.evaluate(() => localStorage.setItem('watched', '["nowhere_none_usdt"]'))
  await go(`${board}/nowhere_none_usdt`)
  await page.getByRole('heading', { level: 1, name: 'Pair not found' }).waitFor()
  await page.getByRole('button', { name: 'Stop watching' }).click()
  await page.getByRole('button', { name: 'Watch this pair' }).waitFor()
  expect(await page.evaluate(() => localStorage.getItem('watched'))).toBe('[]')
})

test('the board and the past of a pair are saved as CSV, with the rows that the page shows', async () => {
  const saved = async (page: Awaited<ReturnType<typeof openPage>>['page'], at: number) => {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save as CSV' }).nth(at).click(),
    ])
    const chunks: Buffer[] = []
    for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer)
    return { name: download.suggestedFilename(), text: Buffer.concat(chunks).toString() }
  }
  const visitor = await openPage(`${board}?q=btc`)
  await visitor.page.getByRole('table').first().waitFor()
  const rows = await visitor.page.getByRole('rowheader').count()
  const file = await saved(visitor.page, 0)
  expect(file.name).toBe('board.csv')
  expect(file.text.split('\r\n')[0]).toMatch(/^computed_at,stale,token_id,/)
  expect(file.text.trimEnd().split('\r\n')).toHaveLength(rows + 1)
  const owner = await openTab({ owner: world.history.mandates[0]?.owner ?? 0 })
  await owner.go(`${board}/${PAIR}`)
  const past = await saved(owner.page, 0)
  expect(past.name).toBe(`${PAIR}-5m.csv`)
  expect(past.text).toMatch(/^token_id,step,/)
})
