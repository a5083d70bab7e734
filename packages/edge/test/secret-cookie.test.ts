import { opened } from '@svc/testing'
import { expect, test } from 'vitest'
import { startWorld, WEB_ORIGIN } from './fixture.ts'

const world = opened(() => startWorld())
const asPage = { origin: WEB_ORIGIN, 'x-svc-session': 'cookie' }

const post = async (path: string, body: object, headers: Record<string, string> = {}) => {
  const answer = await fetch(`${world.url}${path}`, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', ...headers },
  })
  const said = (await answer.json()) as Record<string, unknown>
  return { status: answer.status, body: said, cookies: answer.headers.getSetCookie() }
}
const SET = [
  'desk=of-ada; Path=/desk; Max-Age=600; HttpOnly; Secure; SameSite=Strict',
  'at_desk=1; Path=/hall; Max-Age=600; Secure; SameSite=Strict',
]
const REMOVED = [
  'desk=; Path=/desk; Max-Age=0; HttpOnly; Secure; SameSite=Strict',
  'at_desk=; Path=/hall; Max-Age=0; Secure; SameSite=Strict',
]

test('a secret is in the body and in no cookie unless the request asks for the cookie', async () => {
  expect(await post('/desk', { name: 'ada' })).toEqual({
    status: 200,
    body: { name: 'ada', desk_token: 'of-ada' },
    cookies: [],
  })
})

test('a page gets the secret as a cookie that scripts cannot read, and a sign without a secret', async () => {
  expect(await post('/desk', { name: 'ada' }, asPage)).toEqual({ status: 200, body: { name: 'ada' }, cookies: SET })
})

test('the cookie brings the secret to the next call, which replaces it', async () => {
  const { status, body, cookies } = await post('/desk/keep', {}, { ...asPage, cookie: 'other=1; desk=of-ada; x=y' })
  expect([status, body]).toEqual([200, { shown: 'of-ada' }])
  expect(cookies[0]).toMatch(/^desk=next; /)
})

test('another origin or none is refused before the service is asked', async () => {
  for (const origin of [
    'https://evil.example',
    'null',
    `${WEB_ORIGIN}.evil.example`,
    WEB_ORIGIN.replace('https', 'http'),
  ])
    expect(await post('/desk', { name: 'ada' }, { ...asPage, origin })).toMatchObject({
      status: 403,
      body: { code: 'origin_refused' },
      cookies: [],
    })
  expect(await post('/desk', { name: 'ada' }, { 'x-svc-session': 'cookie' })).toMatchObject({ status: 403 })
})

test('the cookie alone does nothing: without the header the secret must be in the body', async () => {
  const answer = await post('/desk/keep', {}, { origin: WEB_ORIGIN, cookie: 'desk=of-ada' })
  expect(answer).toMatchObject({ status: 400, body: { errors: [{ pointer: '/desk_token' }] }, cookies: [] })
})

test('a missing or malformed cookie is 401 and removes the sign, and a secret in body and cookie is refused', async () => {
  for (const cookie of ['', 'desk=', 'desk="of-ada"', 'desk=of ada', `desk=${'a'.repeat(501)}`, 'desks=of-ada'])
    expect(await post('/desk/keep', {}, { ...asPage, cookie })).toMatchObject({
      status: 401,
      body: { code: 'unauthenticated' },
      cookies: [REMOVED[1]],
    })
  const both = await post('/desk/keep', { desk_token: 'x' }, { ...asPage, cookie: 'desk=of-ada' })
  expect(both).toMatchObject({ status: 400, body: { errors: [{ pointer: '/desk_token' }] } })
})

test('a cookie that the service refuses, and one whose end was asked for, is removed', async () => {
  expect(await post('/desk/keep', {}, { ...asPage, cookie: 'desk=of-closed' })).toMatchObject({
    status: 401,
    body: { code: 'desk_closed' },
    cookies: REMOVED,
  })
  const key = { 'x-svc-user-key': world.key }
  expect(await post('/desk/leave', {}, { ...asPage, ...key })).toMatchObject({ status: 200, cookies: REMOVED })
  expect(await post('/desk/leave', {}, key)).toMatchObject({ status: 200, cookies: [] })
})

test('a value of the header other than cookie is refused', async () => {
  const answer = await post('/desk', { name: 'ada' }, { ...asPage, 'x-svc-session': 'body' })
  expect(answer).toMatchObject({ status: 400, body: { errors: [{ pointer: '/header/x-svc-session' }] } })
})
