import type { Translation } from '../locale.ts'

export const problems: Translation<'problems', 'zh-CN'> = {
  codes: {
    invalid: '你输入的某些内容未被接受。',
    signed_out: '你已退出登录。请再次打开登录链接。',
    forbidden: '不允许这样做。',
    login_again: '请先再次登录：此更改会影响运行 Capstan 的计算机。',
    not_found: '该内容不存在，或已不存在。',
    conflict: '内容在此期间发生了变化。请查看后再试一次。',
    held: '一切都已停止。请先解除，再重新发送消息。',
    too_large: '内容太大。',
    rate_limited: '操作有点太快了。请稍等片刻，然后重试。',
    limit_reached: '你已达到所有者为你设定的限制。',
    unavailable: '目前不可用。请稍后重试。',
    internal: '我们这边出了问题。请重试；如果反复出现，请运行诊断。',
  },
  other: '没有成功。请重试。',
  offline: '无法连接到 Capstan。请确认它正在运行。',
  fields: {
    'not-absolute': '请输入完整路径，例如 /home/you/Documents。',
    'not-a-folder': '“{{value}}”不是可读取的文件夹。',
    'own-data': '“{{value}}”存有 Capstan 自己的数据。请选择其他文件夹。',
    'not-a-host': '“{{value}}”不是主机。请输入 example.com 或 *.example.com 这样的名称。',
    'host-too-wide': '“{{value}}”涵盖任何人的主机。请填写你自己的域名。',
    'no-host': '请至少填写一个主机。',
    'too-many': '最多 {{most}} 个。',
    length: '请输入 {{least}} 到 {{most}} 个字符。',
    'bad-name': '只能使用字母、数字、点、连字符和下划线，最多 {{most}} 个。',
    taken: '“{{value}}”已存在。',
    'not-a-key': '这看起来不像密钥。',
    'not-a-variable': '“{{value}}”不是变量名。请只输入名称，不要带值。',
  },
  checks: {
    node: {
      name: 'Node.js',
      about: 'Capstan 运行所用的版本。',
    },
    store: {
      name: '存储的数据',
      about: '能否读取和写入对话。',
    },
    disk: {
      name: '磁盘空间',
      about: '是否有空间存放新数据。',
    },
    model: {
      name: 'AI 模型',
      about: '所选模型能否使用。',
    },
    apps: {
      name: '已连接的应用',
      about: '能否访问你的应用。',
    },
    sandbox: {
      name: '隔离',
      about: '此计算机上的命令和程序能否被隔离。',
    },
    'demo-app': {
      name: '演示应用',
      about: 'Capstan 自带的 Notes 应用是否在运行。',
    },
    'web-app': {
      name: '网页应用',
      about: '这些页面是否完整。',
    },
    clock: {
      name: '时钟',
      about: '这台电脑的时间是否正确。',
    },
  },
  states: {
    ok: '一切正常',
    warning: '值得一看',
    failed: '需要处理',
  },
}
