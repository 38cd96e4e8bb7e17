import type { DataValue } from '../expression/data-type.ts'
import {
  changeEntries,
  changeItems,
  childOf,
  type FilePlace,
  type ListNode,
  type MapEntry,
  type MapNode,
  nodeOf,
  nodeText,
  overlaid,
  type Report,
  type SourceNode,
  withoutKeys,
} from '../source/source-node.ts'
import {
  BROWSER_BARS,
  BROWSER_DIALOG,
  BROWSER_PAGES,
  type BrowserData,
  browserReactions,
  defaultNotFound,
  firstBrowserData,
  notFoundPage,
  PAGE_ID,
} from './browser-window.ts'
import { checkAddresses } from './check-addresses.ts'
import { addressOf, segmentsOf } from './sites.ts'

/**
 * Writes the sites of a file as what composing knows already: a variable `browser`, a window whose elements follow it, and
 * reactions. `sites` keeps what a load of a page needs.
 */
export function withSites(root: MapNode, report: Report): MapNode {
  const sites = childOf(root, 'sites')
  if (sites?.kind !== 'map') return root
  const known = readSites(sites, report)
  const windows = browserWindowsIn(root)
  const [first] = windows
  if (!first) {
    report(
      root.entries.get('sites')!.keyPlace,
      'no window shows these sites; write browser: with the first address in one',
    )
    return root
  }
  for (const { uid, keyPlace } of windows)
    if (uid !== first.uid) report(keyPlace, `the window ${first.uid} is the browser; a scenario has one`)
  checkAddresses(root, pathsOf(known), report)
  const written = changeEntries(root, (key, { node }) => {
    if (key === 'sites') return withoutContent(sites)
    if (key === 'windows') return withBrowsers(node, known, report)
    if (key !== 'states' || node.kind !== 'map') return node
    return changeEntries(node, (_, { node: state }) =>
      state.kind === 'map'
        ? changeEntries(state, (name, entry) =>
            name === 'windows' ? withBrowsers(entry.node, known, report) : entry.node,
          )
        : state,
    )
  })
  const { place } = sites
  const folder = downloadsOf(first.browser)
  const data = firstBrowserData(startOf(first.browser, known, report), known.params, {
    bookmarks: bookmarksOf(first.browser, known, report),
    downloads: folder,
    hasTools: known.tools.length > 0,
  })
  const vars = childOf(root, 'vars')
  const types = Object.entries(LISTS).reduce<SourceNode | undefined>(
    (written, [list, fields]) =>
      data[list as keyof typeof LISTS].length > 0
        ? written
        : withEntry(written, `browser.${list}`, nodeOf(fields, place)),
    childOf(root, 'types'),
  )
  const files = childOf(root, 'files')
  const needsFolder = known.pages.some(({ node }) => node.entries.has('download'))
  if (vars?.kind === 'map' && vars.entries.has('browser'))
    report(vars.entries.get('browser')!.keyPlace, 'browser is the variable of the window that shows the sites')
  const reactions = [
    ...known.pages.flatMap(reactionsOf),
    ...known.tools.map(reactionOfTool),
    ...browserReactions(first.uid).map((part) => nodeOf(part, place)),
  ]
  return {
    ...written,
    entries: new Map([
      ...written.entries,
      ['vars', entryOf(withEntry(vars, 'browser', nodeOf(data as unknown as DataValue, place)), place)],
      ['types', entryOf(types ?? nodeOf({}, place), place)],
      ...(needsFolder ? [['files', entryOf(withFolder(files, folder, place), place)] as const] : []),
      ['reactions', entryOf(withItems(childOf(root, 'reactions'), reactions, place), place)],
    ]),
  }
}

/** The lists of a browser, which may start empty, with the fields of their records. */
const LISTS = {
  bookmarks: { id: 'text', title: 'text' },
  visited: { id: 'text', title: 'text' },
  closed: { id: 'integer', url: 'text' },
  permissions: { id: 'text', site: 'text', permission: 'text', state: 'text' },
  downloads: { id: 'integer', file: 'text', path: 'text', url: 'text', size: 'integer' },
}

/** The files with a folder for downloads. */
const withFolder = (files: SourceNode | undefined, folder: string, place: FilePlace): SourceNode =>
  files?.kind === 'map' && [...files.entries.keys()].some((path) => path === folder || path.startsWith(`${folder}/`))
    ? files
    : withEntry(files?.kind === 'map' ? files : nodeOf({}, place), folder, nodeOf(null, place))

/** The folder for downloads, without a `/` at its end. */
const downloadsOf = (browser: SourceNode): string =>
  ((browser.kind === 'map' && nodeText(childOf(browser, 'downloads'))) || '/Downloads').replace(/(.)\/+$/, '$1')

const entryOf = (node: SourceNode, keyPlace: FilePlace): MapEntry => ({ keyPlace, node })

const withEntry = (map: SourceNode | undefined, key: string, node: SourceNode): SourceNode =>
  map && map.kind !== 'map'
    ? map
    : {
        kind: 'map',
        place: node.place,
        ...map,
        entries: new Map([...(map?.entries ?? []), [key, entryOf(node, node.place)]]),
      }

const withItems = (list: SourceNode | undefined, items: readonly SourceNode[], place: FilePlace): SourceNode =>
  list && (list.kind === 'map' || (list.kind === 'scalar' && list.value !== null))
    ? list
    : { kind: 'list', place: list?.place ?? place, items: [...(list?.kind === 'list' ? list.items : []), ...items] }

/** A page as written. */
interface WrittenPage {
  readonly host: string
  /** What `browser.page` is while it is shown. */
  readonly id: string
  readonly params: readonly string[]
  readonly node: MapNode
}

/** The sites as written. */
interface WrittenSites {
  readonly hosts: readonly string[]
  readonly node: MapNode
  readonly pages: readonly WrittenPage[]
  readonly tools: readonly WrittenTool[]
  /** The parameters of all pages, each empty. */
  readonly params: Readonly<Record<string, string>>
}

const pathsOf = ({ hosts, pages }: WrittenSites): ReadonlyMap<string, readonly string[]> =>
  new Map(
    hosts.map((host) => [host, pages.flatMap((page) => (page.host === host ? [page.id.slice(host.length)] : []))]),
  )

function readSites(node: MapNode, report: Report): WrittenSites {
  const pages = [...node.entries].flatMap(([host, entry]) => pagesOf(host, entry, report))
  const params = Object.fromEntries(pages.flatMap((page) => page.params.map((name) => [name, ''])))
  return { hosts: [...node.entries.keys()], node, pages, tools: toolsIn(node, pages, report), params }
}

/** A tool of a page, or of all pages of a site, as written. */
interface WrittenTool {
  readonly name: string
  /** The expression that holds while it can be called. */
  readonly shown: string
  readonly params: readonly string[]
  readonly node: MapNode
}

/** The tools of all sites and pages. Reports those that a page registers twice. */
function toolsIn({ entries }: MapNode, pages: readonly WrittenPage[], report: Report): readonly WrittenTool[] {
  return [...entries].flatMap(([host, { node: site }]) => {
    const ofSite = toolsOf(site, `browser.site == ${JSON.stringify(host)}`, [])
    const ofPages = pages
      .filter((page) => page.host === host)
      .flatMap(({ id, params, node }) => {
        const own = toolsOf(node, `browser.page == ${JSON.stringify(id)}`, params)
        const all = [...ofSite, ...own]
        for (const [at, tool] of all.entries())
          if (own.includes(tool) && all.findIndex(({ name }) => name === tool.name) < at)
            report(tool.node.place, `${id} has two tools ${tool.name}`)
        return own
      })
    for (const [at, tool] of ofSite.entries())
      if (ofSite.findIndex(({ name }) => name === tool.name) < at)
        report(tool.node.place, `${host} has two tools ${tool.name}`)
    return [...ofSite, ...ofPages]
  })
}

const toolsOf = (owner: SourceNode, shown: string, params: readonly string[]): readonly WrittenTool[] => {
  const list = owner.kind === 'map' ? childOf(owner, 'tools') : undefined
  return (list?.kind === 'list' ? list.items : []).flatMap((node) =>
    node.kind === 'map' ? [{ name: nodeText(childOf(node, 'name')) ?? '', shown, params, node }] : [],
  )
}

/** The functions of expressions that give a value its type. */
const CASTS: Readonly<Record<string, string>> = { text: 'string', number: 'double', integer: 'int', boolean: 'bool' }

/** The expression for an argument of a tool. */
function inputOf(name: string, node: SourceNode): string {
  const cast = CASTS[nodeText(node.kind === 'map' ? childOf(node, 'type') : node) ?? '']
  return cast === undefined ? `event.input.${name}` : `${cast}(event.input.${name})`
}

/** The reaction to a call of a tool: its effects, and then what it answers, in `browser.returned`. */
function reactionOfTool({ name, shown, params, node }: WrittenTool): SourceNode {
  const { place } = node
  const [set, returns, input] = [childOf(node, 'set'), childOf(node, 'returns'), childOf(node, 'input')]
  const answer = overlaid(nodeOf({ var: 'browser.returned', to: '' }, place) as MapNode, {
    kind: 'map',
    place,
    entries: new Map(returns ? [['to', entryOf(returns, returns.place)]] : []),
  })
  const effects: ListNode = { kind: 'list', items: [...(set?.kind === 'list' ? set.items : []), answer], place }
  const reaction = nodeOf(
    { id: name, on: { tool: 'webmcp_call', text_regex: name.replaceAll('.', '\\.') }, when: [{ expression: shown }] },
    place,
  ) as MapNode
  const given = input?.kind === 'map' ? [...input.entries] : []
  return withNames(
    { ...reaction, entries: new Map([...reaction.entries, ['set', entryOf(effects, place)]]) },
    { ...namesOfParams(params), ...Object.fromEntries(given.map(([name, { node }]) => [name, inputOf(name, node)])) },
  )
}

function pagesOf(host: string, { keyPlace, node }: MapEntry, report: Report): readonly WrittenPage[] {
  if (addressOf(host)?.host !== host)
    report(keyPlace, `${JSON.stringify(host)} is not the host of a site, such as shop.test`)
  const pages = node.kind === 'map' ? childOf(node, 'pages') : undefined
  if (pages?.kind !== 'map') return []
  const shapes = new Map<string, string>()
  return [...pages.entries].flatMap(([path, entry]): readonly WrittenPage[] => {
    if (entry.node.kind !== 'map') return []
    const shape = segmentsOf(path)
      .map((segment) => ('word' in segment ? segment.word : '{}'))
      .join('/')
    const other = shapes.get(shape)
    shapes.set(shape, path)
    if (other !== undefined) report(entry.keyPlace, `${path} and ${other} are the same addresses of ${host}`)
    const params = paramsOf(path, entry, report)
    checkContent(path, entry.keyPlace, entry.node, report)
    return [{ host, id: `${host}${path}`, params, node: entry.node }]
  })
}

/** Reports a page without a title, and a file that has the content of a page. */
function checkContent(path: string, keyPlace: FilePlace, page: MapNode, report: Report): void {
  const has = (key: string) => page.entries.has(key)
  if (!has('download') && has('text'))
    report(page.entries.get('text')!.keyPlace, 'text is that of a file; add download with its name')
  if (!has('title') && !has('download') && !isAlwaysRedirected(page)) report(keyPlace, `the page ${path} has no title`)
  if (has('download'))
    for (const key of ['title', 'children', 'reactions'])
      if (has(key)) report(page.entries.get(key)!.keyPlace, `${path} is a file to download and has no ${key}`)
}

const isAlwaysRedirected = (page: MapNode): boolean => {
  const redirect = childOf(page, 'redirect')
  return redirect !== undefined && !(redirect.kind === 'map' && redirect.entries.has('when'))
}

/** The names of the parameters in a path and after the `?`. */
function paramsOf(path: string, { keyPlace, node }: MapEntry, report: Report): readonly string[] {
  if (!path.startsWith('/') || /[?#]|\/\/|.\/$/.test(path))
    report(
      keyPlace,
      `${JSON.stringify(path)} is not the path of a page, such as /orders/{id}; query: has what follows the ?`,
    )
  const query = node.kind === 'map' ? childOf(node, 'query') : undefined
  const names = [
    ...segmentsOf(path).flatMap((segment) => ('param' in segment ? [segment.param] : [])),
    ...(query?.kind === 'map' ? query.entries.keys() : []),
  ]
  for (const [index, name] of names.entries()) {
    if (!/^[A-Za-z_]\w*$/.test(name))
      report(keyPlace, `${JSON.stringify(name)} is not a name; expected letters, digits and _`)
    if (names.indexOf(name) < index) report(keyPlace, `${path} has two parameters ${name}`)
  }
  if (segmentsOf(path).some((segment) => 'word' in segment && /[{}]/.test(segment.word)))
    report(keyPlace, `a parameter of ${path} is a part of its own, such as /orders/{id}`)
  return names
}

/** The sites with what a load of a page needs: the rest is in the window and the reactions. */
const withoutContent = (sites: MapNode): MapNode =>
  changeEntries(sites, (_, { node: site }) =>
    site.kind !== 'map'
      ? site
      : changeEntries(withoutKeys(site, ['header', 'footer']), (key, { node }) => {
          if (key === 'tools') return withoutEffects(node)
          if (key === 'not_found' && node.kind === 'map') return withoutKeys(node, ['children'])
          return key === 'pages' && node.kind === 'map'
            ? changeEntries(node, (path, page) => pageToLoad(path, page))
            : node
        }),
  )

function pageToLoad(path: string, { node }: MapEntry): SourceNode {
  if (node.kind !== 'map') return node
  const query = childOf(node, 'query')
  const names = [
    ...segmentsOf(path).flatMap((segment) => ('param' in segment ? [segment.param] : [])),
    ...(query?.kind === 'map' ? query.entries.keys() : []),
  ]
  const page = changeEntries(withoutKeys(node, ['children', 'reactions']), (key, entry) =>
    key === 'tools' ? withoutEffects(entry.node) : entry.node,
  )
  return withParams(page, names)
}

/** Tools as agents see them. */
const withoutEffects = (tools: SourceNode): SourceNode =>
  tools.kind === 'list'
    ? changeItems(tools, (tool) => [tool.kind === 'map' ? withoutKeys(tool, ['set', 'returns']) : tool])
    : tools

/** A node in which the parameters of a page have a meaning. */
const withParams = (map: MapNode, params: readonly string[]): MapNode => withNames(map, namesOfParams(params))

const namesOfParams = (params: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(params.map((name) => [name, `browser.params.${name}`]))

/** A node in which names stand for expressions. */
const withNames = (map: MapNode, names: Readonly<Record<string, string>>): MapNode =>
  Object.keys(names).length === 0 ? map : overlaid(map, nodeOf({ [SCOPE]: names }, map.place) as MapNode)

/** The key of a map with the names that have a meaning in it, and their expressions. No file can have it. */
export const SCOPE = '\0names'

/** The reactions of a page: they happen while it is shown. */
function reactionsOf({ id, params, node }: WrittenPage): readonly SourceNode[] {
  const reactions = childOf(node, 'reactions')
  if (reactions?.kind !== 'list') return reactions ? [reactions] : []
  return reactions.items.map((reaction) => {
    if (reaction.kind !== 'map') return reaction
    const { place } = reaction
    const isShown = nodeOf({ expression: `browser.page == ${JSON.stringify(id)}` }, place)
    const when = childOf(reaction, 'when')
    const all: ListNode = { kind: 'list', items: [isShown, ...(when?.kind === 'list' ? when.items : [])], place }
    return withParams({ ...reaction, entries: new Map([...reaction.entries, ['when', entryOf(all, place)]]) }, params)
  })
}

interface BrowserWindow {
  readonly uid: string
  readonly browser: SourceNode
  readonly keyPlace: FilePlace
}

const uidOf = (window: MapNode): string => nodeText(childOf(window, 'uid')) ?? 'browser'

/** The windows of all states, and of `windows`, that are browsers. */
function browserWindowsIn(root: MapNode): readonly BrowserWindow[] {
  const states = childOf(root, 'states')
  const lists = [
    ...(states?.kind === 'map' ? [...states.entries.values()] : []).map(({ node }) =>
      node.kind === 'map' ? childOf(node, 'windows') : undefined,
    ),
    childOf(root, 'windows'),
  ]
  return lists.flatMap((list) =>
    (list?.kind === 'list' ? list.items : []).flatMap((window) => {
      const entry = window.kind === 'map' ? window.entries.get('browser') : undefined
      return entry ? [{ uid: uidOf(window as MapNode), browser: entry.node, keyPlace: entry.keyPlace }] : []
    }),
  )
}

/** The windows of a list, with the trees of browsers. */
const withBrowsers = (windows: SourceNode, sites: WrittenSites, report: Report): SourceNode =>
  windows.kind !== 'list'
    ? windows
    : changeItems(windows, (window) => [
        window.kind === 'map' && window.entries.has('browser') ? browserWindow(window, sites, report) : window,
      ])

function browserWindow(window: MapNode, sites: WrittenSites, report: Report): MapNode {
  const { keyPlace } = window.entries.get('browser')!
  if (window.entries.has('tree'))
    report(window.entries.get('tree')!.keyPlace, 'browser makes the elements of this window; leave tree out')
  const rest = nodeOf(
    {
      uid: uidOf(window),
      title: '{{ browser.title }} - Browser',
      process: 'browser.exe',
      tree: { role: 'Window', name: '{{ browser.title }} - Browser', layout: { gap: 0, padding: 0 }, children: [] },
    },
    keyPlace,
  ) as MapNode
  const page = nodeOf(
    {
      id: PAGE_ID,
      role: 'Document',
      name: '{{ browser.title }}',
      read_only: true,
      look: 'page',
      grow: 1,
      layout: { gap: 0, padding: 0 },
      children: [],
    },
    keyPlace,
  ) as MapNode
  const children = (map: MapNode, items: readonly SourceNode[]): MapNode =>
    changeEntries(map, (key, { node }) => (key === 'children' ? { kind: 'list', items, place: node.place } : node))
  const bars = BROWSER_BARS.map((part) => nodeOf(part, keyPlace))
  const dialog = nodeOf(BROWSER_DIALOG, keyPlace)
  const tree = children(childOf(rest, 'tree') as MapNode, [...bars, children(page, contentOf(sites, keyPlace)), dialog])
  return overlaid(
    { ...rest, entries: new Map([...rest.entries, ['tree', entryOf(tree, keyPlace)]]), place: window.place },
    withoutKeys(window, ['browser', 'tree']),
  )
}

/** The content of all pages, each there while it is shown. */
function contentOf({ node, pages }: WrittenSites, place: FilePlace): readonly SourceNode[] {
  const parts: SourceNode[] = BROWSER_PAGES.map((part) => nodeOf(part, place))
  for (const [host, { node: site }] of node.entries) {
    if (site.kind !== 'map') continue
    const around = (part: 'header' | 'footer') =>
      shownWhile(`browser.site == ${JSON.stringify(host)}`, childOf(site, part), part)
    parts.push(...around('header'))
    for (const page of pages)
      if (page.host === host)
        parts.push(
          ...shownWhile(`browser.page == ${JSON.stringify(page.id)}`, childOf(page.node, 'children')).map((part) =>
            withParams(part, page.params),
          ),
        )
    const missing = childOf(site, 'not_found')
    const own = missing?.kind === 'map' ? childOf(missing, 'children') : undefined
    parts.push(
      ...(own
        ? shownWhile(`browser.page == ${JSON.stringify(notFoundPage(host))}`, own)
        : [nodeOf(defaultNotFound(host), place)]),
    )
    parts.push(...around('footer'))
  }
  return parts
}

type PagePart = 'header' | 'content' | 'footer'

/** What the parts of a page are. */
const PAGE_PARTS: Readonly<Record<PagePart, Readonly<Record<string, DataValue>>>> = {
  header: { role: 'Pane', name: 'Header', look: 'header', layout: { arrange: 'row', padding: 24, gap: 24 } },
  content: { role: 'Pane', name: '', grow: 1, layout: { padding: 24, gap: 16 } },
  footer: { role: 'Pane', name: 'Footer', look: 'footer', layout: { arrange: 'row', padding: 24, gap: 24 } },
}

/** Elements in a part of the page that is there while a condition holds. */
function shownWhile(
  condition: string,
  children: SourceNode | undefined,
  part: PagePart = 'content',
): readonly MapNode[] {
  if (!children) return []
  const pane = nodeOf({ if: condition, ...PAGE_PARTS[part] }, children.place) as MapNode
  return [{ ...pane, entries: new Map([...pane.entries, ['children', entryOf(children, children.place)]]) }]
}

/** The addresses of the tabs at the start. */
function startOf(browser: SourceNode, { hosts }: WrittenSites, report: Report): readonly string[] {
  const tabs = browser.kind === 'map' ? childOf(browser, 'tabs') : browser
  const texts = tabs?.kind === 'list' ? tabs.items : tabs ? [tabs] : []
  const addresses = texts.flatMap((node) => siteAddress(node, hosts, report) ?? [])
  return addresses.length === 0 ? [''] : addresses
}

/** The whole address that a text means, which has to be one of a site. */
function siteAddress(node: SourceNode, hosts: readonly string[], report: Report): string | undefined {
  const url = addressOf(nodeText(node) ?? '')
  if (!url || !hosts.includes(url.host)) report(node.place, `expected the address of a site: ${hosts.join(', ')}`)
  return url?.href
}

function bookmarksOf(browser: SourceNode, { hosts }: WrittenSites, report: Report): BrowserData['bookmarks'] {
  const bookmarks = browser.kind === 'map' ? childOf(browser, 'bookmarks') : undefined
  if (bookmarks?.kind !== 'map') return []
  return [...bookmarks.entries].map(([title, { node }]) => ({ id: siteAddress(node, hosts, report) ?? '', title }))
}
