import type { Translation } from '../locale.ts'

export const failures: Translation<'failures', 'es'> = {
  why: 'Por qué',
  next: 'Qué hacer ahora',
  classes: {
    timeout: {
      name: 'Tardó demasiado',
      why: 'Tardó demasiado y se detuvo.',
      next: 'El asistente puede intentarlo de nuevo. Si no, vuelve a pedirlo más tarde.',
    },
    rate_limited: {
      name: 'Nos piden ir más despacio',
      why: 'El servicio nos pidió ir más despacio.',
      next: 'El asistente puede intentarlo de nuevo en un momento. Si no, vuelve a pedirlo más tarde.',
    },
    service_unavailable: {
      name: 'Servicio no disponible',
      why: 'No se puede llegar al servicio, o no funciona en este momento.',
      next: 'El asistente puede intentarlo de nuevo. Si no, vuelve a pedirlo más tarde.',
    },
    model_unreachable: {
      name: 'Modelo de IA inaccesible',
      why: 'No se pudo llegar al modelo de IA.',
      next: 'Revisa tu conexión y los ajustes del modelo, y vuelve a intentarlo.',
    },
    quota_exhausted: {
      name: 'Agotado',
      why: 'Un plan, un saldo o un presupuesto se ha agotado.',
      next: 'Recárgalo, o elige otro plan u otro modelo.',
    },
    bad_credentials: {
      name: 'Acceso no aceptado',
      why: 'El acceso falta, ha caducado o no permite esto.',
      next: 'Vuelve a conectar la cuenta.',
    },
    not_connected: {
      name: 'Sin conectar',
      why: 'Esta aplicación todavía no está conectada.',
      next: 'Conéctala y vuelve a pedirlo.',
    },
    missing_permission: {
      name: 'Falta permiso',
      why: 'Falta un permiso, o el elemento no se ha compartido.',
      next: 'Da el permiso o comparte el elemento, y vuelve a pedirlo.',
    },
    missing_app: {
      name: 'Falta un programa',
      why: 'Hace falta un programa que no está.',
      next: 'Instala o abre el programa y vuelve a pedirlo.',
    },
    blocked_by_policy: {
      name: 'No permitido por tus ajustes',
      why: 'Tus ajustes de seguridad no lo permiten.',
      next: 'Cambia los ajustes de seguridad si lo deseas.',
    },
    denied_by_user: {
      name: 'Dijiste que no',
      why: 'Dijiste que no a esto.',
      next: 'No hay nada que hacer. Vuelve a pedirlo si cambias de opinión.',
    },
    approval_expired: {
      name: 'Sin respuesta a tiempo',
      why: 'Nadie respondió a tiempo a la solicitud de permiso.',
      next: 'Vuelve a pedirlo cuando quieras. No se repetirá por sí solo.',
    },
    not_found: {
      name: 'No encontrado',
      why: 'Lo que se nombró no existe.',
      next: 'No hay nada que hacer. El asistente busca el nombre correcto.',
    },
    invalid_input: {
      name: 'Datos no aceptados',
      why: 'Los datos de la petición no se aceptaron.',
      next: 'No hay nada que hacer. El asistente los corrige.',
    },
    conflict: {
      name: 'Choque',
      why: 'Choca con el estado actual de las cosas.',
      next: 'No hay nada que hacer. El asistente vuelve a mirar cómo están las cosas.',
    },
    unsupported: {
      name: 'Aquí no es posible',
      why: 'Aquí no se puede hacer de esta manera.',
      next: 'Hace falta otro camino. Algunas cosas hay que hacerlas a mano.',
    },
    too_large: {
      name: 'Demasiado grande',
      why: 'Es demasiado grande.',
      next: 'No hay nada que hacer. El asistente toma una parte más pequeña.',
    },
    command_failed: {
      name: 'Falló el comando',
      why: 'El comando se ejecutó e informó de un error.',
      next: 'No hay nada que hacer. El asistente lee lo que informó.',
    },
    interrupted: {
      name: 'Interrumpido',
      why: 'Se cortó antes de conocerse el resultado: puede que haya ocurrido o puede que no.',
      next: 'Compruébalo antes de repetirlo.',
    },
    cancelled: {
      name: 'Detenido',
      why: 'Se detuvo.',
      next: 'No hay nada que hacer.',
    },
    unknown: {
      name: 'Falló',
      why: 'Algo falló y no dijo por qué.',
      next: 'Inténtalo de nuevo. Si sigue fallando, ejecuta el diagnóstico.',
    },
  },
  model: {
    timeout: {
      why: 'El modelo de IA tardó demasiado en responder.',
      next: 'Inténtalo de nuevo. Si se repite, elige un modelo más rápido.',
    },
    rate_limited: {
      why: 'El proveedor del modelo de IA nos pidió ir más despacio.',
      next: 'Espera un momento y vuelve a intentarlo.',
    },
    quota_exhausted: {
      why: 'El saldo o el plan con el proveedor del modelo de IA se ha agotado.',
      next: 'Recárgalo, o elige otro modelo.',
    },
    bad_credentials: {
      why: 'El proveedor del modelo de IA no aceptó la clave.',
      next: 'Revisa la clave en los ajustes del modelo.',
    },
    not_found: {
      why: 'El proveedor no conoce este modelo de IA.',
      next: 'Revisa el nombre en los ajustes del modelo, o elige otro modelo.',
    },
    invalid_input: {
      why: 'El proveedor del modelo de IA no aceptó la petición.',
      next: 'Inténtalo en una conversación nueva, o elige otro modelo.',
    },
    too_large: {
      why: 'La conversación es demasiado larga para este modelo de IA.',
      next: 'Empieza una conversación nueva, o elige un modelo que admita otras más largas.',
    },
    unsupported: {
      why: 'Este modelo de IA no puede hacer eso.',
      next: 'Elige un modelo que pueda.',
    },
    blocked_by_policy: {
      why: 'El proveedor del modelo de IA no quiso responder a esto.',
      next: 'Pídelo de otra manera, o elige otro modelo.',
    },
  },
  details: {
    'agent-halted': {
      why: 'El agente {{agent}} se detuvo porque no avanzaba.',
      next: 'Pídelo de otra manera, o pide una parte más pequeña.',
    },
    'agent-capped': {
      why: 'El agente {{agent}} llegó a su límite antes de terminar.',
      next: 'Deja que continúe, o pide una parte más pequeña.',
    },
    'agent-nested': {
      why: 'El agente {{agent}} no se inició: los agentes no se pueden anidar tanto.',
      next: 'No hay nada que hacer. El asistente hace esta parte él mismo.',
    },
    'empty-reply': {
      why: 'El modelo de IA no respondió nada.',
      next: 'Inténtalo de nuevo. Si se repite, elige otro modelo.',
    },
    limit: {
      why: 'Se alcanzó el límite de esta petición.',
      next: 'Pide una parte más pequeña, o sube el límite.',
    },
    'model-address': {
      why: 'La dirección no nombra ningún modelo.',
      next: 'Escribe el modelo después de un #: http://127.0.0.1:4000/v1#llama.',
    },
    'model-name': {
      why: 'Esto no es el nombre de un modelo.',
      next: 'Escribe proveedor/modelo, como openai/gpt-6-sol, o la dirección de un servidor.',
    },
    'model-key': {
      why: 'Falta la clave de este modelo de IA.',
      next: 'Introdúcela en los ajustes del modelo.',
    },
    'model-silent': {
      why: 'Nada responde en la dirección de este modelo de IA.',
      next: 'Comprueba que el servidor está en marcha, el host y el puerto.',
    },
    'model-host': {
      why: 'El nombre en la dirección de este modelo de IA no se conoce en la red.',
      next: 'Comprueba cómo está escrita la dirección.',
    },
    'model-insecure': {
      why: 'No hay conexión segura con este modelo de IA: su certificado no se acepta o no usa TLS.',
      next: 'Comprueba el certificado del servidor, o si la dirección debe empezar por http://.',
    },
    'model-page': {
      why: 'En esta dirección responde una página web, no un modelo de IA.',
      next: 'Comprueba la dirección: a menudo termina en /v1.',
    },
    'images-unsupported': {
      why: 'Este modelo de IA no puede ver imágenes.',
      next: 'Elige un modelo que pueda ver imágenes o describe la imagen con palabras.',
    },
    'files-unsupported': {
      why: 'Este modelo de IA no puede leer este tipo de archivo.',
      next: 'Elige un modelo que pueda o envía el contenido como texto.',
    },
    'attachment-too-large': {
      why: 'Los archivos de este mensaje son demasiado grandes o demasiados.',
      next: 'Envíalo de nuevo con menos archivos o más pequeños.',
    },
    'attachment-unreadable': {
      why: 'No se pudo leer un archivo de este mensaje. Puede estar dañado o protegido con contraseña.',
      next: 'Guárdalo de nuevo sin contraseña o envía el contenido como texto.',
    },
    'day-limit': {
      why: 'Se agotó el límite de {{amount}} por día fijado aquí.',
      next: 'Auméntalo en los ajustes, en Gastos, o espera hasta mañana. Un miembro puede pedírselo al propietario.',
    },
    'month-limit': {
      why: 'Se agotó el límite de {{amount}} por mes fijado aquí.',
      next: 'Auméntalo en los ajustes, en Gastos, o espera al próximo mes. Un miembro puede pedírselo al propietario.',
    },
    'gave-up': {
      why: 'Esto se interrumpió una y otra vez, así que no se intentó de nuevo.',
      next: 'Mira arriba lo que se hizo y pide el resto en partes más pequeñas.',
    },
    'done-already': {
      why: 'Lo mismo ya se hizo en esta petición, así que no se repitió.',
      next: 'Si debe hacerse otra vez, dilo en un mensaje nuevo.',
    },
  },
  tried: 'Se intentó {{tries}} veces.',
  ended: {
    later: 'Vuelve a intentarlo más tarde.',
    otherwise: 'Vuelve a intentarlo o pídelo de otra manera.',
  },
  allow: {
    why: '{{action}} pertenece a «{{kind}}», que está desactivado en {{name}}.',
    next: 'Permite «{{kind}}» en {{name}}, aquí o en Conexiones.',
    button: 'Permitir «{{kind}}» en {{name}}',
    done: '«{{kind}}» está permitido ahora en {{name}}. El próximo intento ya no se rechazará por eso.',
  },
  buttons: {
    connect: 'Conectar',
    reconnect: 'Volver a conectar',
    allow: 'Permitir',
    retry: 'Reintentar',
    openSettings: 'Abrir ajustes',
    runDiagnostics: 'Ejecutar diagnóstico',
  },
}
