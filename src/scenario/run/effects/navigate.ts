import { Fault } from '../../../base/fault.ts'
import { changeWindow, type Desktop, type Window } from '../../../desktop/model/desktop.ts'
import { changeAt, type Element, nodeById, pathOf, withFields } from '../../../desktop/model/element.ts'
import { roleKind } from '../../../desktop/model/role.ts'
import { styleMetrics } from '../../../desktop/style/style.ts'
import { refOf, withTraits } from '../../../desktop/tree/element-ref.ts'
import { visibilityOf } from '../../../desktop/tree/visibility.ts'
import { reveal } from '../../../desktop/widgets/scrolling.ts'
import { focusElement } from '../../../desktop/windows/focus.ts'
import { refreshWindow } from '../../composition/refresh.ts'
import { conditionHolds } from '../../data/scope.ts'
import { textOfValue } from '../../expression/data-type.ts'
import { layOutWindow } from '../../layout/layout.ts'
import type { LiveProgram } from '../../live/live-program.ts'
import { evaluateTemplate } from '../../live/live-template.ts'
import { liveContext } from '../../live-context.ts'
import { shownText } from '../../predicate.ts'
import { type BackgroundPage, runWith, type ScenarioRun, withDesktop } from '../../scenario-run.ts'
import type { BrowseEffect, NavigateEffect } from '../../schema/effect.ts'
import {
  ADDRESS_ID,
  type BrowserData,
  type BrowserTab,
  blankTab,
  FIND_ID,
  type FindInPage,
  NO_FIND,
  NO_SITE,
  notFoundPage,
  PAGE_ID,
} from '../../sites/browser-window.ts'
import { addressOf, matchRoute } from '../../sites/sites.ts'
import { answerDialog, answerRequest, withDialog, withoutQuestions, withRequest } from './browser-questions.ts'
import { browserOf, withBrowser } from './browser-state.ts'
import { type ApplyEffect, skipEffect, textFiller } from './context.ts'
import { downloaded, type ServedFile } from './downloads.ts'

/** The limits of a browser. The oldest addresses of a history go first. */
const MAX_TABS = 100
const MAX_HISTORY = 100
/** A page that redirects more often is not loaded. */
const MAX_REDIRECTS = 20
/** The most closed tabs that can be opened again. */
const MAX_CLOSED = 20
/** The most matches that the find bar counts. */
const MAX_MATCHES = 1000

const hasBrowser = ({ scenario }: ScenarioRun): boolean => scenario.sites.size > 0

/** Loads an address: that of a link, relative to the page, or one that was typed. */
export const applyNavigate: ApplyEffect<NavigateEffect> = (run, { navigate, tab, typed = false }, context) => {
  if (!hasBrowser(run)) return run
  const text = textFiller(run, context)(navigate)
  const { url } = browserOf(run)
  const address = addressOf(text, typed || url === '' ? undefined : url)
  if (!address) return skipEffect(run, 'navigate', `${JSON.stringify(text)} is not an address`)
  const { file, url: from } = answerAt(run, address.href)
  if (file) return downloaded(run, from, file)
  if (tab === 'background') return withTabBehind(run, address.href)
  const opened = tab === 'new' ? withNewTab(run) : run
  if (tab === 'new' && opened === run) return skipEffect(run, 'navigate', `${MAX_TABS} tabs are open`)
  return focused(visited(opened, address.href), PAGE_ID)
}

/** Does what a control of the browser does. */
export const applyBrowse: ApplyEffect<BrowseEffect> = (run, effect, context) => {
  if (!hasBrowser(run)) return run
  const { browse, tab } = effect
  const { tabs, tab: active, at, history } = browserOf(run)
  const here = tabs.findIndex(({ id }) => id === active)
  const beside = (step: number): number => tabs[(here + step + tabs.length) % tabs.length]!.id
  switch (browse) {
    case 'back':
    case 'forward': {
      const to = at + (browse === 'back' ? -1 : 1)
      return history[to] === undefined ? run : focused(loaded(run, history[to], { at: to, history }), PAGE_ID)
    }
    case 'reload':
      return focused(loaded(run, history[at]!, { at, history }), PAGE_ID)
    case 'new_tab': {
      const opened = withNewTab(run)
      return opened === run ? skipEffect(run, 'browse', `${MAX_TABS} tabs are open`) : focused(opened, ADDRESS_ID)
    }
    case 'close_tab':
      return withoutTab(run, tab ?? active)
    case 'close_others':
      return tabs.reduce((left, { id }) => (id === active ? left : withoutTab(left, id)), run)
    case 'copy_link': {
      const link = addressOf(browserOf(run).menu_link, browserOf(run).url)
      return link ? withDesktop(run, { ...run.desktop, clipboard: link.href }) : run
    }
    case 'reopen_tab':
      return withReopened(run)
    case 'show_tab':
      return withTabInFront(run, tab ?? active)
    case 'next_tab':
      return withTabInFront(run, beside(1))
    case 'previous_tab':
      return withTabInFront(run, beside(-1))
    case 'address':
      return withAllSelected(focused(run, ADDRESS_ID), ADDRESS_ID)
    case 'restore_address':
      return withAllSelected(focused(withBrowser(run, { address: browserOf(run).url }), ADDRESS_ID), ADDRESS_ID)
    case 'bookmark':
      return withBookmark(run)
    case 'find':
      return withFindBar(run)
    case 'find_text':
      return foundAt(run, 1)
    case 'find_next':
      return foundAt(run, browserOf(run).find.at + 1)
    case 'find_previous':
      return foundAt(run, browserOf(run).find.at - 1)
    case 'find_close':
      return focused(withFind(run, { open: false, at: 0, count: 0 }), PAGE_ID)
    case 'alert':
    case 'confirm':
    case 'prompt':
      return withDialog(run, effect, context)
    case 'ask':
      return withRequest(run, effect, context)
    case 'ok':
      return answerDialog(run, 'ok')
    case 'cancel':
      return browserOf(run).dialog.open ? answerDialog(run, 'cancel') : answerRequest(run)
    case 'allow':
      return answerRequest(run, 'allowed')
    case 'block':
      return answerRequest(run, 'blocked')
    case 'downloads':
      return withBrowser(run, { downloads_open: !browserOf(run).downloads_open })
  }
}

/** The run at its start, with the first tabs loaded. */
export function withStartTabs(run: ScenarioRun): ScenarioRun {
  if (!hasBrowser(run)) return run
  const { tab: first, tabs } = browserOf(run)
  const opened = tabs.reduce((current, { id, history }) => {
    const there = withBrowser(current, { tab: id })
    return loaded(there, history[0]!, { at: 0, history })
  }, run)
  return shown(opened, first)
}

/** Goes to an address: what was ahead in the history is gone. */
function visited(run: ScenarioRun, url: string): ScenarioRun {
  const { at, history, url: here } = browserOf(run)
  const before = here === '' ? [] : history.slice(0, at + 1)
  const past = [...before, url].slice(-MAX_HISTORY)
  return loaded(run, url, { at: past.length - 1, history: past })
}

/** The place of an address in the history of a tab. */
type HistoryPlace = Pick<BrowserTab, 'at' | 'history'>

/** Loads an address into the active tab. */
const loaded = (run: ScenarioRun, address: string, place: HistoryPlace): ScenarioRun =>
  withVisit(withActive(run, loadedTab(run, address, place)))

/** Remembers the page of the active tab as the newest that was visited. */
function withVisit(run: ScenarioRun): ScenarioRun {
  const { url, title, visited: before } = browserOf(run)
  if (url === '') return run
  const others = before.filter(({ id }) => id !== url)
  return withBrowser(run, { visited: [{ id: url, title }, ...others].slice(0, MAX_HISTORY) })
}

/** A tab that loads an address, and the addresses that it redirects to. */
function loadedTab(run: ScenarioRun, address: string, place: HistoryPlace): Omit<BrowserTab, 'id'> {
  if (address === '') return { ...blankTab(browserOf(run).tab, blank(run)), ...place }
  const { url, page } = answerAt(run, address)
  if (!page) return { ...place, url, ...NO_PAGE, params: blank(run) }
  const history = place.history.map((each, index) => (index === place.at ? url : each))
  return { ...page, url, at: place.at, history }
}

/** What an address answers after its redirects: a page, and perhaps a file instead of it. Neither if it redirects too often. */
function answerAt(
  run: ScenarioRun,
  address: string,
): { readonly url: string; readonly page?: LoadedPage; readonly file?: ServedFile | undefined } {
  let url = address
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    const answer = pageAt(run, url)
    if (!('redirect' in answer)) {
      const { file, ...page } = answer
      return { url, page, file }
    }
    url = answer.redirect
  }
  return { url }
}

const NO_PAGE = { title: 'This page redirects too often', site: '', page: NO_SITE }

type LoadedPage = Pick<BrowserTab, 'title' | 'site' | 'page' | 'params'>

/** The page at an address, or the address that it redirects to. */
function pageAt(
  run: ScenarioRun,
  url: string,
): (LoadedPage & { readonly file?: ServedFile }) | { readonly redirect: string } {
  const address = addressOf(url)!
  const site = run.scenario.sites.get(address.host)
  if (!site) return { title: address.host, site: '', page: NO_SITE, params: blank(run) }
  const match = matchRoute(site, address)
  const missing = {
    title: site.notFoundTitle ?? 'Page not found',
    site: site.host,
    page: notFoundPage(site.host),
    params: blank(run),
  }
  const { program } = run.scenario
  if (!match || !program) return missing
  const { route } = match
  const params = { ...blank(run), ...match.params }
  const there = withBrowser(run, { url, site: site.host, page: route.id, params })
  const context = liveContext(there)
  const holds = (text: string | undefined) => text === undefined || conditionHolds(program.scope, text, context)
  if (route.redirect && holds(route.redirect.when)) {
    const to = addressOf(textIn(program, route.redirect.to, there), url)
    if (to) return { redirect: to.href }
  }
  if (!holds(route.found)) return missing
  const { title, download } = route
  const filled = (template: string) => textIn(program, template, there)
  if (!download) return { title: filled(title), site: site.host, page: route.id, params }
  const file = { name: filled(download.name), text: filled(download.text) }
  return { title: file.name, site: site.host, page: route.id, params, file }
}

/** A text of `sites` with its templates filled. Empty if one has no value. */
function textIn(program: LiveProgram, template: string, run: ScenarioRun): string {
  try {
    return textOfValue(evaluateTemplate(program, template, liveContext(run)).value)
  } catch (error) {
    if (error instanceof Fault) return ''
    throw error
  }
}

/** Parameters without values. */
const blank = (run: ScenarioRun): BrowserData['params'] =>
  Object.fromEntries(Object.keys(browserOf(run).params).map((name) => [name, '']))

/** The run with another page in the active tab. */
function withActive(run: ScenarioRun, fields: Omit<BrowserTab, 'id'>): ScenarioRun {
  const { url, title, site, page, params, at, history } = fields
  const { tab, tabs } = browserOf(run)
  const own = { url, title, site, page, params, at, history }
  const others = tabs.map((each) => (each.id === tab ? { id: tab, ...own } : each))
  return withoutPage(withBrowser(withoutQuestions(run), { ...own, tabs: others, address: url, find: NO_FIND }))
}

/** The run with another tab in front. The page of the one that was keeps what was typed, chosen and scrolled on it. */
function shown(run: ScenarioRun, id: number): ScenarioRun {
  const { tab: before, tabs } = browserOf(run)
  const tab = tabs.find((each) => each.id === id)
  if (!tab || id === before) return run
  const pages = new Map(run.pages)
  const page = pages.get(id)
  const left = tabs.some((each) => each.id === before) ? pageOf(run) : undefined
  if (left) pages.set(before, left)
  pages.delete(id)
  const there = withActive(withBrowser(runWith(run, { pages }), { tab: id }), tab)
  return page ? withPage(there, page) : there
}

/** The run with another tab in front, and the focus where it was on its page. */
function withTabInFront(run: ScenarioRun, id: number): ScenarioRun {
  const focus = run.pages.get(id)?.focus
  return focused(shown(run, id), focus ?? PAGE_ID)
}

/** The page as it is, for when its tab is shown again. Undefined if it has no elements yet. */
function pageOf({ desktop }: ScenarioRun): BackgroundPage | undefined {
  const window = browserWindowOf(desktop)
  const page = window && nodeById(window.tree, PAGE_ID)
  const children = page?.children.filter(({ traits }) => traits?.instance) ?? []
  if (!window || !page || children.length === 0) return undefined
  const { focus } = window
  const isInside = focus !== undefined && focus !== PAGE_ID && nodeById(page, focus) !== undefined
  return { children, scrolled: page.traits?.scrolled, focus: isInside ? focus : undefined }
}

/** The run with the elements of a page that was shown before. The window may have moved since. */
function withPage(run: ScenarioRun, { children, scrolled }: BackgroundPage): ScenarioRun {
  const { desktop } = run
  const uid = browserWindowOf(desktop)?.uid
  if (uid === undefined) return run
  const filled = (page: Element) =>
    withTraits(withFields(page, { children: [...page.children, ...children] }), { scrolled })
  const metrics = styleMetrics(desktop.style, desktop.language)
  const there = withElement(desktop, uid, PAGE_ID, filled)
  return withDesktop(
    run,
    changeWindow(there, uid, (window) => layOutWindow(window, metrics)),
  )
}

/** The run with an empty tab in front. The same run if there are too many. */
function withNewTab(run: ScenarioRun): ScenarioRun {
  const { tabs, tab, next_tab: id } = browserOf(run)
  if (tabs.length >= MAX_TABS) return run
  const after = tabs.findIndex((each) => each.id === tab) + 1
  const opened = tabs.toSpliced(after, 0, blankTab(id, blank(run)))
  return shown(withBrowser(run, { tabs: opened, next_tab: id + 1 }), id)
}

/** The run with an address in a new tab behind the active one. */
function withTabBehind(run: ScenarioRun, url: string): ScenarioRun {
  const { tabs, tab, next_tab: id } = browserOf(run)
  if (tabs.length >= MAX_TABS) return skipEffect(run, 'navigate', `${MAX_TABS} tabs are open`)
  const after = tabs.findIndex((each) => each.id === tab) + 1
  const opened = { id, ...loadedTab(run, url, { at: 0, history: [url] }) }
  return withBrowser(run, { tabs: tabs.toSpliced(after, 0, opened), next_tab: id + 1 })
}

/** The run without a tab. The last one becomes empty. */
function withoutTab(run: ScenarioRun, id: number): ScenarioRun {
  const { tabs, tab } = browserOf(run)
  const at = tabs.findIndex((each) => each.id === id)
  if (at < 0) return run
  const left = tabs.toSpliced(at, 1)
  if (left.length === 0) {
    const remembered = withBrowser(run, { closed: closedWith(run, tabs[at]!) })
    return focused(loaded(remembered, '', { at: 0, history: [''] }), ADDRESS_ID)
  }
  const pages = new Map(run.pages)
  pages.delete(id)
  const without = withBrowser(runWith(run, { pages }), { tabs: left, closed: closedWith(run, tabs[at]!) })
  return id === tab ? withTabInFront(without, (left[at] ?? left.at(-1)!).id) : without
}

/** The closed tabs with one more, unless it was empty. */
function closedWith(run: ScenarioRun, { url }: BrowserTab): BrowserData['closed'] {
  const { closed } = browserOf(run)
  if (url === '') return closed
  return [{ id: (closed[0]?.id ?? 0) + 1, url }, ...closed].slice(0, MAX_CLOSED)
}

/** The run with the tab that was closed last, in front. */
function withReopened(run: ScenarioRun): ScenarioRun {
  const [last, ...closed] = browserOf(run).closed
  if (!last) return run
  const opened = withNewTab(run)
  if (opened === run) return skipEffect(run, 'browse', `${MAX_TABS} tabs are open`)
  return focused(visited(withBrowser(opened, { closed }), last.url), PAGE_ID)
}

/** Adds a bookmark of the page, or removes it. */
function withBookmark(run: ScenarioRun): ScenarioRun {
  const { url, title, bookmarks } = browserOf(run)
  if (url === '') return run
  const others = bookmarks.filter(({ id }) => id !== url)
  return withBrowser(run, { bookmarks: others.length < bookmarks.length ? others : [...bookmarks, { id: url, title }] })
}

/** The window that shows the pages. */
export const browserWindowOf = ({ windows }: Desktop): Window | undefined =>
  windows.find(({ tree }) => nodeById(tree, PAGE_ID))

const windowOf = ({ desktop }: ScenarioRun): string | undefined => browserWindowOf(desktop)?.uid

/** The run without the elements of the page, so that those of the next one begin afresh. */
function withoutPage(run: ScenarioRun): ScenarioRun {
  const uid = windowOf(run)
  if (uid === undefined) return run
  const there = withElement(run.desktop, uid, PAGE_ID, emptied)
  // The focus does not return from a dialog to an element of another page that has the same id.
  return withDesktop(
    run,
    changeWindow(there, uid, (window) => {
      const { focusBehind, ...each } = window
      return focusBehind === undefined ? window : each
    }),
  )
}

const emptied = (page: Element): Element =>
  withTraits(withFields(page, { children: page.children.filter(({ traits }) => !traits?.instance) }), {
    scrolled: undefined,
  })

const withElement = (desktop: Desktop, uid: string, id: string, change: (element: Element) => Element): Desktop =>
  changeWindow(desktop, uid, (window) => {
    const path = pathOf(window.tree, id)
    return path ? { ...window, tree: changeAt(window.tree, path, change) } : window
  })

function focused(run: ScenarioRun, element: string): ScenarioRun {
  const window = windowOf(run)
  return window === undefined ? run : withDesktop(run, focusElement(run.desktop, { window, element }))
}

/** The run with the find bar, whose field has the focus and all its text selected. */
function withFindBar(run: ScenarioRun): ScenarioRun {
  const { program } = run.scenario
  const uid = windowOf(run)
  const opened = foundAt(withFind(run, { open: true }), 1)
  if (uid === undefined || !program) return opened
  const hosts = program.hosts.filter(
    ({ window, state }) => window === uid && (state === undefined || state === run.state),
  )
  const { desktop } = refreshWindow(opened.desktop, uid, hosts, {
    program,
    contextNear: (window, items) => liveContext(opened, undefined, window, items),
    earlier: undefined,
  })
  return withAllSelected(focused(withDesktop(opened, desktop), FIND_ID), FIND_ID)
}

const withFind = (run: ScenarioRun, change: Partial<FindInPage>): ScenarioRun =>
  withBrowser(run, { find: { ...browserOf(run).find, ...change } })

/** The run with a match of the text of the find bar in view. After the last match is the first one, and before that the last. */
function foundAt(run: ScenarioRun, wanted: number): ScenarioRun {
  const { find } = browserOf(run)
  const window = browserWindowOf(run.desktop)
  const page = window && nodeById(window.tree, PAGE_ID)
  if (!find.open || !window || !page) return run
  const matches = find.text === '' ? [] : matchesIn(page, find.text.toLowerCase())
  const count = matches.length
  const at = count === 0 ? 0 : ((((wanted - 1) % count) + count) % count) + 1
  const shown = withFind(run, { at, count })
  const ref = at > 0 ? refOf(shown.desktop, { window: window.uid, element: matches[at - 1]! }) : undefined
  return ref ? withDesktop(shown, reveal(shown.desktop, ref)) : shown
}

/** The ids of the elements that show a text, each as often as it shows it, in the order of the page. */
function matchesIn(page: Element, text: string): readonly string[] {
  const found: string[] = []
  const visit = (element: Element): void => {
    if (element.traits?.hidden) return
    const isShown = element !== page && roleKind(element.role) !== 'pane'
    const parts = isShown ? shownText(element).toLowerCase().split(text) : ['']
    for (let part = 1; part < parts.length && found.length < MAX_MATCHES; part++) found.push(element.id)
    for (const child of element.children) if (visibilityOf(element, child) !== 'folded') visit(child)
  }
  visit(page)
  return found
}

/** The run with the whole text of a field selected, so that typing replaces it. */
function withAllSelected(run: ScenarioRun, id: string): ScenarioRun {
  const uid = windowOf(run)
  const select = (field: Element) => withTraits(field, { caret: { at: field.value?.length ?? 0, from: 0 } })
  return uid === undefined ? run : withDesktop(run, withElement(run.desktop, uid, id, select))
}
