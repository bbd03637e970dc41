import type { Translation } from '../locale.ts'

export const people: Translation<'people', 'pt'> = {
  logins: {
    title: 'Acessos',
    description: 'Navegadores que entraram em seu nome. Desconecte os que você não conhece.',
    unknown: 'Dispositivo desconhecido',
    thisOne: 'Este navegador',
    lastUse: 'Último uso:',
    firstUse: 'Primeiro acesso:',
    end: 'Desconectar {{device}}',
    ended: '{{device}} foi desconectado.',
    endOthers: 'Desconectar todos os outros',
    othersEnded: 'Todos os outros navegadores foram desconectados.',
  },
  members: {
    title: 'Pessoas',
    description:
      'Os membros têm conversas e conexões próprias. Eles só podem usar uma pasta ou um servidor seu se você compartilhar.',
    empty: 'Ninguém além de você usa esta instalação.',
    name: 'Nome do novo membro',
    add: 'Adicionar membro',
    link: 'Envie este link para {{user}}. Ele funciona uma vez, em até uma hora.',
    linkLocalOnly:
      'Nenhum outro endereço deste servidor é conhecido; por isso, o link só funciona neste computador. Inicie o Capstan com --origin para informar um endereço.',
    newLink: 'Novo link de acesso para {{user}}',
    neverUsed: 'ainda não entrou',
    remove: 'Remover {{user}}',
    removeTitle: 'Remover {{user}}?',
    removeText:
      '{{user}} é desconectado na hora, e seus turnos em andamento são parados. Suas conversas continuam guardadas.',
    removeConfirm: 'Remover',
    removed: '{{user}} foi removido.',
    limits: 'Limites de {{user}}',
    turnsAtOnce: 'Turnos ao mesmo tempo',
    messagesPerMinute: 'Mensagens por minuto',
    usdPerDay: 'Dólares americanos em 24 horas',
    threads: 'Conversas guardadas',
    save: 'Salvar limites',
    saved: 'Os limites de {{user}} foram salvos.',
  },
  loginAgain: {
    title: 'Entre de novo',
    text: 'Esta mudança afeta o computador em que o Capstan funciona. Para mostrar que é você, execute lá este comando:',
    paste: 'Ele mostra um link. Cole-o aqui ou abra-o neste navegador.',
    field: 'Link de acesso',
    submit: 'Entrar e continuar',
    opened: 'Já abri o link',
    wrong: 'Este link não funciona mais ou é de outra pessoa. Execute o comando de novo.',
  },
  ofOwner: {
    model: 'O proprietário desta instalação escolhe o modelo.',
    folders: 'O proprietário compartilha estas pastas com você.',
    noFolders: 'O proprietário não compartilha pastas com você.',
    fullMode: 'Só o proprietário pode usar este modo.',
  },
  share: {
    folder: 'Compartilhar {{folder}} com os membros',
    server: 'Compartilhar com os membros',
    serverHint: 'Os membros poderão usar este servidor com os direitos deste computador.',
    failed: 'Não foi possível compartilhar. {{reason}}',
  },
}
