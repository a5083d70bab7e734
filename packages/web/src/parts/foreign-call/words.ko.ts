import type { Words } from './words.ts'

export const ko: Words = {
  title: '전송하지 마세요. 이 페이지가 작성한 호출이 아닙니다',
  said: '서비스가 다른 트랜잭션을 준비했습니다. 지갑에 전달하지 않았고 전송된 것도 없습니다. 페이지를 다시 불러오고, 반복되면 다른 작업을 하기 전에 알려 주세요.',
  here: '이 페이지',
  sent: '서비스',
  parts: {
    to: '호출 대상 주소',
    chain: '네트워크',
    value: '함께 보내는 이더',
    selector: '함수',
    length: '길이(바이트)',
    arguments: '인자',
  },
}
