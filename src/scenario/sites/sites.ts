import type { AuthoredSite, AuthoredSites, PageTool } from '../schema/sites.ts'

/** The sites of a scenario, and which page an address names. */

/** A part of a path: a word, or a parameter. */
export type PathPart = { readonly word: string } | { readonly param: string }

/** A page of a site. */
export interface PageRoute {
  /** The host and the path as written, such as `shop.test/orders/{id}`. */
  readonly id: string
  readonly segments: readonly PathPart[]
  /** The parameters after the `?`, with their values without one. */
  readonly query: Readonly<Record<string, string>>
  readonly title: string
  readonly found: string | undefined
  /** The name and the text of the file that is downloaded instead of a page. */
  readonly download: { readonly name: string; readonly text: string } | undefined
  readonly redirect: { readonly to: string; readonly when?: string | undefined } | undefined
  readonly tools: readonly PageTool[]
}

/** A site: its routes, those with words before those with parameters. */
export interface Site {
  readonly host: string
  readonly routes: readonly PageRoute[]
  readonly notFoundTitle: string | undefined
  /** The tools of all its pages. */
  readonly tools: readonly PageTool[]
}

export type Sites = ReadonlyMap<string, Site>

export const NO_SITES: Sites = new Map()

/** The sites of a checked file. */
export const buildSites = (authored: AuthoredSites = {}): Sites =>
  new Map(Object.entries(authored).map(([host, site]) => [host, buildSite(host, site)]))

function buildSite(host: string, { pages, not_found, tools = [] }: AuthoredSite): Site {
  const routes = Object.entries(pages).map(
    ([path, { title = '', query = {}, found, redirect, download, text = '', tools = [] }]): PageRoute => ({
      id: `${host}${path}`,
      segments: segmentsOf(path),
      query,
      title,
      found,
      download: download === undefined ? undefined : { name: download, text },
      redirect: typeof redirect === 'string' ? { to: redirect } : redirect,
      tools,
    }),
  )
  return { host, routes: routes.sort(bySpecificity), notFoundTitle: not_found?.title, tools }
}

/** Words come before parameters, from the left. */
function bySpecificity({ segments: a }: PageRoute, { segments: b }: PageRoute): number {
  const at = a.findIndex((segment, index) => index < b.length && 'word' in segment !== 'word' in b[index]!)
  return at < 0 ? 0 : 'word' in a[at]! ? -1 : 1
}

/** The parts of a path such as `/orders/{id}`. */
export const segmentsOf = (path: string): readonly PathPart[] =>
  path
    .split('/')
    .filter((part) => part !== '')
    .map((part) => {
      const param = /^\{(.*)\}$/.exec(part)?.[1]
      return param === undefined ? { word: part } : { param }
    })

/** The longest address that is loaded. */
const MAX_ADDRESS = 2048

/**
 * The address that a text means: relative to a page, or as typed, where `https://` may be left out. Undefined for a text that is none,
 * and for other schemes.
 */
export function addressOf(text: string, base?: string): URL | undefined {
  const typed = text.trim()
  const isWhole = base !== undefined || /^[a-z][a-z0-9+.-]*:/i.test(typed.replace(/^[\w.-]+:\d/, ''))
  const given = isWhole ? typed : `https://${typed}`
  if (typed === '' || given.length > MAX_ADDRESS || !URL.canParse(given, base)) return undefined
  const url = new URL(given, base)
  if (url.protocol === 'http:') url.protocol = 'https:'
  return url.protocol === 'https:' && !/\s/.test(typed) ? url : undefined
}

/** A page of a site with the values of its parameters. */
export interface MatchedRoute {
  readonly route: PageRoute
  readonly params: Readonly<Record<string, string>>
}

/** The page that an address names. Undefined if its site has none. */
export function matchRoute({ routes }: Site, { pathname, searchParams }: URL): MatchedRoute | undefined {
  const parts = pathname
    .split('/')
    .filter((part) => part !== '')
    .map(decoded)
  for (const route of routes) {
    if (route.segments.length !== parts.length) continue
    const params: Record<string, string> = {}
    const fits = route.segments.every((segment, index) => {
      if ('param' in segment) params[segment.param] = parts[index]!
      return 'param' in segment || segment.word === parts[index]
    })
    if (!fits) continue
    for (const [name, fallback] of Object.entries(route.query)) params[name] = searchParams.get(name) ?? fallback
    return { route, params }
  }
  return undefined
}

/** A part of a path without its percent signs. One that is wrong stays as it is. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
