import type { Vocabulary } from './vocabulary.ts'

export const PORTUGUESE: Vocabulary = {
  approvalExpired: String.raw`
    (?:aprovação|confirmação).{0,40}(?:expir|esgot|sem resposta)`,
  deniedByUser: String.raw`
    (?:usuário|utilizador) (?:recusou|negou|rejeitou)
    (?:recusad|negad|rejeitad)[oa] pelo (?:usuário|utilizador)`,
  policy: String.raw`
    (?:bloquead|proibid|impedid).{0,68}(?:política|administrador)
    política.{0,68}(?:bloque|proíb|proib|impede|não permite)`,
  missingApp: String.raw`
    não instalad
    comando não encontrado
    não está instalad
    não é reconhecido como
    precisa ser instalad`,
  certificate: 'certificado\n(?:conexão|ligação) ssl',
  timeout: String.raw`
    tempo.{0,30}(?:esgot|exced|expir|atingid|ultrapass)
    terminou o tempo
    (?:ligação|conexão|solicitação|requisição|operação) (?:expirad|expirou)`,
  quota: String.raw`
    (?:saldo|crédito|cota|quota|limite (?:mensal|diário)).{0,40}(?:insuficiente|esgotad|excedid|atingid)
    pagamento necessário`,
  rateLimit: String.raw`
    muitas (?:solicitações|requisições|tentativas|chamadas)
    limite de (?:requisições|solicitações|taxa|pedidos|chamadas)
    demasiados pedidos`,
  tooLarge: String.raw`
    (?:muito|demasiado) (?:grande|long|extens)
    (?:excede|ultrapassa).{0,40}(?:tamanho|máximo|limite)
    memória (?:insuficiente|esgotada)
    alocar memória`,
  notConnected: String.raw`
    não (?:está|foi) (?:conectad|vinculad|ligad)
    (?:conecte|vincule|ligue) .{0,30}(?:conta|primeiro|antes)
    nenhuma conta (?:conectada|vinculada)`,
  credentials: String.raw`
    (?:token|sessão|senha|palavra-passe|credencia|chave|autenticação).{0,58}(?:expir|inválid|incorret|falh|revogad|necessári|obrigatóri)
    (?:erro|falha) (?:na|de) autenticação
    não autenticad
    não autorizad[oa]\W*$
    faça login
    inicie sessão`,
  syntax: 'erro de sintaxe',
  clash: 'serializar\nchave estrangeira\ndeadlock',
  permission: String.raw`
    somente (?:para )?leitura
    não foi possível acessar
    permiss(?:ão|ões) (?:recusad|negad|insuficient)
    acesso (?:negad|recusad|proibid)
    operação não permitid
    não (?:tem|possui|tens) (?:\S+ ){0,3}(?:permiss|acesso|autorização)
    não (?:está )?autorizad[oa] a
    sem permissão
    s[óo] (?:de )?leitura
    somente leitura
    não (?:foi )?(?:compartilhad|partilhad)`,
  conflict: String.raw`
    já (?:está )?(?:em (?:curso|andamento|progresso|execução)|conectad|ligad|definid)
    não é únic|não únic
    (?:arquivo|ficheiro|pasta|diretório) existe
    não vazi[oa]
    não .{0,20}(?:mesclad|fundid)
    já (?:existe|está|em uso|foi|cadastrad)
    o ficheiro existe
    duplicad[oa]
    ocupad[oa]
    não está vazi
    conflito`,
  unreachable: String.raw`
    conexão (?:foi )?(?:fechada|encerrada|terminada)
    não há rota
    a rede (?:não responde|está)
    fora de alcance$
    está desligado
    transporte não está conectad
    pipe quebrado
    cano (?:quebrado|partido)
    (?:aborto|interrupção) d[ea] (?:conexão|ligação)
    (?:host|máquina|servidor) desconhecid
    (?:ligação|conexão) .{0,40}(?:recusad|repost|falh|perdid|interrompid|encerrad)
    (?:não foi possível|impossível|falha ao) (?:conectar|ligar|contactar|resolver|estabelecer|se conectar)
    indisponível
    inacessível
    em (?:manutenção|baixo)
    fora do ar
    erro interno
    nome ou serviço
    resolução de nome
    sem caminho para`,
  notFound: String.raw`
    não é um(?:a)? (?:diretório|directório|pasta)
    (?:sem|nenhuma) regra
    impossível encontrar
    não (?:foi |foram )?(?:encontrad|exist|localizad)
    (?:não|nenhum).{0,38}encontra
    inexistente`,
  unsupported: String.raw`
    sem suporte
    inapropriad
    não (?:é |são )?(?:suportad|compatível|implementad|há suporte)
    executar (?:o )?binário
    formato do executável`,
  cancelled: String.raw`
    interrompid
    ^\W*terminado\W*$
    (?:operação|solicitação|tarefa|ação).{0,28}cancelad
    cancelad[oa]\W*$`,
  invalid: String.raw`
    \berrad[oa]s?\b
    incorret[oa]s?\b
    \bilegal\b
    (?:é |são )?(?:necessári|requerid|exigid|obrigatóri)[oa]s?\b
    demasiad[oa]s (?!pedidos|tentativas|requisições)
    (?:muitos|muitas|excesso de) (?!requisições|pedidos|tentativas|solicitações)
    fora d[oa]s? (?:intervalo|faixa|limites|alcance)
    deve (?:ser|ter|conter|estar)
    ambígu
    não (?:está |foi )?definid
    não é um(?:a)? .{0,30}válid
    é (?:uma? )?(?:pasta|diretório)
    (?:em falta|falta o)
    (?<!erro )desconhecid
    não reconhecid
    inválid
    (?:campo|parâmetro|argumento|valor).{0,38}(?:obrigatóri|necessári|ausente|incorret)
    erro de sintaxe
    opção (?:desconhecida|inválida)
    formato .{0,20}incorreto`,
}
