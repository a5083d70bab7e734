import type { Words } from './words.ts'

export const ko: Words = {
  other: '지갑이 로그인한 계정과 다른 계정을 보여 주고 있습니다. 여기서는 서명할 수 없습니다.',
  lost: '지갑의 연결이 끊어졌습니다.',
  network: '지갑이 다른 네트워크로 이동했습니다. 다시 전환하도록 요청합니다.',
}
