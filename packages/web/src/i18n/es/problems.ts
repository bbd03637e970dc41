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
  'needs-card': 'Una palabra no basta para esta pregunta. Respóndela en su tarjeta.',
  'storage-full':
    'Has usado todo el espacio que te da el propietario. Elimina conversaciones que ya no necesites; los archivos y las salidas largas son lo que más ocupa.',
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
    'when-unclear':
      'No está claro. Escríbelo en inglés, como «every weekday at 8» o «every 2 hours», o introduce una línea cron de cinco campos.',
    'when-no-time': 'Indica a qué hora, como «at 8:00».',
    'when-mixed': 'Las horas tienen minutos distintos. Añade una programación para cada una.',
    'when-often': 'Es demasiado a menudo. Como máximo, cada 15 minutos.',
    'when-never': 'Ese momento no llega nunca.',
    'bad-zone': 'No existe esa zona horaria. Introduce un nombre como Europe/Berlin.',
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
    embeddings: {
      name: 'Modelo de incrustaciones',
      about: 'Si la memoria también se busca por significado.',
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
  findings: {
    node: 'Node {{version}}.',
    store: 'Los datos de {{folder}} se pueden leer y escribir.',
    'store-replaced': 'Los datos guardados se reemplazaron al iniciar: {{detail}}',
    disk: '{{size}} libres.',
    model: '{{model}} está configurado.',
    'model-demo': 'Se usa el modelo de demostración con guion.',
    'model-unusable': 'No se puede usar el modelo elegido: {{detail}}',
    apps: 'Aplicaciones conocidas: {{known}}, conectadas: {{connected}}.',
    'apps-unsure':
      'Aplicaciones conocidas: {{known}}, conectadas: {{connected}}. No se pudo consultar a algunas.',
    'apps-broken': 'Aplicaciones conocidas: {{known}}, conectadas: {{connected}}. No utilizables: {{names}}.',
    sandbox: 'Los programas están confinados: un programa de prueba no pudo ver la carpeta de datos.',
    'sandbox-off': 'Los programas se ejecutan sin confinamiento, con todos los permisos de este usuario.',
    'sandbox-unavailable': 'Aquí no se pueden confinar los programas: {{detail}}',
    'sandbox-unlimited':
      'Los programas están confinados, pero nada limita cuántos procesos inician a la vez.',
    demo: 'Notes responde en {{address}}.',
    'demo-off': 'Está desactivada.',
    'demo-silent': 'Notes no responde.',
    web: 'Está compilada.',
    'web-elsewhere': 'No se sirve desde aquí.',
    'web-missing': 'No está compilada.',
    embeddings: '{{model}} está configurado. {{done}} de {{total}} elementos de la memoria tienen vectores.',
    'embeddings-off': 'No hay ninguno. La memoria se busca por palabras.',
    'embeddings-failing':
      '{{done}} de {{total}} elementos de la memoria tienen vectores de {{model}}. El último intento falló: {{detail}}',
    'embeddings-unusable': 'El modelo de incrustaciones elegido no se puede usar: {{detail}}',
    clock: 'El reloj marca {{time}}.',
    'clock-behind': 'El reloj marca {{time}}, pero una conversación es posterior.',
    unchecked: 'No se pudo comprobar: {{detail}}',
  },
  remedies: {
    node: 'Instala Node {{oldest}} o posterior.',
    store: 'Mira en la carpeta «backups» si falta algo.',
    'disk-soon': 'Libera espacio en el disco antes de que se llene.',
    'disk-now': 'Libera espacio en el disco: pronto no se podrá guardar nada.',
    model: 'En Ajustes hay un botón para probarlo.',
    'model-demo':
      'Introduce la clave de un proveedor en Ajustes, o inicia Ollama, para hablar con un modelo real.',
    'model-unusable': 'Elige otro modelo en Ajustes o introduce su clave.',
    'apps-unsure': 'Inténtalo de nuevo en un momento.',
    'apps-broken': 'Vuelve a conectar en Conexiones.',
    sandbox:
      'Hasta que bubblewrap funcione, se rechazan órdenes y programas. «npx capstan doctor» dice qué falta.',
    'sandbox-unlimited':
      'Ejecuta Capstan como usuario normal, dale un cgroup con permiso de escritura (systemd: Delegate=yes) o usa Linux 6.14 o posterior.',
    restart: 'Vuelve a iniciar el servidor.',
    'embeddings-unusable': 'Elige otro modelo de incrustaciones en Ajustes o introduce su clave.',
    clock: 'Pon en hora este equipo: los inicios de sesión y las aprobaciones dependen de su reloj.',
  },
}
