import type { Translation } from '../locale.ts'

export const problems: Translation<'problems', 'pt'> = {
  codes: {
    invalid: 'Algo que você digitou não foi aceito.',
    signed_out: 'Você saiu da sessão. Abra de novo o link de acesso.',
    forbidden: 'Isto não é permitido.',
    login_again: 'Primeiro entre de novo: esta mudança afeta o computador em que o Capstan funciona.',
    not_found: 'Não existe, ou não existe mais.',
    conflict: 'Mudou nesse meio-tempo. Olhe de novo e tente outra vez.',
    held: 'Tudo está parado. Libere e envie a mensagem de novo.',
    too_large: 'É grande demais.',
    rate_limited: 'Foi um pouco rápido demais. Espere um momento e tente de novo.',
    limit_reached: 'Você atingiu um limite que o proprietário definiu para você.',
    unavailable: 'Não está disponível agora. Tente de novo em instantes.',
    internal: 'Algo deu errado do nosso lado. Tente de novo; se continuar, execute o diagnóstico.',
  },
  other: 'Não funcionou. Tente de novo.',
  offline: 'Não foi possível falar com o Capstan. Verifique se ele está em execução.',
  fields: {
    'not-absolute': 'Digite o caminho completo, como /home/voce/Documentos.',
    'not-a-folder': '“{{value}}” não é uma pasta que possa ser lida.',
    'own-data': '“{{value}}” contém os dados do próprio Capstan. Escolha outra pasta.',
    'not-a-host': '“{{value}}” não é um host. Digite um como example.com ou *.example.com.',
    'host-too-wide': '“{{value}}” abrange hosts de qualquer pessoa. Indique um domínio seu.',
    'no-host': 'Indique pelo menos um host.',
    'too-many': 'No máximo {{most}}.',
    length: 'Digite de {{least}} a {{most}} caracteres.',
    'bad-name': 'Use apenas letras, números, pontos, hífens e sublinhados, no máximo {{most}}.',
    taken: '“{{value}}” já existe.',
    'not-a-key': 'Isso não parece uma chave.',
    'not-a-variable': '“{{value}}” não é o nome de uma variável. Digite só o nome, sem o valor.',
  },
  checks: {
    node: {
      name: 'Node.js',
      about: 'A versão em que o Capstan funciona.',
    },
    store: {
      name: 'Dados guardados',
      about: 'Se as conversas podem ser lidas e gravadas.',
    },
    disk: {
      name: 'Espaço em disco',
      about: 'Se há espaço para dados novos.',
    },
    model: {
      name: 'Modelo de IA',
      about: 'Se o modelo escolhido pode ser usado.',
    },
    apps: {
      name: 'Aplicativos conectados',
      about: 'Se é possível chegar aos seus aplicativos.',
    },
    sandbox: {
      name: 'Isolamento',
      about: 'Se os comandos e programas deste computador podem ser isolados.',
    },
    'demo-app': {
      name: 'Aplicativo de demonstração',
      about: 'Se o aplicativo Notes, que vem com o Capstan, está em execução.',
    },
    'web-app': {
      name: 'Aplicativo web',
      about: 'Se estas páginas estão completas.',
    },
    clock: {
      name: 'Relógio',
      about: 'Se a hora deste computador está certa.',
    },
  },
  states: {
    ok: 'Tudo certo',
    warning: 'Vale uma olhada',
    failed: 'Precisa de atenção',
  },
}
