import type { FastifyInstance, FastifyRequest } from 'fastify'
import { suggest } from '../../base/strings.ts'
import { type ApiDescription, asyncApi, openApi } from './document.ts'

const MAX_PATH_LENGTH = 200
/** Shorter words occur in too many names. */
const MIN_WORD_LENGTH = 3

/** Loads the API description of a server on first use. */
export type LoadApiDescription = () => Promise<ApiDescription>

/** Serves the OpenAPI and AsyncAPI documents of a server at `/openapi.json` and `/asyncapi.json` under the requested address. */
export function serveDocuments(app: FastifyInstance, load: LoadApiDescription): void {
  for (const [path, write] of [
    ['/openapi.json', openApi],
    ['/asyncapi.json', asyncApi],
  ] as const) {
    const written = new Map<string, string>()
    app.get(path, async (request, reply) => {
      const url = `http://${request.headers.host}`
      const document = written.get(url) ?? JSON.stringify(write({ ...(await load()), url }))
      // Clients choose the Host, so only the latest document is cached.
      written.clear()
      written.set(url, document)
      return reply.header('content-type', 'application/json; charset=utf-8').send(document)
    })
  }
}

interface Route {
  /** For example `POST /api/tool/type_text`. */
  readonly name: string
  readonly method: string
  readonly path: string
}

const routes = new WeakMap<ApiDescription, readonly Route[]>()

function routesOf(api: ApiDescription): readonly Route[] {
  const known = routes.get(api)
  if (known) return known
  const listed = api.operations.map(({ method, path }) => {
    const upper = method.toUpperCase()
    return { name: `${upper} ${path}`, method: upper, path }
  })
  routes.set(api, listed)
  return listed
}

/** The route nearest to a missing one, such as `POST /api/tool/type_text`. Undefined if none is similar. */
export async function suggestRoute(
  load: LoadApiDescription,
  { method, url }: FastifyRequest,
): Promise<string | undefined> {
  const path = url.replace(/\?.*$/s, '').slice(0, MAX_PATH_LENGTH)
  const filled = routesOf(await load()).map((route) => ({ ...route, path: filledIn(route.path, path) }))
  const [near] = [...suggest(path, new Set(filled.map((route) => route.path))), ...containing(lastWord(path), filled)]
  const found = filled.filter((route) => route.path === near)
  return (found.find((route) => route.method === method) ?? found[0])?.name
}

/** The path of a route with the segments of the requested path in place of its parameters. */
function filledIn(route: string, requested: string): string {
  const words = requested.split('/')
  const parts = route.split('/')
  if (parts.length !== words.length) return route
  return parts.map((part, at) => (part.startsWith('{') ? words[at] : part)).join('/')
}

const lastWord = (path: string): string => path.replace(/\/+$/, '').split('/').at(-1)!.toLowerCase()

/** The paths whose last segment contains a word, shortest first. */
const containing = (word: string, routes: readonly { readonly path: string }[]): readonly string[] =>
  word.length < MIN_WORD_LENGTH
    ? []
    : routes
        .map(({ path }) => path)
        .filter((path) => lastWord(path).includes(word))
        .sort((one, other) => lastWord(one).length - lastWord(other).length)

/** The hint that the response for a missing route includes. */
export async function routeHint(
  load: LoadApiDescription,
  request: FastifyRequest,
): Promise<{ readonly hint?: string }> {
  const route = await suggestRoute(load, request)
  return route === undefined ? {} : { hint: `did you mean ${route}?` }
}
