import type { Translation } from '../locale.ts'

export const problems: Translation<'problems', 'es'> = {
  codes: {
    invalid: 'Algo de lo que escribiste no se aceptó.',
    signed_out: 'Tu sesión está cerrada. Abre otra vez el enlace de acceso.',
    forbidden: 'Esto no está permitido.',
    login_again:
      'Primero inicia sesión otra vez: este cambio afecta al ordenador en el que funciona Capstan.',
    not_found: 'No existe, o ya no existe.',
    conflict: 'Ha cambiado entretanto. Vuelve a mirarlo e inténtalo otra vez.',
    held: 'Todo está detenido. Reanúdalo y vuelve a enviar el mensaje.',
    too_large: 'Es demasiado grande.',
    rate_limited: 'Fue un poco demasiado rápido. Espera un momento y vuelve a intentarlo.',
    limit_reached: 'Has alcanzado un límite que el propietario fijó para ti.',
    unavailable: 'No está disponible en este momento. Inténtalo dentro de un momento.',
    internal: 'Algo salió mal de nuestro lado. Inténtalo de nuevo; si se repite, ejecuta el diagnóstico.',
  },
  other: 'No funcionó. Inténtalo de nuevo.',
  offline: 'No se puede llegar a Capstan. Comprueba que esté en marcha.',
  fields: {
    'not-absolute': 'Escribe la ruta completa, por ejemplo /home/tu/Documentos.',
    'not-a-folder': '«{{value}}» no es una carpeta que se pueda leer.',
    'own-data': '«{{value}}» contiene los datos del propio Capstan. Elige otra carpeta.',
    'not-a-host': '«{{value}}» no es un host. Escribe uno como example.com o *.example.com.',
    'host-too-wide': '«{{value}}» abarca hosts de cualquiera. Indica un dominio tuyo.',
    'no-host': 'Indica al menos un host.',
    'too-many': 'Como máximo {{most}}.',
    length: 'Escribe entre {{least}} y {{most}} caracteres.',
    'bad-name': 'Usa solo letras, cifras, puntos, guiones y guiones bajos, {{most}} como máximo.',
    taken: '«{{value}}» ya existe.',
    'not-a-key': 'Esto no parece una clave.',
    'not-a-variable': '«{{value}}» no es el nombre de una variable. Escribe solo el nombre, sin su valor.',
  },
  checks: {
    node: {
      name: 'Node.js',
      about: 'La versión sobre la que funciona Capstan.',
    },
    store: {
      name: 'Datos guardados',
      about: 'Si las conversaciones se pueden leer y escribir.',
    },
    disk: {
      name: 'Espacio en disco',
      about: 'Si queda sitio para datos nuevos.',
    },
    model: {
      name: 'Modelo de IA',
      about: 'Si se puede usar el modelo elegido.',
    },
    apps: {
      name: 'Aplicaciones conectadas',
      about: 'Si se puede llegar a tus aplicaciones.',
    },
    sandbox: {
      name: 'Aislamiento',
      about: 'Si se pueden aislar los comandos y programas de este equipo.',
    },
    'demo-app': {
      name: 'Aplicación de demostración',
      about: 'Si la aplicación Notes que viene con Capstan está en marcha.',
    },
    'web-app': {
      name: 'Aplicación web',
      about: 'Si estas páginas están completas.',
    },
    clock: {
      name: 'Reloj',
      about: 'Si la hora de este equipo es correcta.',
    },
  },
  states: {
    ok: 'Todo bien',
    warning: 'Conviene mirarlo',
    failed: 'Requiere atención',
  },
}
