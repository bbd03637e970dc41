import type { Translation } from '../locale.ts'

export const people: Translation<'people', 'fr'> = {
  logins: {
    title: 'Sessions',
    description: 'Navigateurs connectés en votre nom. Déconnectez ceux que vous ne connaissez pas.',
    unknown: 'Appareil inconnu',
    thisOne: 'Ce navigateur',
    lastUse: 'Dernière utilisation :',
    firstUse: 'Première connexion :',
    end: 'Déconnecter {{device}}',
    ended: '{{device}} a été déconnecté.',
    endOthers: 'Déconnecter tous les autres',
    othersEnded: 'Tous les autres navigateurs ont été déconnectés.',
  },
  members: {
    title: 'Personnes',
    description:
      'Les membres ont leurs propres conversations et connexions. Ils ne peuvent utiliser un de vos dossiers ou serveurs que si vous le partagez.',
    empty: 'Personne d’autre que vous n’utilise cette installation.',
    name: 'Nom du nouveau membre',
    add: 'Ajouter un membre',
    link: 'Envoyez ce lien à {{user}}. Il fonctionne une fois, pendant une heure.',
    linkLocalOnly:
      'Aucune autre adresse de ce serveur n’est connue : le lien ne fonctionne que sur cet ordinateur. Démarrez Capstan avec --origin pour indiquer une adresse.',
    newLink: 'Nouveau lien de connexion pour {{user}}',
    neverUsed: 'ne s’est pas encore connecté',
    remove: 'Retirer {{user}}',
    removeTitle: 'Retirer {{user}} ?',
    removeText:
      '{{user}} est déconnecté aussitôt, et ses tours en cours sont arrêtés. Ses conversations restent enregistrées.',
    removeConfirm: 'Retirer',
    removed: '{{user}} a été retiré.',
    limits: 'Limites de {{user}}',
    turnsAtOnce: 'Tours en même temps',
    messagesPerMinute: 'Messages par minute',
    usdPerDay: 'Dollars américains en 24 heures',
    threads: 'Conversations enregistrées',
    save: 'Enregistrer les limites',
    saved: 'Les limites de {{user}} ont été enregistrées.',
  },
  loginAgain: {
    title: 'Connectez-vous de nouveau',
    text: 'Ce changement touche l’ordinateur sur lequel tourne Capstan. Pour montrer que c’est bien vous, lancez-y cette commande :',
    paste: 'Elle affiche un lien. Collez-le ici, ou ouvrez-le dans ce navigateur.',
    field: 'Lien de connexion',
    submit: 'Se connecter et continuer',
    opened: 'J’ai ouvert le lien',
    wrong: 'Ce lien ne fonctionne plus, ou il appartient à quelqu’un d’autre. Relancez la commande.',
  },
  ofOwner: {
    model: 'Le propriétaire de cette installation choisit le modèle.',
    folders: 'Le propriétaire partage ces dossiers avec vous.',
    noFolders: 'Le propriétaire ne partage aucun dossier avec vous.',
    fullMode: 'Seul le propriétaire peut utiliser ce mode.',
  },
  share: {
    folder: 'Partager {{folder}} avec les membres',
    server: 'Partager avec les membres',
    serverHint: 'Les membres pourront utiliser ce serveur avec les droits de cet ordinateur.',
    failed: 'Le partage n’a pas réussi. {{reason}}',
  },
}
