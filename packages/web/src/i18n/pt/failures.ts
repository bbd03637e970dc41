import type { Translation } from '../locale.ts'

export const failures: Translation<'failures', 'pt'> = {
  why: 'Por quê',
  next: 'O que fazer agora',
  classes: {
    timeout: {
      name: 'Demorou demais',
      why: 'Demorou demais e foi interrompido.',
      next: 'O assistente pode tentar de novo. Se não, peça outra vez mais tarde.',
    },
    rate_limited: {
      name: 'Pediram para ir mais devagar',
      why: 'O serviço pediu para irmos mais devagar.',
      next: 'O assistente pode tentar de novo em instantes. Se não, peça outra vez mais tarde.',
    },
    service_unavailable: {
      name: 'Serviço indisponível',
      why: 'O serviço está fora do alcance ou não está funcionando agora.',
      next: 'O assistente pode tentar de novo. Se não, peça outra vez mais tarde.',
    },
    model_unreachable: {
      name: 'Modelo de IA inacessível',
      why: 'Não foi possível falar com o modelo de IA.',
      next: 'Verifique sua conexão e as configurações do modelo e tente de novo.',
    },
    quota_exhausted: {
      name: 'Esgotado',
      why: 'Um plano, um crédito ou um orçamento se esgotou.',
      next: 'Recarregue, ou escolha outro plano ou outro modelo.',
    },
    bad_credentials: {
      name: 'Acesso não aceito',
      why: 'O acesso está faltando, expirou ou não permite isto.',
      next: 'Reconecte a conta.',
    },
    not_connected: {
      name: 'Não conectado',
      why: 'Este aplicativo ainda não está conectado.',
      next: 'Conecte-o e peça outra vez.',
    },
    missing_permission: {
      name: 'Falta permissão',
      why: 'Falta uma permissão, ou o item não foi compartilhado.',
      next: 'Dê a permissão ou compartilhe o item e peça outra vez.',
    },
    missing_app: {
      name: 'Falta um programa',
      why: 'Falta um programa necessário.',
      next: 'Instale ou abra o programa e peça outra vez.',
    },
    blocked_by_policy: {
      name: 'Não permitido pelas suas configurações',
      why: 'Suas configurações de segurança não permitem isto.',
      next: 'Mude as configurações de segurança, se quiser.',
    },
    denied_by_user: {
      name: 'Você disse não',
      why: 'Você disse não a isto.',
      next: 'Nada a fazer. Peça outra vez se mudar de ideia.',
    },
    approval_expired: {
      name: 'Sem resposta a tempo',
      why: 'Ninguém respondeu a tempo ao pedido de aprovação.',
      next: 'Peça outra vez quando quiser. Não será repetido sozinho.',
    },
    not_found: {
      name: 'Não encontrado',
      why: 'O que foi citado não existe.',
      next: 'Nada a fazer. O assistente procura o nome certo.',
    },
    invalid_input: {
      name: 'Dados não aceitos',
      why: 'Os dados do pedido não foram aceitos.',
      next: 'Nada a fazer. O assistente os corrige.',
    },
    conflict: {
      name: 'Conflito',
      why: 'Não combina com o estado atual das coisas.',
      next: 'Nada a fazer. O assistente olha de novo como as coisas estão.',
    },
    unsupported: {
      name: 'Não é possível aqui',
      why: 'Aqui não dá para fazer deste jeito.',
      next: 'É preciso outro caminho. Algumas coisas têm de ser feitas à mão.',
    },
    too_large: {
      name: 'Grande demais',
      why: 'É grande demais.',
      next: 'Nada a fazer. O assistente pega uma parte menor.',
    },
    command_failed: {
      name: 'O comando falhou',
      why: 'O comando foi executado e informou um erro.',
      next: 'Nada a fazer. O assistente lê o que ele informou.',
    },
    interrupted: {
      name: 'Interrompido',
      why: 'Foi interrompido antes de se saber o resultado: pode ter acontecido ou não.',
      next: 'Confira antes de repetir.',
    },
    cancelled: {
      name: 'Parado',
      why: 'Foi parado.',
      next: 'Nada a fazer.',
    },
    unknown: {
      name: 'Falhou',
      why: 'Algo falhou e não disse por quê.',
      next: 'Tente de novo. Se continuar falhando, execute o diagnóstico.',
    },
  },
  model: {
    timeout: {
      why: 'O modelo de IA demorou demais para responder.',
      next: 'Tente de novo. Se continuar, escolha um modelo mais rápido.',
    },
    rate_limited: {
      why: 'O fornecedor do modelo de IA pediu para irmos mais devagar.',
      next: 'Espere um momento e tente de novo.',
    },
    quota_exhausted: {
      why: 'O crédito ou o plano no fornecedor do modelo de IA se esgotou.',
      next: 'Recarregue, ou escolha outro modelo.',
    },
    bad_credentials: {
      why: 'O fornecedor do modelo de IA não aceitou a chave.',
      next: 'Verifique a chave nas configurações do modelo.',
    },
    not_found: {
      why: 'O fornecedor não conhece este modelo de IA.',
      next: 'Verifique o nome nas configurações do modelo, ou escolha outro modelo.',
    },
    invalid_input: {
      why: 'O fornecedor do modelo de IA não aceitou o pedido.',
      next: 'Tente de novo em uma conversa nova, ou escolha outro modelo.',
    },
    too_large: {
      why: 'A conversa é longa demais para este modelo de IA.',
      next: 'Comece uma conversa nova, ou escolha um modelo que aguente uma mais longa.',
    },
    unsupported: {
      why: 'Este modelo de IA não consegue fazer isso.',
      next: 'Escolha um modelo que consiga.',
    },
    blocked_by_policy: {
      why: 'O fornecedor do modelo de IA não quis responder a isto.',
      next: 'Peça de outra forma, ou escolha outro modelo.',
    },
  },
  details: {
    'agent-halted': {
      why: 'O agente {{agent}} foi parado porque não avançava.',
      next: 'Peça de outro jeito, ou peça uma parte menor.',
    },
    'agent-capped': {
      why: 'O agente {{agent}} chegou ao limite antes de terminar.',
      next: 'Deixe-o continuar, ou peça uma parte menor.',
    },
    'agent-nested': {
      why: 'O agente {{agent}} não foi iniciado: os agentes não podem ser aninhados tão fundo.',
      next: 'Nada a fazer. O assistente faz esta parte ele mesmo.',
    },
    'empty-reply': {
      why: 'O modelo de IA não respondeu nada.',
      next: 'Tente de novo. Se continuar, escolha outro modelo.',
    },
    limit: {
      why: 'O limite deste pedido foi atingido.',
      next: 'Peça uma parte menor, ou aumente o limite.',
    },
    'model-address': {
      why: 'O endereço não indica nenhum modelo.',
      next: 'Escreva o modelo depois de um #: http://127.0.0.1:4000/v1#llama.',
    },
    'model-name': {
      why: 'Isto não é o nome de um modelo.',
      next: 'Escreva provedor/modelo, como openai/gpt-6-sol, ou o endereço de um servidor.',
    },
    'model-key': {
      why: 'Falta a chave deste modelo de IA.',
      next: 'Informe-a nas configurações do modelo.',
    },
    'model-silent': {
      why: 'Nada responde no endereço deste modelo de IA.',
      next: 'Verifique se o servidor está em execução, o host e a porta.',
    },
    'model-host': {
      why: 'O nome no endereço deste modelo de IA não é conhecido na rede.',
      next: 'Verifique como o endereço está escrito.',
    },
    'model-insecure': {
      why: 'Não há conexão segura com este modelo de IA: o certificado dele não é aceito, ou ele não usa TLS.',
      next: 'Verifique o certificado do servidor, ou se o endereço deve começar com http://.',
    },
    'model-page': {
      why: 'Neste endereço responde uma página da web, não um modelo de IA.',
      next: 'Verifique o endereço: ele costuma terminar em /v1.',
    },
    'images-unsupported': {
      why: 'Este modelo de IA não consegue ver imagens.',
      next: 'Escolha um modelo que consiga ver imagens ou descreva a imagem com palavras.',
    },
    'files-unsupported': {
      why: 'Este modelo de IA não consegue ler este tipo de arquivo.',
      next: 'Escolha um modelo que consiga ou envie o conteúdo como texto.',
    },
    'attachment-too-large': {
      why: 'Os arquivos desta mensagem são grandes demais ou numerosos demais.',
      next: 'Envie de novo com menos arquivos ou com arquivos menores.',
    },
    'attachment-unreadable': {
      why: 'Não foi possível ler um arquivo desta mensagem. Ele pode estar danificado ou protegido com senha.',
      next: 'Salve-o de novo sem senha ou envie o conteúdo como texto.',
    },
    'day-limit': {
      why: 'O limite de {{amount}} por dia definido aqui acabou.',
      next: 'Aumente-o nas configurações, em Gastos, ou espere até amanhã. Um membro pode pedir ao proprietário.',
    },
    'month-limit': {
      why: 'O limite de {{amount}} por mês definido aqui acabou.',
      next: 'Aumente-o nas configurações, em Gastos, ou espere o próximo mês. Um membro pode pedir ao proprietário.',
    },
    'gave-up': {
      why: 'Isto foi interrompido várias vezes e, por isso, não foi tentado de novo.',
      next: 'Veja acima o que foi feito e peça o resto em partes menores.',
    },
    'done-already': {
      why: 'O mesmo já foi feito neste pedido, por isso não foi repetido.',
      next: 'Se deve acontecer mais uma vez, diga isso em uma nova mensagem.',
    },
  },
  tried: 'Foi tentado {{tries}} vezes.',
  ended: {
    later: 'Tente de novo mais tarde.',
    otherwise: 'Tente de novo ou peça de outra maneira.',
  },
  allow: {
    why: '{{action}} pertence a “{{kind}}”, que está desligado em {{name}}.',
    next: 'Permita “{{kind}}” em {{name}}, aqui ou em Conexões.',
    button: 'Permitir “{{kind}}” em {{name}}',
    done: '“{{kind}}” agora é permitido em {{name}}. A próxima tentativa não será recusada por isso.',
  },
  buttons: {
    connect: 'Conectar',
    reconnect: 'Reconectar',
    allow: 'Permitir',
    retry: 'Tentar de novo',
    openSettings: 'Abrir configurações',
    runDiagnostics: 'Executar diagnóstico',
  },
}
