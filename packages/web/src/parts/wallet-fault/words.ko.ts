import type { Words } from './words.ts'

export const ko: Words = {
  declined: {
    title: '지갑에서 거절하셨습니다',
    said: '서명되거나 전송된 것은 없습니다. 다시 시도할 수 있습니다.',
  },
  pending: {
    title: '지갑이 응답을 기다리고 있습니다',
    said: '지갑에 열려 있는 요청이 있습니다. 지갑에서 응답한 뒤 돌아오세요.',
  },
  unknown_network: {
    title: '지갑에 등록되지 않은 네트워크입니다',
    said: '지갑에 네트워크를 추가한 뒤 다시 시도하세요.',
  },
  wrong_network: {
    title: '지갑이 다른 네트워크에 있습니다',
    said: '전환을 요청했지만 바뀌지 않았습니다. 지갑에서 직접 네트워크를 선택한 뒤 다시 시도하세요.',
  },
  unauthorised: {
    title: '지갑이 이 페이지를 허용하지 않습니다',
    said: '지갑에서 이 페이지를 연결한 뒤 다시 시도하세요.',
  },
  unsupported: {
    title: '이 지갑은 지원하지 않는 기능입니다',
    said: '이 단계에서는 다른 지갑을 사용하세요.',
  },
  disconnected: {
    title: '지갑의 연결이 끊어졌습니다',
    said: '지갑과 네트워크의 연결을 확인한 뒤 다시 시도하세요.',
  },
  locked: {
    title: '로그인한 계정을 보여 주는 지갑이 없습니다',
    said: '로그인에 사용한 지갑의 잠금을 해제하고 이 페이지에 해당 계정을 연결하세요.',
  },
  other_account: {
    title: '지갑이 다른 계정을 보여 주고 있습니다',
    said: '로그인한 계정을 선택하세요. 서명된 것은 없습니다.',
  },
  failed: {
    title: '지갑이 처리하지 못했습니다',
    said: '전송이 확인된 것은 없습니다. 지갑의 메시지:',
  },
  network: (name, id) => `${name}, 체인 ${id}`,
  addNetwork: '지갑에 네트워크 추가',
  again: '다시 시도',
  another: '다른 지갑 사용',
}
