import type { Vocabulary } from './vocabulary.ts'

export const SPANISH: Vocabulary = {
  approvalExpired: String.raw`
    (?:aprobación|confirmación|permiso|autorización).{0,40}(?:caduc|expir|agot|sin respuesta|(?:no|nadie).{0,12}respond)`,
  deniedByUser: String.raw`
    usuari[oa] (?:ha |la )?(?:rechaz|deneg|declin|neg)
    (?:rechazad|denegad)[oa] por (?:el |la )?usuari`,
  policy: String.raw`
    (?:bloquead|prohibid|denegad|impid).{0,68}(?:política|directiva|administrador)
    (?:política|directiva).{0,68}(?:bloque|prohíb|prohib|no permit|impid)`,
  missingApp: String.raw`
    (?:orden|comando) no encontrad
    no se encontró (?:la orden|el comando)
    no está instalad
    no se reconoce como
    debe instalarse`,
  certificate: 'certificado\nconexión ssl',
  timeout: String.raw`
    tiempo.{0,40}(?:agot|exced|super|expir)
    (?:agotó|expiró|agotado|excedido|superado) el (?:tiempo|plazo)
    temporizó`,
  quota: String.raw`
    (?:saldo|crédito|fondos|cuota|límite (?:mensual|diario)).{0,40}(?:insuficiente|agotad|excedid|superad|alcanzad)
    (?:excedid|superad|agotad).{0,38}cuota
    (?:alcanzad|superad|excedid|agotad).{0,28}límite (?:mensual|diario|de)
    pago requerido`,
  rateLimit: String.raw`
    demasiad[ao]s (?:solicitudes|peticiones|intentos|llamadas)
    límite de (?:solicitudes|peticiones|frecuencia|velocidad|tasa|llamadas)`,
  tooLarge: String.raw`
    demasiado (?:grande|larg|extens)
    (?:excede|supera).{0,40}(?:tamaño|máximo|límite|longitud)
    memoria (?:agotada|insuficiente)
    asignar memoria`,
  notConnected: String.raw`
    no (?:está|se ha|ha sido) (?:conectad|vinculad)
    (?:conecte|conecta|vincule|vincula) .{0,30}(?:cuenta|primero|antes)
    ninguna cuenta (?:conectada|vinculada)`,
  credentials: String.raw`
    (?:token|sesión|contraseña|credencial|clave|autenti(?:fi)?caci).{0,58}(?:caduc|expir|inválid|incorrect|falló|fallid|no (?:es |son )?válid|revocad|requerid)
    (?:falló|fallo|error) .{0,14}autenti
    inici\S+ sesión
    no (?:está )?autenticad
    no autorizado\W*$`,
  syntax: 'error (?:de sintaxis|sintáctico)\nsintaxis',
  clash: 'bloqueo de recursos\nserializar\nbloqueo mutuo\nllave foránea\ndeadlock',
  permission: String.raw`
    no se puede acceder
    permisos? (?:denegad|insuficient|rechazad)
    acceso (?:denegad|no permitid|prohibid|restringid)
    operación no permitid
    no (?:tiene|tienes|dispone de|cuenta con) (?:\S+ ){0,3}(?:permiso|acceso|autorización|privilegio)
    no (?:está )?autorizad[oa] (?:a|para)
    sin permiso
    s[óo]lo lectura
    debe ser dueño
    no (?:se )?(?:ha |está )?compartid`,
  conflict: String.raw`
    ya (?:está |se )?(?:en (?:curso|progreso)|conectad|definid|ejecut)
    no es únic
    no ha sido fusionad
    ya (?:existe|está (?:en uso|registrad|usad|ocupad)|se está|ha sido)
    (?:llave|clave|entrada|valor|registro) duplicad
    ocupad[oa]
    no está vacío
    conflicto
    sobrescrit
    sin fusionar
    historias no relacionadas`,
  unreachable: String.raw`
    (?:otro )?extremo .{0,30}no está conectad
    la red no está
    fin de la conexión
    host\W? desconocid
    tubería rota
    (?:ruptura|interrupción|aborto) de (?:la )?conexión
    (?:anfitrión|equipo|host|máquina) desconocid
    conexión .{0,40}(?:rechaz|rehus|reinici|fall|perdid|cerrad|interrump)
    no se (?:puede|pudo|ha podido) (?:conectar|establecer|resolver|contactar|acceder al servidor)
    no (?:está |se encuentra )?disponible
    fuera de servicio
    inaccesible
    (?:en|por) mantenimiento
    no (?:está )?operativo
    (?:nombre o servicio|servidor) (?:desconocid|no responde|interno)
    error interno
    resolución del nombre
    ninguna ruta
    está iniciándose`,
  notFound: String.raw`
    no es un directorio
    ninguna regla
    revisión desconocida
    no hay (?:ningún|ninguna)
    no (?:se )?(?:ha podido |pudo |puede |ha |han )?(?:encontr|localiz|hall)
    no existe
    no encontrad
    inexistente
    no concordó
    no es un (?:repositorio|directorio)`,
  unsupported: String.raw`
    no apropiad[oa]|inapropiad
    no (?:está |es |son )?(?:soportad|compatible|admitid|implementad)
    no se (?:admite|soporta|puede ejecutar fichero)
    formato de ejecutable
    no es un comando`,
  cancelled: String.raw`
    interrumpid
    ^\W*terminado\W*$
    (?:operación|solicitud|tarea|acción|proceso).{0,28}cancelad
    cancelad[oa]\W*$
    petición del usuario`,
  invalid: String.raw`
    erróne[oa]
    \bilegal\b
    se (?:requiere|necesita)\b
    demasiad[oa]s (?!peticiones|solicitudes|intentos|llamadas|conexiones)
    fuera de(?:l)? (?:rango|límites|intervalo)
    debe (?:ser|estar|tener|contener|especificar)
    ambigu[oa]
    no (?:está |han? sido )?definid
    falta(?:n)? (?:el|la|un|los)
    no es un(?:a)? .{0,30}válid
    es un directorio
    \bfalta\b(?! de seg)
    (?<!error )desconocid
    no reconocid
    incorrect[oa]s?\b
    inválid
    no (?:es |son )?válid
    (?:campo|parámetro|argumento|valor).{0,38}(?:requerid|obligatori|incorrect|falta)
    formato incorrecto
    error de sintaxis
    sintaxis
    viola la restricción
    fuera de rango
    opción (?:desconocida|incorrecta)`,
}
