import type { Translation } from '../locale.ts'

export const people: Translation<'people', 'es'> = {
  logins: {
    title: 'Sesiones',
    description:
      'Navegadores que han iniciado sesión con tu nombre. Cierra la sesión de los que no conozcas.',
    unknown: 'Dispositivo desconocido',
    thisOne: 'Este navegador',
    lastUse: 'Último uso:',
    firstUse: 'Primer inicio de sesión:',
    end: 'Cerrar la sesión de {{device}}',
    ended: 'Se cerró la sesión de {{device}}.',
    endOthers: 'Cerrar todas las demás',
    othersEnded: 'Se cerraron todas las demás sesiones.',
  },
  members: {
    title: 'Personas',
    description:
      'Los miembros tienen sus propias conversaciones y conexiones. Solo pueden usar una carpeta o un servidor tuyo si lo compartes.',
    empty: 'Nadie más que tú usa esta instalación.',
    name: 'Nombre del nuevo miembro',
    add: 'Añadir miembro',
    link: 'Envía este enlace a {{user}}. Funciona una vez, durante una hora.',
    linkLocalOnly:
      'No se conoce otra dirección de este servidor, así que el enlace solo funciona en este equipo. Inicia Capstan con --origin para indicar una dirección.',
    newLink: 'Nuevo enlace de acceso para {{user}}',
    neverUsed: 'todavía no ha iniciado sesión',
    remove: 'Quitar a {{user}}',
    removeTitle: '¿Quitar a {{user}}?',
    removeText:
      'La sesión de {{user}} se cierra de inmediato y se detienen sus turnos. Sus conversaciones siguen guardadas.',
    removeConfirm: 'Quitar',
    removed: 'Se quitó a {{user}}.',
    limits: 'Límites de {{user}}',
    turnsAtOnce: 'Turnos al mismo tiempo',
    messagesPerMinute: 'Mensajes por minuto',
    threads: 'Conversaciones guardadas',
    storedMegabytes: 'Datos guardados, en megabytes',
    stored: '{{size}} guardados',
    save: 'Guardar límites',
    saved: 'Se guardaron los límites de {{user}}.',
  },
  spending: {
    title: 'Gastos',
    description:
      'Lo que pueden gastar en modelos de IA todas las conversaciones juntas, incluidos los subagentes. Los días y meses son en UTC.',
    usdPerDay: 'Dólares por día',
    usdPerMonth: 'Dólares por mes',
    tokensPerDay: 'Tokens por día',
    tokensPerMonth: 'Tokens por mes',
    used: 'Hoy: {{day}}. Este mes: {{month}}.',
    empty: 'Vacío: sin límite',
    save: 'Guardar límites',
    saved: 'Se guardaron los límites.',
    byOwner: 'El propietario de esta instalación fija estos límites.',
  },
  loginAgain: {
    title: 'Inicia sesión otra vez',
    text: 'Este cambio afecta al ordenador en el que funciona Capstan. Para demostrar que eres tú, ejecuta allí este comando:',
    paste: 'Muestra un enlace. Pégalo aquí o ábrelo en este navegador.',
    field: 'Enlace de acceso',
    submit: 'Iniciar sesión y seguir',
    opened: 'Ya he abierto el enlace',
    wrong: 'Este enlace ya no funciona o es de otra persona. Ejecuta el comando otra vez.',
  },
  ofOwner: {
    model: 'El propietario de esta instalación elige el modelo.',
    folders: 'El propietario comparte estas carpetas contigo.',
    noFolders: 'El propietario no comparte ninguna carpeta contigo.',
    fullMode: 'Solo el propietario puede usar este modo.',
  },
  share: {
    folder: 'Compartir {{folder}} con los miembros',
    server: 'Compartir con los miembros',
    serverHint: 'Los miembros podrán usar este servidor con los permisos de este ordenador.',
    failed: 'No se pudo compartir. {{reason}}',
  },
}
