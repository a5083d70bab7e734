/** A mail to an owner; the key makes up its Message-ID and is the same at every try. */
export interface Mail {
  readonly key: string
  readonly subject: string
  readonly text: string
}

const SUBJECT_MAX = 120

/** One line of plain words: every control character and separator of lines is a space. */
function subjectLine(text: string): string {
  const line = text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim()
  const characters = [...line]
  return characters.length <= SUBJECT_MAX ? line : `${characters.slice(0, SUBJECT_MAX - 1).join('')}…`
}

/** The mail of an alert. */
export const alertMail = (alert: {
  readonly id: number
  readonly mandate_id: string
  readonly severity: string
  readonly text: string
  readonly link: string
}): Mail => ({
  key: `${alert.mandate_id}.${alert.id}`,
  subject: subjectLine(`Mandate alert (${alert.severity}): ${alert.text}`),
  text: `${alert.text}

${alert.link}

--
You get this because alerts of your mandates are sent to this address.
To stop them, sign in with your wallet and call DELETE /hub/me/alert-email.
`,
})

/** The message that proves that a chat is the owner's. */
export const codeMessage = (code: string): string => `${code}

Show this code within 15 minutes, signed in with your wallet: POST /hub/me/alert-channel/verify
Alerts of your mandates are sent to this chat from then on.

Nobody who asks you for this code should get it. If you did not ask for it, do nothing: no alerts will be sent here.`

/** The mail that proves that an address is the owner's. */
export const codeMail = (code: string, key: string): Mail => ({
  key,
  subject: 'Your code for alerts of your mandates',
  text: `${code}

Show this code within 15 minutes, signed in with your wallet: POST /hub/me/alert-email/verify
Alerts of your mandates are sent to this address from then on.

Nobody who asks you for this code should get it. If you did not ask for it, do nothing: no alerts will be sent here.
`,
})
