import type { Vocabulary } from './vocabulary.ts'

export const FRENCH: Vocabulary = {
  approvalExpired: String.raw`
    (?:approbation|validation|confirmation|demande d'autorisation).{0,40}(?:a expiré|expirée|sans réponse)`,
  deniedByUser: String.raw`
    l'utilisat(?:eur|rice) a (?:refusé|rejeté|décliné)
    (?:refusé|rejeté)e? par l'utilisat`,
  policy: String.raw`
    (?:bloqu|interdi|refus).{0,68}(?:politique|stratégie|règles? de sécurité|administrateur)
    (?:politique|stratégie).{0,68}(?:bloqu|interdi|refus)`,
  missingApp: String.raw`
    commande (?:introuvable|inconnue|non trouvée)
    n'est pas installé
    n'est pas reconnu en tant que
    doit être installé`,
  certificate: String.raw`
    certificat\b
    connexion (?:ssl|tls)`,
  timeout: String.raw`
    délai.{0,40}(?:dépass|expir|écoul)
    (?:dépass|expir)\S* (?:du|le|de) délai
    temps (?:imparti|d'attente|d'exécution).{0,30}(?:dépass|écoul|expir)
    (?:requête|connexion|opération|demande) (?:a )?expiré`,
  quota: String.raw`
    crédits?.{0,30}(?:insuffisant|épuisé)
    (?:solde|quota|forfait|limite (?:mensuelle|quotidienne)).{0,40}(?:insuffisant|épuisé|dépassé|atteint)
    débordement du quota
    paiement requis`,
  rateLimit: String.raw`
    trop de (?:requêtes|demandes|tentatives|appels)
    limite de (?:débit|requêtes|fréquence)`,
  tooLarge: String.raw`
    trop (?:gros|grand|long|volumineu|lourd)
    (?:dépasse|excède).{0,40}(?:taille|maxim|limite|longueur)
    mémoire (?:épuisée|insuffisante)
    allouer de la mémoire`,
  notConnected: String.raw`
    n'est pas (?:encore )?(?:connecté|relié|lié)
    (?:connectez|reliez|associez) .{0,30}(?:compte|d'abord)
    aucun compte (?:connecté|lié|associé)`,
  credentials: String.raw`
    (?:jeton|session|mot de passe|identifiants?|clé (?:api|d'api)|authentification).{0,58}(?:expir|invalide|incorrect|échou|révoqu|requis|périmé)
    (?:échec|erreur) (?:de l')?d?'?authentification
    non (?:authentifié|autorisée?\W*$)
    reconnecte[zr]
    identifiez-vous
    (?:clé|jeton)\S* (?:non valide|invalide)`,
  syntax: 'erreur de syntaxe',
  clash: 'blocage évité\nsérialiser\ninterblocage\nclé\\s+étrangère',
  permission: String.raw`
    ne peut accéder
    permission (?:non accordée|refusée)
    (?:accès|droits?) .{0,40}(?:refusée?s?|interdit|insuffisant|non autorisée?)
    opération non (?:permise|autorisée)
    (?:n'avez|n'a|n'ai) pas (?:\S+ ){0,2}(?:permission|droits?|accès|l'autorisation|autorisation)
    autorisation (?:refusée|insuffisante)
    lecture seul
    superutilisateur
    doit être le propriétaire
    n'(?:a|est) pas (?:été )?partagé`,
  conflict: String.raw`
    déjà (?:en cours|connecté|défini|actif)
    n'est pas unique
    périmé
    n'est pas totalement fusionné
    existe déjà
    (?:est|sont) déjà
    déjà (?:utilisé|pris|enregistré)
    le fichier existe
    clé dupliquée
    occupée?(?: |$)
    n'est pas vide
    conflit
    verrou
    écrasées?
    non fusionnés
    historiques sans relation`,
  unreachable: String.raw`
    réseau (?:ne fonctionne|a rompu)
    transport n'est pas connecté
    (?:relais|tube) (?:brisé|cassé)
    abandon de (?:la )?connexion
    (?:hôte|machine) inconnu
    connexion .{0,40}(?:refusée|ré-?initialisée|échou|perdue|interrompue|fermée|impossible)
    (?:impossible|incapable) d(?:e |')(?:se connecter|joindre|contacter|résoudre|récupérer|établir)
    indisponible
    injoignable
    inaccessible
    hors service
    en (?:maintenance|panne)
    non disponible
    n'est pas (?:accessible|disponible)
    nom ou service
    résolution du nom
    erreur interne
    aucun chemin d'accès
    bases? de données se lance`,
  notFound: String.raw`
    aucune? \S+ trouvée?
    n'est pas un (?:dossier|répertoire)
    aucune? règle
    révision inconnue
    pas de serveur remote
    introuvable
    inexistant
    non trouvée?
    n'existe pas
    n'a pas (?:pu )?(?:être |été )?trouvé
    impossible de trouver
    aucun (?:fichier|résultat|processus|élément|enregistrement|dossier)
    ne correspond à aucun
    n'est (?:pas )?un (?:dépôt|dossier)`,
  unsupported: String.raw`
    inapproprié
    (?:non|pas) (?:prise?s? en charge|supportée?|implantée?|implémentée?|compatible)
    n'est pas une commande
    (?:ne peut|impossible d')\s?exécuter le fichier
    format pour exec`,
  cancelled: String.raw`
    interrompu
    ^\W*(?:complété|terminé)\W*$
    (?:opération|requête|tâche|action|demande).{0,28}annulée?
    annulée?\W*$
    à la demande de l'utilisateur`,
  invalid: String.raw`
    en dehors des limites
    mauvais (?:type|format|nombre)
    (?:est |sont )?(?:requis|requise|nécessaire)s?\b
    trop (?:de|d')\s?(?!requêtes|demandes|tentatives|appels)
    hors (?:limites|de l'intervalle|de portée|intervalle)
    doit (?:être|avoir|contenir|correspondre)
    ambigu
    non défini
    nécessite un
    n'est pas .{0,30}val(?:ide|able)
    est un dossier
    manquant
    (?<!erreur )inconnue?\b
    incorrectes?\b
    est incorrect\b
    non reconnu
    invalide
    (?:non|pas) valide
    (?:champ|paramètre|argument|valeur).{0,38}(?:requis|obligatoire|incorrect|manquant)
    erreur de syntaxe
    syntaxe .{0,20}invalide
    viole la contrainte
    option (?:inconnue|non reconnue)`,
}
