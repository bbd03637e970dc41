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
  'needs-card': 'Uma palavra não basta para esta pergunta. Responda no cartão dela.',
  'storage-full':
    'Você usou todo o espaço que o proprietário lhe dá. Exclua conversas de que não precisa mais; arquivos e saídas longas ocupam mais espaço.',
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
    'when-unclear':
      'Não está claro. Escreva em inglês, como “every weekday at 8” ou “every 2 hours”, ou informe uma linha cron com cinco campos.',
    'when-no-time': 'Diga a que horas, como “at 8:00”.',
    'when-mixed': 'Os horários têm minutos diferentes. Adicione um agendamento para cada um.',
    'when-often': 'É frequente demais. No máximo a cada 15 minutos.',
    'when-never': 'Esse momento nunca chega.',
    'bad-zone': 'Esse fuso horário não existe. Informe um nome como Europe/Berlin.',
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
    embeddings: { name: 'Modelo de embeddings', about: 'Se a memória também é pesquisada pelo significado.' },
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
  findings: {
    node: 'Node {{version}}.',
    store: 'Os dados em {{folder}} podem ser lidos e gravados.',
    'store-replaced': 'Os dados guardados foram substituídos ao iniciar: {{detail}}',
    disk: '{{size}} livres.',
    model: '{{model}} está configurado.',
    'model-demo': 'O modelo de demonstração com roteiro está em uso.',
    'model-unusable': 'O modelo escolhido não pode ser usado: {{detail}}',
    apps: 'Apps conhecidos: {{known}}, conectados: {{connected}}.',
    'apps-unsure':
      'Apps conhecidos: {{known}}, conectados: {{connected}}. Alguns não puderam ser consultados.',
    'apps-broken': 'Apps conhecidos: {{known}}, conectados: {{connected}}. Não utilizáveis: {{names}}.',
    sandbox: 'Os programas estão confinados: um programa de teste não conseguiu ver a pasta de dados.',
    'sandbox-off': 'Os programas rodam sem confinamento, com todos os direitos deste usuário.',
    'sandbox-unavailable': 'Os programas não podem ser confinados aqui: {{detail}}',
    'sandbox-unlimited':
      'Os programas estão confinados, mas nada limita quantos processos iniciam de uma vez.',
    demo: 'O Notes responde em {{address}}.',
    'demo-off': 'Está desligado.',
    'demo-silent': 'O Notes não responde.',
    web: 'Está pronto.',
    'web-elsewhere': 'Não é servido daqui.',
    'web-missing': 'Não está pronto.',
    embeddings: '{{model}} está configurado. {{done}} de {{total}} itens na memória têm vetores.',
    'embeddings-off': 'Nenhum está definido. A memória é pesquisada por palavras.',
    'embeddings-failing':
      '{{done}} de {{total}} itens na memória têm vetores de {{model}}. A última tentativa falhou: {{detail}}',
    'embeddings-unusable': 'O modelo de embeddings escolhido não pode ser usado: {{detail}}',
    clock: 'O relógio marca {{time}}.',
    'clock-behind': 'O relógio marca {{time}}, mas uma conversa é posterior.',
    unchecked: 'Não foi possível verificar: {{detail}}',
  },
  remedies: {
    node: 'Instale o Node {{oldest}} ou mais novo.',
    store: 'Olhe na pasta “backups” se faltar alguma coisa.',
    'disk-soon': 'Libere espaço no disco antes que ele encha.',
    'disk-now': 'Libere espaço no disco: em breve nada poderá ser guardado.',
    model: 'Há um botão nas configurações para testá-lo.',
    'model-demo':
      'Digite a chave de um provedor nas configurações, ou inicie o Ollama, para falar com um modelo de verdade.',
    'model-unusable': 'Escolha outro modelo nas configurações ou digite a chave dele.',
    'apps-unsure': 'Tente de novo daqui a pouco.',
    'apps-broken': 'Reconecte em Conexões.',
    sandbox:
      'Enquanto o bubblewrap não funcionar, comandos e programas são recusados. “npx capstan doctor” diz o que falta.',
    'sandbox-unlimited':
      'Execute o Capstan como usuário normal, dê a ele um cgroup gravável (systemd: Delegate=yes) ou use Linux 6.14 ou mais recente.',
    restart: 'Inicie o servidor de novo.',
    'embeddings-unusable': 'Escolha outro modelo de embeddings nas configurações ou insira a chave dele.',
    clock: 'Acerte o relógio deste computador: logins e aprovações dependem dele.',
  },
}
