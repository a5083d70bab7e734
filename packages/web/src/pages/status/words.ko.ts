import type { Words } from './words.ts'

export const ko: Words = {
  title: '상태',
  lead: '한도를 지키는 작업이 실행되고 있는지 보여 줍니다. 30초마다 보고하며 이름과 경과 시간만 있고 지갑과 금액은 없습니다.',
  all: (n) => `작업 ${n}개가 모두 실행 중입니다`,
  some: (bad, n) => `작업 ${n}개 중 ${bad}개를 확인해야 합니다`,
  none: '아직 보고한 작업이 없습니다.',
  stopLine: '손실 제한선, 최근 30일',
  stopLineHint:
    '작동 불가는 손실 제한선의 작업이 실제로 실행되지 않은 시간의 비율입니다. 관찰을 시작하기 전의 시간도 포함합니다.',
  legs: '손실 제한선이 있는 레그',
  legsProtected: (n, of) => `${of}개 중 ${n}개 보호`,
  vaults: '금고, 작동 불가',
  ofLegs: '레그, 작동 불가',
  watchedSince: '관찰 시작',
  worth: '가장 오래된 평가액',
  hall: '전당 스냅샷',
  workers: '작업',
  worker: '작업',
  service: '서비스',
  state: '상태',
  lastRun: '마지막 실행',
  period: '실행 간격',
  seconds: (n) => (n < 120 ? `${n}초` : n < 7_200 ? `${Math.round(n / 60)}분` : `${Math.round(n / 3_600)}시간`),
  ago: (age) => `${age} 전`,
  dry: '모의 실행',
  states: { ok: '정상', failing: '실패', late: '지연' },
}
