import { readFile, realpath, stat } from 'node:fs/promises'
import { extname, join, sep } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.webp': 'image/webp',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
}
const COMPRESSIBLE = /^(text\/|image\/svg|application\/(json|manifest|wasm))/
const MIN_COMPRESSED_BYTES = 1024
/** A file with a hash in its name never changes. */
const HASHED = /^\/assets\/(?!.{200}).+-[\w-]{8,}\.\w+$/

type Encoding = 'br' | 'gzip'

interface StaticFile {
  readonly changed: number
  readonly mediaType: string
  readonly bytes: Buffer<ArrayBuffer>
  readonly packed: Map<Encoding, Promise<Buffer<ArrayBuffer>>>
}

/** Serves the built web app. Never serves a file outside its folder, also not through a link; never throws. */
export interface StaticFiles {
  /** A path without a file answers the app's page, except under `/assets/`. */
  serve(path: string, request: Request): Promise<Response | undefined>
}

export function createStaticFiles(root: string): StaticFiles {
  const files = new Map<string, StaticFile>()

  async function load(path: string): Promise<StaticFile | undefined> {
    try {
      const base = await realpath(root)
      const full = await realpath(join(base, path))
      if (!full.startsWith(`${base}${sep}`)) return undefined
      const found = await stat(full)
      if (!found.isFile()) return undefined
      const known = files.get(full)
      if (known?.changed === found.mtimeMs) return known
      const file: StaticFile = {
        changed: found.mtimeMs,
        mediaType: MEDIA_TYPES[extname(full)] ?? 'application/octet-stream',
        bytes: await readFile(full),
        packed: new Map(),
      }
      files.set(full, file)
      return file
    } catch {
      return undefined
    }
  }

  return {
    async serve(path, request) {
      const name = decode(path)
      if (name === undefined) return undefined
      const file = name.endsWith('/') ? undefined : await load(name)
      if (file) return answer(file, request, HASHED.test(name) ? IMMUTABLE : 'no-cache')
      if (name.startsWith('/assets/')) return undefined
      const page = await load('/index.html')
      return page && answer(page, request, 'no-cache')
    },
  }
}

const IMMUTABLE = 'public, max-age=31536000, immutable'

function decode(path: string): string | undefined {
  try {
    const name = decodeURIComponent(path)
    return /[\\\0]|(^|\/)\.\.?(\/|$)/.test(name) ? undefined : name
  } catch {
    return undefined
  }
}

async function answer(file: StaticFile, request: Request, caching: string): Promise<Response> {
  const encoding = chooseEncoding(file, request.headers.get('accept-encoding') ?? '')
  const tag = `"${file.changed.toString(36)}-${file.bytes.length.toString(36)}${encoding ? `-${encoding}` : ''}"`
  const headers = new Headers({ 'cache-control': caching, etag: tag, vary: 'accept-encoding' })
  if (request.headers.get('if-none-match') === tag) return new Response(null, { status: 304, headers })
  headers.set('content-type', file.mediaType)
  if (encoding) headers.set('content-encoding', encoding)
  const bytes = encoding ? await pack(file, encoding) : file.bytes
  headers.set('content-length', String(bytes.length))
  return new Response(request.method === 'HEAD' ? null : bytes, { headers })
}

function chooseEncoding({ mediaType, bytes }: StaticFile, accepted: string): Encoding | undefined {
  if (bytes.length < MIN_COMPRESSED_BYTES || !COMPRESSIBLE.test(mediaType)) return undefined
  if (/\bbr\b/.test(accepted)) return 'br'
  return /\bgzip\b/.test(accepted) ? 'gzip' : undefined
}

const toBrotli = promisify(brotliCompress)
const toGzip = promisify(gzip)

/** Compresses each file once. */
function pack({ bytes, packed }: StaticFile, encoding: Encoding): Promise<Buffer<ArrayBuffer>> {
  let packing = packed.get(encoding)
  if (!packing) {
    const params = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length }
    const work = encoding === 'br' ? toBrotli(bytes, { params }) : toGzip(bytes, { level: 9 })
    packing = work.then((done) => Buffer.from(done))
    packed.set(encoding, packing)
  }
  return packing
}
