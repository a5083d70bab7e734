/** A mail to an owner. Its Message-ID is derived from the key, which is the same at every try. */
export interface Mail {
  readonly key: string
  readonly subject: string
  readonly text: string
}

const SUBJECT_MAX = 120

/** Returns a text as one line: control characters and line separators become spaces. */
function subjectLine(text: string): string {
  const line = text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim()
  const characters = [...line]
  return characters.length <= SUBJECT_MAX ? line : `${characters.slice(0, SUBJECT_MAX - 1).join('')}…`
}

/** An alert in a message. */
export interface WrittenAlert {
  readonly id: number
  readonly mandate_id: string
  readonly severity: string
  readonly text: string
  readonly link: string
}

/** Telegram accepts 4,096 characters. */
const DIGEST_CHARACTERS = 3_800

/** Returns the message of alerts: text and link of a single alert, or a list that states how many alerts it omits. */
export function alertText(alerts: readonly WrittenAlert[], between = '\n'): string {
  const [first, ...others] = alerts
  if (first !== undefined && others.length === 0) return `${first.text}${between}${first.link}`
  const items = alerts.map(({ severity, text, link }) => `- (${severity}) ${text}\n  ${link}`)
  let shown = 0
  for (let length = 0; shown < items.length; shown++) {
    length += (items[shown] ?? '').length + 2
    if (length > DIGEST_CHARACTERS) break
  }
  const more = items.length - shown
  const rest = more === 0 ? [] : [`and ${more} more: GET /hub/me/alerts`]
  return [`${alerts.length} alerts of your mandates:`, ...items.slice(0, shown), ...rest].join('\n\n')
}

const subjectOf = (alerts: readonly WrittenAlert[]): string =>
  alerts.length === 1
    ? `Mandate alert (${alerts[0]?.severity}): ${alerts[0]?.text}`
    : `${alerts.length} alerts of your mandates`

/** Returns the mail of alerts. */
export const alertMail = (alerts: readonly WrittenAlert[]): Mail => ({
  key: alerts
    .map(({ id, mandate_id }, at) => (at === 0 ? `${mandate_id}.${id}` : id))
    .join('-')
    .slice(0, 200),
  subject: subjectLine(subjectOf(alerts)),
  text: `${alertText(alerts, '\n\n')}

--
You get this because alerts of your mandates are sent to this address.
To stop them, sign in with your wallet and call DELETE /hub/me/alert-email.
`,
})

/** Returns the message with the code of a chat. */
export const codeMessage = (code: string): string => `${code}

Show this code within 15 minutes, signed in with your wallet: POST /hub/me/alert-channel/verify
Alerts of your mandates are sent to this chat from then on.

Give this code to nobody. If you did not request it, do nothing: no alerts will be sent here.`

/** Returns the mail with the code of an address. */
export const codeMail = (code: string, key: string): Mail => ({
  key,
  subject: 'Your code for alerts of your mandates',
  text: `${code}

Show this code within 15 minutes, signed in with your wallet: POST /hub/me/alert-email/verify
Alerts of your mandates are sent to this address from then on.

Give this code to nobody. If you did not request it, do nothing: no alerts will be sent here.
`,
})
