import type { Translation } from '../locale.ts'

export const failures: Translation<'failures', 'ko'> = {
  why: '이유',
  next: '다음에 할 일',
  classes: {
    timeout: {
      name: '너무 오래 걸림',
      why: '너무 오래 걸려서 중지되었습니다.',
      next: '어시스턴트가 다시 시도할 수 있습니다. 안 되면 나중에 다시 요청하세요.',
    },
    rate_limited: {
      name: '속도를 늦추라는 요청',
      why: '서비스에서 속도를 늦춰 달라고 했습니다.',
      next: '어시스턴트가 잠시 후 다시 시도할 수 있습니다. 안 되면 나중에 다시 요청하세요.',
    },
    service_unavailable: {
      name: '서비스를 사용할 수 없음',
      why: '서비스에 연결할 수 없거나 지금 작동하지 않습니다.',
      next: '어시스턴트가 다시 시도할 수 있습니다. 안 되면 나중에 다시 요청하세요.',
    },
    model_unreachable: {
      name: 'AI 모델에 연결할 수 없음',
      why: 'AI 모델에 연결할 수 없었습니다.',
      next: '연결 상태와 모델 설정을 확인한 뒤 다시 시도하세요.',
    },
    quota_exhausted: {
      name: '한도 소진',
      why: '요금제, 크레딧 또는 예산을 모두 사용했습니다.',
      next: '충전하거나 다른 요금제 또는 모델을 선택하세요.',
    },
    bad_credentials: {
      name: '로그인이 거부됨',
      why: '로그인이 없거나 만료되었거나 이 작업을 허용하지 않습니다.',
      next: '계정을 다시 연결하세요.',
    },
    not_connected: {
      name: '연결되지 않음',
      why: '이 앱은 아직 연결되지 않았습니다.',
      next: '앱을 연결한 뒤 다시 요청하세요.',
    },
    missing_permission: {
      name: '권한 없음',
      why: '권한이 없거나 항목이 공유되지 않았습니다.',
      next: '권한을 주거나 항목을 공유한 뒤 다시 요청하세요.',
    },
    missing_app: {
      name: '프로그램 없음',
      why: '필요한 프로그램이 없습니다.',
      next: '프로그램을 설치하거나 실행한 뒤 다시 요청하세요.',
    },
    blocked_by_policy: {
      name: '설정에서 허용되지 않음',
      why: '안전 설정에서 이 작업을 허용하지 않습니다.',
      next: '원하시면 안전 설정을 변경하세요.',
    },
    denied_by_user: {
      name: '거부하셨습니다',
      why: '이 작업을 거부하셨습니다.',
      next: '할 일이 없습니다. 마음이 바뀌면 다시 요청하세요.',
    },
    approval_expired: {
      name: '제때 응답 없음',
      why: '승인 요청에 제때 응답한 사람이 없습니다.',
      next: '원할 때 다시 요청하세요. 자동으로 다시 시도하지 않습니다.',
    },
    not_found: {
      name: '찾을 수 없음',
      why: '말씀하신 대상이 존재하지 않습니다.',
      next: '할 일이 없습니다. 어시스턴트가 올바른 이름을 찾습니다.',
    },
    invalid_input: {
      name: '내용이 거부됨',
      why: '요청의 세부 내용이 받아들여지지 않았습니다.',
      next: '할 일이 없습니다. 어시스턴트가 고칩니다.',
    },
    conflict: {
      name: '충돌',
      why: '현재 상태와 맞지 않습니다.',
      next: '할 일이 없습니다. 어시스턴트가 현재 상태를 다시 확인합니다.',
    },
    unsupported: {
      name: '여기서는 불가능',
      why: '여기서는 이 방법으로 할 수 없습니다.',
      next: '다른 방법이 필요합니다. 직접 해야 하는 일도 있습니다.',
    },
    too_large: {
      name: '너무 큼',
      why: '크기가 너무 큽니다.',
      next: '할 일이 없습니다. 어시스턴트가 더 작은 부분을 다룹니다.',
    },
    command_failed: {
      name: '명령 실패',
      why: '명령이 실행되었지만 오류를 알렸습니다.',
      next: '할 일이 없습니다. 어시스턴트가 오류 내용을 읽습니다.',
    },
    interrupted: {
      name: '중단됨',
      why: '결과를 알기 전에 끊겼기 때문에 처리되었을 수도, 아닐 수도 있습니다.',
      next: '반복하기 전에 확인하세요.',
    },
    cancelled: {
      name: '중지됨',
      why: '중지되었습니다.',
      next: '할 일이 없습니다.',
    },
    unknown: {
      name: '실패',
      why: '무언가 실패했지만 이유가 표시되지 않았습니다.',
      next: '다시 시도하세요. 계속 실패하면 진단을 실행하세요.',
    },
  },
  model: {
    timeout: {
      why: 'AI 모델이 답하는 데 너무 오래 걸렸습니다.',
      next: '다시 시도하세요. 계속되면 더 빠른 모델을 선택하세요.',
    },
    rate_limited: {
      why: 'AI 모델 제공업체에서 속도를 늦춰 달라고 했습니다.',
      next: '잠시 기다렸다가 다시 시도하세요.',
    },
    quota_exhausted: {
      why: 'AI 모델 제공업체의 크레딧이나 요금제를 모두 사용했습니다.',
      next: '충전하거나 다른 모델을 선택하세요.',
    },
    bad_credentials: {
      why: 'AI 모델 제공업체에서 키를 받아들이지 않았습니다.',
      next: '모델 설정에서 키를 확인하세요.',
    },
    not_found: {
      why: '제공업체에 이 AI 모델이 없습니다.',
      next: '모델 설정에서 이름을 확인하거나 다른 모델을 선택하세요.',
    },
    invalid_input: {
      why: 'AI 모델 제공업체에서 요청을 받아들이지 않았습니다.',
      next: '새 대화에서 다시 시도하거나 다른 모델을 선택하세요.',
    },
    too_large: {
      why: '이 AI 모델에는 대화가 너무 깁니다.',
      next: '새 대화를 시작하거나 더 긴 대화를 다룰 수 있는 모델을 선택하세요.',
    },
    unsupported: {
      why: '이 AI 모델은 그 작업을 할 수 없습니다.',
      next: '할 수 있는 모델을 선택하세요.',
    },
    blocked_by_policy: {
      why: 'AI 모델 제공업체에서 답변을 거절했습니다.',
      next: '요청을 다르게 표현하거나 다른 모델을 선택하세요.',
    },
  },
  details: {
    'agent-halted': {
      why: '{{agent}} 에이전트가 진전이 없어 중지되었습니다.',
      next: '다른 방식으로 요청하거나 더 작은 부분을 요청하세요.',
    },
    'agent-capped': {
      why: '{{agent}} 에이전트가 끝내기 전에 한도에 도달했습니다.',
      next: '계속하게 하거나 더 작은 부분을 요청하세요.',
    },
    'agent-nested': {
      why: '{{agent}} 에이전트가 시작되지 않았습니다. 에이전트를 그렇게 깊이 중첩할 수 없습니다.',
      next: '할 일이 없습니다. 이 부분은 어시스턴트가 직접 합니다.',
    },
    'empty-reply': {
      why: 'AI 모델이 아무 대답도 하지 않았습니다.',
      next: '다시 시도하세요. 계속되면 다른 모델을 선택하세요.',
    },
    limit: {
      why: '이 요청의 한도에 도달했습니다.',
      next: '더 작은 부분을 요청하거나 한도를 높이세요.',
    },
    'done-already': {
      why: '이 요청에서 같은 작업이 이미 수행되어 반복하지 않았습니다.',
      next: '한 번 더 필요하면 새 메시지로 말씀해 주세요.',
    },
  },
  tried: '{{tries}}번 시도했습니다.',
  ended: {
    later: '나중에 다시 시도하세요.',
    otherwise: '다시 시도하거나 다른 방식으로 요청하세요.',
  },
  buttons: {
    connect: '연결',
    reconnect: '다시 연결',
    allow: '허용',
    retry: '다시 시도',
    openSettings: '설정 열기',
    runDiagnostics: '진단 실행',
  },
}
