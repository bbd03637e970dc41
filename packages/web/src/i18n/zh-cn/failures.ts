import type { Translation } from '../locale.ts'

export const failures: Translation<'failures', 'zh-CN'> = {
  why: '原因',
  next: '接下来怎么办',
  classes: {
    timeout: {
      name: '用时过长',
      why: '用时过长，已被停止。',
      next: '助手可能会再试一次；否则请稍后再提出。',
    },
    rate_limited: {
      name: '被要求放慢',
      why: '该服务要求我们放慢速度。',
      next: '助手稍后可能会再试一次；否则请稍后再提出。',
    },
    service_unavailable: {
      name: '服务不可用',
      why: '该服务目前无法访问或出现故障。',
      next: '助手可能会再试一次；否则请稍后再提出。',
    },
    model_unreachable: {
      name: '连接不上 AI 模型',
      why: '无法连接到 AI 模型。',
      next: '请检查网络连接和模型设置，然后重试。',
    },
    quota_exhausted: {
      name: '额度用完',
      why: '套餐、余额或预算已用完。',
      next: '请充值，或选择其他套餐或模型。',
    },
    bad_credentials: {
      name: '登录未被接受',
      why: '尚未登录、登录已过期，或该登录无权这样做。',
      next: '请重新连接该账号。',
    },
    not_connected: {
      name: '未连接',
      why: '此应用尚未连接。',
      next: '请先连接，然后再提出。',
    },
    missing_permission: {
      name: '缺少权限',
      why: '这里缺少权限，或者该内容没有共享给你。',
      next: '请授予权限或共享该内容，然后再提出。',
    },
    missing_app: {
      name: '缺少程序',
      why: '所需的程序不存在。',
      next: '请安装或启动该程序，然后再提出。',
    },
    blocked_by_policy: {
      name: '设置不允许',
      why: '你的安全设置不允许这样做。',
      next: '如果需要，请更改安全设置。',
    },
    denied_by_user: {
      name: '你已拒绝',
      why: '你拒绝了这项操作。',
      next: '无需任何操作。如果改变主意，请再提出。',
    },
    approval_expired: {
      name: '未及时答复',
      why: '没有人及时答复批准请求。',
      next: '需要时请再提出，系统不会自动重试。',
    },
    not_found: {
      name: '未找到',
      why: '所指的内容不存在。',
      next: '无需任何操作。助手会查找正确的名称。',
    },
    invalid_input: {
      name: '内容未被接受',
      why: '请求的内容未被接受。',
      next: '无需任何操作。助手会加以更正。',
    },
    conflict: {
      name: '冲突',
      why: '这与当前状态有冲突。',
      next: '无需任何操作。助手会重新查看当前状态。',
    },
    unsupported: {
      name: '这里做不到',
      why: '在这里不能这样做。',
      next: '需要换一种方式。有些事情只能手动完成。',
    },
    too_large: {
      name: '太大',
      why: '内容太大。',
      next: '无需任何操作。助手会处理较小的一部分。',
    },
    command_failed: {
      name: '命令失败',
      why: '命令已运行，但报告了错误。',
      next: '无需任何操作。助手会查看它报告的内容。',
    },
    interrupted: {
      name: '已中断',
      why: '在得知结果之前就中断了，所以这件事可能已经完成，也可能没有。',
      next: '重复之前请先检查。',
    },
    cancelled: {
      name: '已停止',
      why: '操作已停止。',
      next: '无需任何操作。',
    },
    unknown: {
      name: '失败',
      why: '出现了失败，但没有说明原因。',
      next: '请重试。如果一直失败，请运行诊断。',
    },
  },
  model: {
    timeout: {
      why: 'AI 模型的回答用时过长。',
      next: '请重试。如果经常发生，请选择更快的模型。',
    },
    rate_limited: {
      why: 'AI 模型的提供商要求我们放慢速度。',
      next: '请稍等片刻，然后重试。',
    },
    quota_exhausted: {
      why: '你在 AI 模型提供商处的余额或套餐已用完。',
      next: '请充值，或选择其他模型。',
    },
    bad_credentials: {
      why: 'AI 模型的提供商未接受该密钥。',
      next: '请在模型设置中检查密钥。',
    },
    not_found: {
      why: '提供商没有这个 AI 模型。',
      next: '请在模型设置中检查名称，或选择其他模型。',
    },
    invalid_input: {
      why: 'AI 模型的提供商未接受该请求。',
      next: '请在新对话中重试，或选择其他模型。',
    },
    too_large: {
      why: '对话太长，超出了此 AI 模型的限度。',
      next: '请开始新对话，或选择能处理更长对话的模型。',
    },
    unsupported: {
      why: '此 AI 模型做不到这一点。',
      next: '请选择能做到的模型。',
    },
    blocked_by_policy: {
      why: 'AI 模型的提供商拒绝回答此内容。',
      next: '请换一种说法，或选择其他模型。',
    },
  },
  details: {
    'agent-halted': {
      why: '代理 {{agent}} 因没有进展而被停止。',
      next: '请换一种说法，或只要求其中较小的一部分。',
    },
    'agent-capped': {
      why: '代理 {{agent}} 在完成之前达到了上限。',
      next: '让它继续，或只要求其中较小的一部分。',
    },
    'agent-nested': {
      why: '代理 {{agent}} 未启动：代理不能嵌套得这么深。',
      next: '无需操作。助手会自己完成这一部分。',
    },
    'empty-reply': {
      why: 'AI 模型没有给出任何回答。',
      next: '请重试。如果经常发生，请选择其他模型。',
    },
    limit: {
      why: '这次请求已达到上限。',
      next: '请只要求其中较小的一部分，或提高上限。',
    },
    'model-address': {
      why: '地址中没有写明模型。',
      next: '请在 # 后写上模型：http://127.0.0.1:4000/v1#llama。',
    },
    'model-name': {
      why: '这不是模型的名称。',
      next: '请写“提供商/模型”，例如 openai/gpt-6-sol，或服务器的地址。',
    },
    'model-key': {
      why: '缺少此 AI 模型的密钥。',
      next: '请在模型设置中填写。',
    },
    'model-silent': {
      why: '此 AI 模型的地址没有任何响应。',
      next: '请检查服务器是否在运行，以及主机和端口。',
    },
    'model-host': {
      why: '网络上找不到此 AI 模型地址中的名称。',
      next: '请检查地址的拼写。',
    },
    'model-insecure': {
      why: '无法与此 AI 模型建立安全连接：其证书未被接受，或未使用 TLS。',
      next: '请检查服务器的证书，或地址是否应以 http:// 开头。',
    },
    'model-page': {
      why: '此地址响应的是网页，而不是 AI 模型。',
      next: '请检查地址：它通常以 /v1 结尾。',
    },
    'images-unsupported': {
      why: '这个 AI 模型看不了图片。',
      next: '请选择能看图片的模型，或用文字描述图片内容。',
    },
    'files-unsupported': {
      why: '这个 AI 模型读不了这种文件。',
      next: '请选择能读取的模型，或以文字发送内容。',
    },
    'attachment-too-large': {
      why: '这条消息的文件太大或太多。',
      next: '请减少文件或换成更小的文件再发送。',
    },
    'attachment-unreadable': {
      why: '这条消息中有文件无法读取。它可能已损坏或受密码保护。',
      next: '请去掉密码重新保存，或以文字发送内容。',
    },
    'day-limit': {
      why: '此处设置的每天 {{amount}} 的限额已用完。',
      next: '请在设置的“支出”中提高限额，或等到明天。成员可以请所有者提高。',
    },
    'month-limit': {
      why: '此处设置的每月 {{amount}} 的限额已用完。',
      next: '请在设置的“支出”中提高限额，或等到下个月。成员可以请所有者提高。',
    },
    'gave-up': {
      why: '这项工作一再中断，因此没有再次尝试。',
      next: '请先查看上面已完成的内容，再把其余部分分小后提出。',
    },
    'done-already': {
      why: '这次请求中已经做过同样的事，因此没有重复。',
      next: '如果需要再做一次，请在新消息中说明。',
    },
  },
  tried: '已尝试 {{tries}} 次。',
  ended: {
    later: '请稍后重试。',
    otherwise: '请重试，或换一种方式提出。',
  },
  allow: {
    why: '{{action}} 属于“{{kind}}”，它在 {{name}} 中已关闭。',
    next: '请在此处或“连接”中允许 {{name}} 的“{{kind}}”。',
    button: '在 {{name}} 中允许“{{kind}}”',
    done: '{{name}} 中现已允许“{{kind}}”。下次尝试不会再因此被拒绝。',
  },
  buttons: {
    connect: '连接',
    reconnect: '重新连接',
    allow: '允许',
    retry: '重试',
    openSettings: '打开设置',
    runDiagnostics: '运行诊断',
  },
}
