import type { Translation } from '../locale.ts'

export const problems: Translation<'problems', 'fr'> = {
  codes: {
    invalid: 'Une partie de votre saisie n’a pas été acceptée.',
    signed_out: 'Votre session est fermée. Ouvrez de nouveau le lien de connexion.',
    forbidden: 'Cela n’est pas autorisé.',
    login_again:
      'Connectez-vous d’abord de nouveau : ce changement touche l’ordinateur sur lequel tourne Capstan.',
    not_found: 'Cela n’existe pas, ou n’existe plus.',
    conflict: 'Cela a changé entre-temps. Regardez de nouveau, puis réessayez.',
    held: 'Tout est arrêté. Reprenez, puis renvoyez votre message.',
    too_large: 'C’est trop gros.',
    rate_limited: 'C’était un peu trop rapide. Attendez un instant, puis réessayez.',
    limit_reached: 'Vous avez atteint une limite que le propriétaire a fixée pour vous.',
    unavailable: 'Ce n’est pas disponible pour le moment. Réessayez dans un instant.',
    internal:
      'Quelque chose s’est mal passé de notre côté. Réessayez ; si cela se répète, lancez le diagnostic.',
  },
  other: 'Cela n’a pas marché. Réessayez.',
  offline: 'Capstan est injoignable. Vérifiez qu’il est bien lancé.',
  'needs-card': 'Un mot ne suffit pas pour cette question. Répondez sur sa carte.',
  'storage-full':
    'Vous avez utilisé tout l’espace que le propriétaire vous donne. Supprimez les conversations devenues inutiles ; les fichiers et les longues sorties prennent le plus de place.',
  fields: {
    'not-absolute': 'Saisissez le chemin complet, par exemple /home/vous/Documents.',
    'not-a-folder': '« {{value}} » n’est pas un dossier lisible.',
    'own-data': '« {{value}} » contient les données de Capstan lui-même. Choisissez un autre dossier.',
    'not-a-host': '« {{value}} » n’est pas un hôte. Saisissez-en un comme example.com ou *.example.com.',
    'host-too-wide': '« {{value}} » couvre des hôtes de n’importe qui. Indiquez un domaine à vous.',
    'no-host': 'Indiquez au moins un hôte.',
    'too-many': '{{most}} au maximum.',
    length: 'Saisissez de {{least}} à {{most}} caractères.',
    'bad-name':
      'Utilisez seulement des lettres, chiffres, points, tirets et tirets bas, {{most}} au maximum.',
    taken: '« {{value}} » existe déjà.',
    'not-a-key': 'Cela ne ressemble pas à une clé.',
    'when-unclear':
      'Ce n’est pas clair. Écrivez-le en anglais, comme « every weekday at 8 » ou « every 2 hours », ou saisissez une ligne cron à cinq champs.',
    'when-no-time': 'Indiquez l’heure, comme « at 8:00 ».',
    'when-mixed': 'Les heures ont des minutes différentes. Ajoutez une planification pour chacune.',
    'when-often': 'C’est trop fréquent. Toutes les 15 minutes au maximum.',
    'when-never': 'Ce moment n’arrive jamais.',
    'bad-zone': 'Ce fuseau horaire n’existe pas. Saisissez un nom comme Europe/Berlin.',
    'not-a-variable': '« {{value}} » n’est pas le nom d’une variable. Saisissez le nom seul, sans sa valeur.',
  },
  checks: {
    node: {
      name: 'Node.js',
      about: 'La version sur laquelle tourne Capstan.',
    },
    store: {
      name: 'Données enregistrées',
      about: 'Si les conversations peuvent être lues et écrites.',
    },
    disk: {
      name: 'Espace disque',
      about: 'S’il reste de la place pour de nouvelles données.',
    },
    model: {
      name: 'Modèle d’IA',
      about: 'Si le modèle choisi est utilisable.',
    },
    apps: {
      name: 'Applications connectées',
      about: 'Si vos applications sont joignables.',
    },
    sandbox: {
      name: 'Isolation',
      about: 'Si les commandes et les programmes de cet ordinateur peuvent être isolés.',
    },
    'demo-app': {
      name: 'Application de démonstration',
      about: 'Si l’application Notes fournie avec Capstan est lancée.',
    },
    'web-app': {
      name: 'Application web',
      about: 'Si ces pages sont complètes.',
    },
    embeddings: { name: 'Modèle de plongement', about: 'Si la mémoire est aussi cherchée par le sens.' },
    clock: {
      name: 'Horloge',
      about: 'Si l’heure de cet ordinateur est juste.',
    },
  },
  states: {
    ok: 'Tout va bien',
    warning: 'À regarder',
    failed: 'Demande votre attention',
  },
  findings: {
    node: 'Node {{version}}.',
    store: 'Les données de {{folder}} peuvent être lues et écrites.',
    'store-replaced': 'Les données enregistrées ont été remplacées au démarrage : {{detail}}',
    disk: '{{size}} libres.',
    model: '{{model}} est configuré.',
    'model-demo': 'Le modèle de démonstration scripté est utilisé.',
    'model-unusable': 'Le modèle choisi ne peut pas être utilisé : {{detail}}',
    apps: 'Applications connues : {{known}}, connectées : {{connected}}.',
    'apps-unsure':
      'Applications connues : {{known}}, connectées : {{connected}}. Certaines n’ont pas pu être interrogées.',
    'apps-broken': 'Applications connues : {{known}}, connectées : {{connected}}. Inutilisables : {{names}}.',
    sandbox: 'Les programmes sont confinés : un programme de test n’a pas pu voir le dossier de données.',
    'sandbox-off': 'Les programmes s’exécutent sans confinement, avec tous les droits de cet utilisateur.',
    'sandbox-unavailable': 'Les programmes ne peuvent pas être confinés ici : {{detail}}',
    'sandbox-unlimited':
      'Les programmes sont confinés, mais rien ne limite le nombre de processus qu’ils lancent à la fois.',
    demo: 'Notes répond à l’adresse {{address}}.',
    'demo-off': 'Elle est désactivée.',
    'demo-silent': 'Notes ne répond pas.',
    web: 'Elle est construite.',
    'web-elsewhere': 'Elle n’est pas servie d’ici.',
    'web-missing': 'Elle n’est pas construite.',
    embeddings: '{{model}} est configuré. {{done}} éléments de la mémoire sur {{total}} ont des vecteurs.',
    'embeddings-off': 'Aucun n’est choisi. La mémoire est cherchée par mots.',
    'embeddings-failing':
      '{{done}} éléments de la mémoire sur {{total}} ont des vecteurs de {{model}}. Le dernier essai a échoué : {{detail}}',
    'embeddings-unusable': 'Le modèle de plongement choisi ne peut pas être utilisé : {{detail}}',
    clock: 'L’horloge indique {{time}}.',
    'clock-behind': 'L’horloge indique {{time}}, mais une conversation est plus récente.',
    unchecked: 'La vérification a échoué : {{detail}}',
  },
  remedies: {
    node: 'Installez Node {{oldest}} ou une version plus récente.',
    store: 'Regardez dans le dossier « backups » s’il manque quelque chose.',
    'disk-soon': 'Libérez de la place sur le disque avant qu’il soit plein.',
    'disk-now': 'Libérez de la place sur le disque : bientôt, plus rien ne pourra être enregistré.',
    model: 'Un bouton des réglages permet de le tester.',
    'model-demo':
      'Saisissez la clé d’un fournisseur dans les réglages, ou démarrez Ollama, pour parler à un vrai modèle.',
    'model-unusable': 'Choisissez un autre modèle dans les réglages, ou saisissez sa clé.',
    'apps-unsure': 'Réessayez dans un instant.',
    'apps-broken': 'Reconnectez-la dans Connexions.',
    sandbox:
      'Tant que bubblewrap ne fonctionne pas, commandes et programmes sont refusés. « npx capstan doctor » dit ce qui manque.',
    'sandbox-unlimited':
      'Exécutez Capstan en tant qu’utilisateur normal, donnez-lui un cgroup accessible en écriture (systemd : Delegate=yes) ou utilisez Linux 6.14 ou plus récent.',
    restart: 'Redémarrez le serveur.',
    'embeddings-unusable': 'Choisissez un autre modèle de plongement dans les réglages, ou saisissez sa clé.',
    clock: 'Réglez l’horloge de cet ordinateur : les connexions et les autorisations en dépendent.',
  },
}
