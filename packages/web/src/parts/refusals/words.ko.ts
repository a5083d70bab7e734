import type { Words } from './words.ts'

export const ko: Words = {
  kinds: {
    TargetNotAllowed: '허용되지 않은 시장',
    OverPerTxCap: '1회 한도 초과',
    OverDailyCap: '1일 한도 초과',
    MandateStopped: '중지 후 시도',
    MandateEnded: '종료 후 시도',
    server_guard: '가드가 거부',
    owner_declined: '소유자가 거절',
  },
  none: '거부 없음',
  part: (count, kind) => `${kind} ${count}건`,
  told: (total, parts) => `거부 ${total}건: ${parts}`,
}
