import type { AlertSender } from './delivery.ts'

const TIMEOUT_MS = 10_000

/** The bot of a token at an API, which sends alerts to chats as plain text; null without a token. */
export function openTelegram(apiUrl: string, token: string | null): AlertSender | null {
  if (token === null) return null
  return async (chat_id, { text, link }) => {
    try {
      const { ok, status } = await fetch(`${apiUrl.replace(/\/$/, '')}/bot${token}/sendMessage`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ chat_id, text: `${text}\n${link}`, link_preview_options: { is_disabled: true } }),
        redirect: 'error',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      })
      if (ok) return { sent: true }
      // 400 and 403: no such chat, or the bot was blocked. Everything else may be over at another try.
      return { sent: false, failure: `telegram answered ${status}`, final: status === 400 || status === 403 }
    } catch {
      return { sent: false, failure: 'telegram could not be reached', final: false }
    }
  }
}
