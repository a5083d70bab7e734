import { textOfMinute, type AlertTimes } from './rules/alert-times.ts'

/** Returns the alert times of an owner as answers contain them. */
export const timesView = ({ timeZone, quiet, digestAt }: AlertTimes) => ({
  time_zone: timeZone,
  quiet: quiet === null ? null : { from: textOfMinute(quiet.from), to: textOfMinute(quiet.to) },
  digest_at: digestAt === null ? null : textOfMinute(digestAt),
})
