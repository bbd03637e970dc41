import type { Translation } from '../locale.ts'

export const failures: Translation<'failures', 'fr'> = {
  why: 'Pourquoi',
  next: 'Que faire ensuite',
  classes: {
    timeout: {
      name: 'Trop long',
      why: 'Cela a pris trop de temps et a été arrêté.',
      next: 'L’assistant peut réessayer. Sinon, redemandez plus tard.',
    },
    rate_limited: {
      name: 'Ralentissement demandé',
      why: 'Le service nous a demandé de ralentir.',
      next: 'L’assistant peut réessayer dans un instant. Sinon, redemandez plus tard.',
    },
    service_unavailable: {
      name: 'Service indisponible',
      why: 'Le service est injoignable ou ne fonctionne pas pour le moment.',
      next: 'L’assistant peut réessayer. Sinon, redemandez plus tard.',
    },
    model_unreachable: {
      name: 'Modèle d’IA injoignable',
      why: 'Le modèle d’IA n’a pas pu être joint.',
      next: 'Vérifiez votre connexion et les réglages du modèle, puis réessayez.',
    },
    quota_exhausted: {
      name: 'Épuisé',
      why: 'Un forfait, un crédit ou un budget est épuisé.',
      next: 'Rechargez-le, ou choisissez un autre forfait ou un autre modèle.',
    },
    bad_credentials: {
      name: 'Identification refusée',
      why: 'L’identification est absente, a expiré ou ne permet pas cela.',
      next: 'Reconnectez le compte.',
    },
    not_connected: {
      name: 'Non connectée',
      why: 'Cette application n’est pas encore connectée.',
      next: 'Connectez-la, puis redemandez.',
    },
    missing_permission: {
      name: 'Autorisation manquante',
      why: 'Il manque une autorisation, ou l’élément n’a pas été partagé.',
      next: 'Accordez l’autorisation ou partagez l’élément, puis redemandez.',
    },
    missing_app: {
      name: 'Programme manquant',
      why: 'Un programme nécessaire n’est pas là.',
      next: 'Installez ou lancez le programme, puis redemandez.',
    },
    blocked_by_policy: {
      name: 'Interdit par vos réglages',
      why: 'Vos réglages de sécurité ne le permettent pas.',
      next: 'Modifiez les réglages de sécurité si vous le souhaitez.',
    },
    denied_by_user: {
      name: 'Vous avez refusé',
      why: 'Vous avez dit non.',
      next: 'Rien à faire. Redemandez si vous changez d’avis.',
    },
    approval_expired: {
      name: 'Pas de réponse à temps',
      why: 'Personne n’a répondu à temps à la demande d’accord.',
      next: 'Redemandez quand vous voudrez. Aucun nouvel essai ne sera fait tout seul.',
    },
    not_found: {
      name: 'Introuvable',
      why: 'Ce qui a été nommé n’existe pas.',
      next: 'Rien à faire. L’assistant cherche le bon nom.',
    },
    invalid_input: {
      name: 'Détails refusés',
      why: 'Les détails de la demande n’ont pas été acceptés.',
      next: 'Rien à faire. L’assistant les corrige.',
    },
    conflict: {
      name: 'Contradiction',
      why: 'Cela ne s’accorde pas avec l’état actuel des choses.',
      next: 'Rien à faire. L’assistant regarde de nouveau où en sont les choses.',
    },
    unsupported: {
      name: 'Impossible ici',
      why: 'Cela ne peut pas se faire ainsi, ici.',
      next: 'Il faut un autre moyen. Certaines choses doivent être faites à la main.',
    },
    too_large: {
      name: 'Trop gros',
      why: 'C’est trop gros.',
      next: 'Rien à faire. L’assistant en prend une partie plus petite.',
    },
    command_failed: {
      name: 'Échec de la commande',
      why: 'La commande s’est exécutée et a signalé une erreur.',
      next: 'Rien à faire. L’assistant lit ce qu’elle a signalé.',
    },
    interrupted: {
      name: 'Interrompu',
      why: 'Cela s’est interrompu avant que le résultat soit connu : c’est peut-être fait, peut-être pas.',
      next: 'Vérifiez avant de recommencer.',
    },
    cancelled: {
      name: 'Arrêté',
      why: 'Cela a été arrêté.',
      next: 'Rien à faire.',
    },
    unknown: {
      name: 'Échec',
      why: 'Quelque chose a échoué, sans dire pourquoi.',
      next: 'Réessayez. Si cela échoue encore, lancez le diagnostic.',
    },
  },
  model: {
    timeout: {
      why: 'Le modèle d’IA a mis trop de temps à répondre.',
      next: 'Réessayez. Si cela se répète, choisissez un modèle plus rapide.',
    },
    rate_limited: {
      why: 'Le fournisseur du modèle d’IA nous a demandé de ralentir.',
      next: 'Attendez un instant, puis réessayez.',
    },
    quota_exhausted: {
      why: 'Le crédit ou le forfait chez le fournisseur du modèle d’IA est épuisé.',
      next: 'Rechargez-le, ou choisissez un autre modèle.',
    },
    bad_credentials: {
      why: 'Le fournisseur du modèle d’IA n’a pas accepté la clé.',
      next: 'Vérifiez la clé dans les réglages du modèle.',
    },
    not_found: {
      why: 'Le fournisseur ne connaît pas ce modèle d’IA.',
      next: 'Vérifiez le nom dans les réglages du modèle, ou choisissez un autre modèle.',
    },
    invalid_input: {
      why: 'Le fournisseur du modèle d’IA n’a pas accepté la demande.',
      next: 'Réessayez dans une nouvelle conversation, ou choisissez un autre modèle.',
    },
    too_large: {
      why: 'La conversation est trop longue pour ce modèle d’IA.',
      next: 'Commencez une nouvelle conversation, ou choisissez un modèle qui en accepte de plus longues.',
    },
    unsupported: {
      why: 'Ce modèle d’IA ne sait pas faire cela.',
      next: 'Choisissez un modèle qui le peut.',
    },
    blocked_by_policy: {
      why: 'Le fournisseur du modèle d’IA a refusé de répondre à cela.',
      next: 'Formulez la demande autrement, ou choisissez un autre modèle.',
    },
  },
  details: {
    'agent-halted': {
      why: 'L’agent {{agent}} a été arrêté parce qu’il n’avançait pas.',
      next: 'Demandez-le autrement, ou demandez une plus petite partie.',
    },
    'agent-capped': {
      why: 'L’agent {{agent}} a atteint sa limite avant d’avoir terminé.',
      next: 'Laissez-le continuer, ou demandez une plus petite partie.',
    },
    'agent-nested': {
      why: 'L’agent {{agent}} n’a pas été lancé : les agents ne peuvent pas être imbriqués aussi profondément.',
      next: 'Rien à faire. L’assistant fait cette partie lui-même.',
    },
    'empty-reply': {
      why: 'Le modèle d’IA n’a rien répondu.',
      next: 'Réessayez. Si cela se répète, choisissez un autre modèle.',
    },
    limit: {
      why: 'La limite de cette demande est atteinte.',
      next: 'Demandez une plus petite partie, ou relevez la limite.',
    },
    'model-address': {
      why: 'L’adresse ne nomme aucun modèle.',
      next: 'Écrivez le modèle après un # : http://127.0.0.1:4000/v1#llama.',
    },
    'model-name': {
      why: 'Ce n’est pas le nom d’un modèle.',
      next: 'Écrivez fournisseur/modèle, par exemple openai/gpt-6-sol, ou l’adresse d’un serveur.',
    },
    'model-key': {
      why: 'La clé de ce modèle d’IA manque.',
      next: 'Saisissez-la dans les réglages du modèle.',
    },
    'model-silent': {
      why: 'Rien ne répond à l’adresse de ce modèle d’IA.',
      next: 'Vérifiez que le serveur fonctionne, ainsi que l’hôte et le port.',
    },
    'model-host': {
      why: 'Le nom dans l’adresse de ce modèle d’IA est inconnu sur le réseau.',
      next: 'Vérifiez l’orthographe de l’adresse.',
    },
    'model-insecure': {
      why: 'Il n’y a pas de connexion sécurisée avec ce modèle d’IA : son certificat n’est pas accepté, ou il n’utilise pas TLS.',
      next: 'Vérifiez le certificat du serveur, ou si l’adresse doit commencer par http://.',
    },
    'model-page': {
      why: 'Une page web répond à cette adresse, pas un modèle d’IA.',
      next: 'Vérifiez l’adresse : elle se termine souvent par /v1.',
    },
    'images-unsupported': {
      why: 'Ce modèle d’IA ne peut pas voir les images.',
      next: 'Choisissez un modèle capable de voir les images, ou décrivez l’image avec des mots.',
    },
    'files-unsupported': {
      why: 'Ce modèle d’IA ne peut pas lire ce type de fichier.',
      next: 'Choisissez un modèle qui le peut, ou envoyez le contenu sous forme de texte.',
    },
    'attachment-too-large': {
      why: 'Les fichiers de ce message sont trop gros ou trop nombreux.',
      next: 'Renvoyez-le avec moins de fichiers ou des fichiers plus petits.',
    },
    'attachment-unreadable': {
      why: 'Un fichier de ce message n’a pas pu être lu. Il est peut-être endommagé ou protégé par un mot de passe.',
      next: 'Enregistrez-le à nouveau sans mot de passe, ou envoyez le contenu sous forme de texte.',
    },
    'day-limit': {
      why: 'La limite de {{amount}} par jour fixée ici est épuisée.',
      next: 'Augmentez-la dans les réglages, sous Dépenses, ou attendez demain. Un membre peut demander au propriétaire.',
    },
    'month-limit': {
      why: 'La limite de {{amount}} par mois fixée ici est épuisée.',
      next: 'Augmentez-la dans les réglages, sous Dépenses, ou attendez le mois prochain. Un membre peut demander au propriétaire.',
    },
    'gave-up': {
      why: 'Cela a été interrompu à plusieurs reprises et n’a donc pas été retenté.',
      next: 'Regardez ci-dessus ce qui a été fait, puis demandez le reste en plus petites parties.',
    },
    'done-already': {
      why: 'La même action a déjà été faite dans cette demande, elle n’a donc pas été répétée.',
      next: 'Si elle doit avoir lieu encore une fois, dites-le dans un nouveau message.',
    },
  },
  tried: 'Cela a été tenté {{tries}} fois.',
  ended: {
    later: 'Réessayez plus tard.',
    otherwise: 'Réessayez, ou demandez-le autrement.',
  },
  allow: {
    why: '{{action}} relève de « {{kind}} », désactivé dans {{name}}.',
    next: 'Autorisez « {{kind}} » dans {{name}}, ici ou sous Connexions.',
    button: 'Autoriser « {{kind}} » dans {{name}}',
    done: '« {{kind}} » est maintenant autorisé dans {{name}}. Le prochain essai ne sera plus refusé pour cela.',
  },
  buttons: {
    connect: 'Connecter',
    reconnect: 'Reconnecter',
    allow: 'Autoriser',
    retry: 'Réessayer',
    openSettings: 'Ouvrir les réglages',
    runDiagnostics: 'Lancer le diagnostic',
  },
}
