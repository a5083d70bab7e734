import type { Words } from './words.ts'

export const ko: Words = {
  title: '데모 지갑',
  mark: '테스트 머니',
  lead: '실제 지갑이라면 여기서 별도의 창이 열립니다. 이 지갑은 로컬 테스트 체인의 것이어서 실제 지갑 없이도 모든 것을 시험할 수 있습니다.',
  message: '서명할 메시지',
  document: '서명할 문서',
  transaction: '전송할 트랜잭션',
  to: '받는 주소',
  calls: '함수',
  value: '함께 보내는 이더',
  sign: '서명',
  send: '전송',
  decline: '거절',
  functions: {
    '0x7eac2ff0': 'createVault: 서명한 약정의 금고 만들기',
    '0x095ea7b3': 'approve: 금고에 USDC 사용 허용',
    '0xb6b55f25': 'deposit: 금고에 USDC 입금',
    '0x07da68f5': 'stop: 에이전트를 영구히 차단',
    '0x7961803e': 'revokeAgent: 에이전트 일시 중지',
    '0xbcf685ed': 'setAgent: 에이전트 재개',
    '0x853828b6': 'withdrawAll: 전액 출금',
    '0x71646689': 'unwind: 포지션 청산',
    '0xde5f72fd': 'faucet: 테스트 USDC 받기',
  },
  yes: '예',
  no: '아니요',
}
