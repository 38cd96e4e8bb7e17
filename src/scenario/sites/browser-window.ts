import type { DataValue } from '../expression/data-type.ts'
import type { SITE_PERMISSIONS } from '../schema/effect.ts'

/** The window of a browser as composing writes it: its data, its bars, and what its controls do. */

/** The ids of elements that effects look for. */
export const PAGE_ID = 'browser-page'
export const ADDRESS_ID = 'browser-address'
export const FIND_ID = 'browser-find'

/** What `browser.page` is where no page of a site is shown. */
export const NEW_TAB = 'new tab'
export const NO_SITE = 'no site'
/** What `browser.page` is for other paths of a site. */
export const notFoundPage = (host: string): string => `${host} not found`

/** A tab of the browser, with the whole addresses of its history. */
export interface BrowserTab {
  readonly id: number
  readonly url: string
  readonly title: string
  readonly site: string
  readonly page: string
  readonly params: Readonly<Record<string, string>>
  /** The index of the address in the history. */
  readonly at: number
  readonly history: readonly string[]
}

/** The variable `browser`: its tabs, the fields of the active one, and the text of the address bar. */
export interface BrowserData extends Omit<BrowserTab, 'id'> {
  readonly tab: number
  readonly tabs: readonly BrowserTab[]
  readonly next_tab: number
  readonly address: string
  readonly find: FindInPage
  readonly bookmarks: readonly Bookmark[]
  /** The pages that were loaded, the newest first. */
  readonly visited: readonly Bookmark[]
  /** The tabs that were closed, the newest first. */
  readonly closed: readonly ClosedTab[]
  /** The link whose context menu was opened last. */
  readonly menu_link: string
  readonly dialog: PageDialog
  readonly request: PermissionRequest
  readonly permissions: readonly SitePermission[]
  /** The newest first. */
  readonly downloads: readonly Download[]
  readonly downloads_open: boolean
  readonly download_folder: string
  /** What the last call of a tool of a page answered. Only where a page has tools. */
  readonly returned?: string
}

/** The dialog of a page, or the last one with what was answered: `ok` or `cancel`. */
export interface PageDialog {
  readonly open: boolean
  readonly kind: string
  readonly site: string
  readonly text: string
  /** What is typed into the field of a prompt. */
  readonly value: string
  readonly answer: string
}

export const NO_DIALOG: PageDialog = { open: false, kind: '', site: '', text: '', value: '', answer: '' }

/** The permission that a site asks for. */
export interface PermissionRequest {
  readonly open: boolean
  readonly site: string
  readonly permission: string
}

export const NO_REQUEST: PermissionRequest = { open: false, site: '', permission: '' }

/** What the user answered a site. */
export interface SitePermission {
  readonly id: string
  readonly site: string
  readonly permission: string
  readonly state: 'allowed' | 'blocked'
}

/** A file that was downloaded. */
interface Download {
  readonly id: number
  readonly file: string
  readonly path: string
  readonly url: string
  /** In bytes. */
  readonly size: number
}

/** What the bar for finding on the page shows: the matches, and which of them is in view, from 1. */
export interface FindInPage {
  readonly open: boolean
  readonly text: string
  readonly at: number
  readonly count: number
}

export const NO_FIND: FindInPage = { open: false, text: '', at: 0, count: 0 }

/** A page with its whole address as id. */
export interface Bookmark {
  readonly id: string
  readonly title: string
}

interface ClosedTab {
  readonly id: number
  readonly url: string
}

/** An empty tab. */
export const blankTab = (id: number, params: Readonly<Record<string, string>>): BrowserTab => ({
  id,
  url: '',
  title: 'New Tab',
  site: '',
  page: NEW_TAB,
  params,
  at: 0,
  history: [''],
})

/** The variable of a browser before the first addresses are loaded. */
export function firstBrowserData(
  addresses: readonly string[],
  params: Readonly<Record<string, string>>,
  {
    bookmarks,
    downloads: folder,
    hasTools,
  }: { readonly bookmarks: BrowserData['bookmarks']; readonly downloads: string; readonly hasTools: boolean },
): BrowserData {
  const tabs = addresses.map((url, index) => ({ ...blankTab(index + 1, params), history: [url] }))
  const { id, ...active } = tabs[0]!
  return {
    ...active,
    tab: id,
    tabs,
    next_tab: tabs.length + 1,
    address: '',
    find: NO_FIND,
    bookmarks,
    visited: [],
    closed: [],
    menu_link: '',
    dialog: NO_DIALOG,
    request: NO_REQUEST,
    permissions: [],
    downloads: [],
    downloads_open: false,
    download_folder: folder,
    ...(hasTools && { returned: '' }),
  }
}

type Part = Readonly<Record<string, DataValue>>

const tool = (id: string, name: string, icon: string, more: Part = {}): Part => ({
  id,
  role: 'Button',
  name,
  icon,
  icon_only: true,
  ...more,
})

/** What a site that asks for a permission wants. */
const PERMISSION_TEXTS: Readonly<Record<(typeof SITE_PERMISSIONS)[number], string>> = {
  location: 'know your location',
  notifications: 'show notifications',
  camera: 'use your camera',
  microphone: 'use your microphone',
  clipboard: 'see what is in the clipboard',
}

/** An expression of the text that belongs to a value. */
const chosen = (value: string, texts: Readonly<Record<string, string>>): string =>
  Object.entries(texts).reduceRight((rest, [key, text]) => `${value} == "${key}" ? "${text}" : ${rest}`, '""')

/** The list of downloads, below the other bars. */
const DOWNLOADS: Part = {
  if: 'browser.downloads_open',
  id: 'browser-downloads-list',
  role: 'Pane',
  name: 'Downloads',
  layout: { arrange: 'row', padding: 8, gap: 8 },
  children: [
    {
      if: 'size(browser.downloads) == 0',
      role: 'Text',
      name: 'Files that you download appear here.',
      grow: 1,
    },
    {
      if: 'size(browser.downloads) > 0',
      role: 'List',
      name: 'Downloads',
      grow: 1,
      children: [
        {
          repeat: { of: 'browser.downloads' },
          as: 'browser_download',
          id: 'browser-download',
          role: 'ListItem',
          name: '{{ browser_download.file }}',
          subtitle: '{{ browser_download.size }} bytes, {{ browser_download.path }}',
        },
      ],
    },
    tool('browser-downloads-close', 'Close downloads', 'close'),
  ],
}

/** The bookmarks and visited pages that have what is typed into the address bar in their titles or addresses. */
const SUGGESTIONS =
  'take((browser.bookmarks + browser.visited.filter(v, !browser.bookmarks.exists(b, b.id == v.id)))' +
  '.filter(s, (s.title + " " + s.id).lower().contains(browser.address.trim().lower())), 6)'
const IS_TYPING = 'browser.address.trim() != "" && browser.address != browser.url'

/** The list of suggestions, below the address bar. */
const SUGGESTED: Part = {
  if: `${IS_TYPING} && size(${SUGGESTIONS}) > 0`,
  id: 'browser-suggestions',
  role: 'List',
  name: 'Suggestions',
  grow: 0,
  children: [
    {
      repeat: { of: SUGGESTIONS },
      as: 'browser_suggestion',
      id: 'browser-suggestion',
      role: 'ListItem',
      name: '{{ browser_suggestion.title }}',
      subtitle: '{{ browser_suggestion.id }}',
      icon: 'globe',
      href: '{{ browser_suggestion.id }}',
    },
  ],
}

const item = (id: string, name: string, more: Part = {}): Part => ({ id, role: 'MenuItem', name, ...more })
const LINE: Part = { role: 'Separator', name: '' }
const ON_PAGE = '{{ browser.url != "" }}'

/** The menu of the browser. Each item does what a control or a key does. */
const APP_MENU: Part = {
  id: 'browser-menu',
  role: 'Menu',
  name: 'Menu',
  children: [
    item('browser-menu-new-tab', 'New tab', { icon: 'plus', keyboard_shortcut: 'Ctrl+T' }),
    item('browser-menu-close-tab', 'Close tab', { icon: 'close', keyboard_shortcut: 'Ctrl+W' }),
    item('browser-menu-reopen', 'Reopen closed tab', {
      keyboard_shortcut: 'Ctrl+Shift+T',
      enabled: '{{ size(browser.closed) > 0 }}',
    }),
    LINE,
    item(
      'browser-menu-bookmark',
      '{{ browser.bookmarks.exists(b, b.id == browser.url) ? "Remove the bookmark" : "Bookmark this page" }}',
      { icon: 'star', keyboard_shortcut: 'Ctrl+D', enabled: ON_PAGE },
    ),
    {
      role: 'MenuItem',
      id: 'browser-menu-history',
      name: 'Visited pages',
      icon: 'clock',
      enabled: '{{ size(browser.visited) > 0 }}',
      children: [
        {
          repeat: { of: 'take(browser.visited, 10)' },
          as: 'browser_visit',
          id: 'browser-visit',
          role: 'MenuItem',
          name: '{{ browser_visit.title }}',
          href: '{{ browser_visit.id }}',
        },
      ],
    },
    item('browser-menu-downloads', 'Downloads', { icon: 'download', keyboard_shortcut: 'Ctrl+J' }),
    LINE,
    item('browser-menu-find', 'Find in page…', { icon: 'search', keyboard_shortcut: 'Ctrl+F', enabled: ON_PAGE }),
    item('browser-menu-copy', 'Copy the address', { icon: 'copy', enabled: ON_PAGE }),
    item('browser-menu-reload', 'Reload the page', { icon: 'refresh', keyboard_shortcut: 'F5', enabled: ON_PAGE }),
  ],
}

/** The context menu of the tabs, about the one in front. */
const TAB_MENU: Part = {
  id: 'browser-tab-menu',
  role: 'Menu',
  name: 'Tab',
  children: [
    item('browser-tab-reload', 'Reload tab', { icon: 'refresh', enabled: ON_PAGE }),
    item('browser-tab-duplicate', 'Duplicate tab', { icon: 'copy', enabled: ON_PAGE }),
    LINE,
    item('browser-tab-end', 'Close tab', { icon: 'close' }),
    item('browser-tab-others', 'Close other tabs', { enabled: '{{ size(browser.tabs) > 1 }}' }),
    item('browser-tab-reopen', 'Reopen closed tab', { enabled: '{{ size(browser.closed) > 0 }}' }),
  ],
}

/** The context menu of links on pages. */
const LINK_MENU: Part = {
  id: 'browser-link-menu',
  role: 'Menu',
  name: 'Link',
  children: [
    item('browser-link-open', 'Open link in new tab', { icon: 'plus' }),
    item('browser-link-copy', 'Copy link', { icon: 'copy' }),
  ],
}

/** The elements above the page. */
export const BROWSER_BARS: readonly Part[] = [
  {
    role: 'Pane',
    name: '',
    layout: { arrange: 'row', gap: 4 },
    children: [
      {
        id: 'browser-tabs',
        role: 'Tab',
        name: 'Tabs',
        grow: 1,
        height: 38,
        children: [
          {
            repeat: 'browser.tabs',
            as: 'browser_tab',
            id: 'browser-tab',
            role: 'TabItem',
            name: '{{ browser_tab.title }}',
            value: '{{ browser_tab.url }}',
            selected: '{{ browser_tab.id == browser.tab }}',
            children: [tool('browser-tab-close', 'Close Tab', 'close', { look: 'flat' })],
          },
        ],
      },
      tool('browser-new-tab', 'New Tab', 'plus', { look: 'flat' }),
      TAB_MENU,
    ],
  },
  {
    role: 'ToolBar',
    name: 'Navigation',
    children: [
      tool('browser-back', 'Back', 'chevron-left', { enabled: '{{ browser.at > 0 }}' }),
      tool('browser-forward', 'Forward', 'chevron-right', { enabled: '{{ browser.at < size(browser.history) - 1 }}' }),
      tool('browser-reload', 'Reload', 'refresh'),
      {
        id: ADDRESS_ID,
        role: 'Edit',
        name: 'Address',
        placeholder: 'Enter address',
        bind: 'browser.address',
        grow: 1,
      },
      tool('browser-bookmark', 'Bookmark this page', 'star', { enabled: '{{ browser.url != "" }}' }),
      { if: 'size(browser.downloads) > 0', ...tool('browser-downloads', 'Downloads', 'download') },
      tool('browser-menu-open', 'Menu', 'menu', { children: [APP_MENU, LINK_MENU] }),
    ],
  },
  SUGGESTED,
  {
    if: 'browser.request.open',
    id: 'browser-permission',
    role: 'ToolBar',
    name: 'Permission',
    children: [
      {
        id: 'browser-permission-text',
        role: 'Text',
        name: `{{ browser.request.site }} wants to {{ ${chosen('browser.request.permission', PERMISSION_TEXTS)} }}`,
      },
      { id: 'browser-permission-block', role: 'Button', name: 'Block' },
      { id: 'browser-permission-allow', role: 'Button', name: 'Allow', look: 'primary' },
      tool('browser-permission-close', 'Close', 'close'),
    ],
  },
  {
    if: 'size(browser.bookmarks) > 0',
    id: 'browser-bookmarks',
    role: 'ToolBar',
    name: 'Bookmarks',
    children: [
      {
        repeat: { of: 'browser.bookmarks' },
        as: 'browser_bookmark',
        id: 'browser-bookmark-to',
        role: 'Button',
        name: '{{ browser_bookmark.title }}',
        look: 'flat',
        href: '{{ browser_bookmark.id }}',
      },
    ],
  },
  {
    if: 'browser.find.open',
    id: 'browser-find-bar',
    role: 'ToolBar',
    name: 'Find in page',
    children: [
      {
        id: FIND_ID,
        role: 'Edit',
        name: 'Find in page',
        placeholder: 'Find in page',
        bind: 'browser.find.text',
        width: 240,
      },
      { id: 'browser-find-count', role: 'Text', name: '{{ browser.find.at }} of {{ browser.find.count }}' },
      tool('browser-find-previous', 'Previous match', 'chevron-up', { enabled: '{{ browser.find.count > 0 }}' }),
      tool('browser-find-next', 'Next match', 'chevron-down', { enabled: '{{ browser.find.count > 0 }}' }),
      tool('browser-find-close', 'Close find bar', 'close'),
    ],
  },
  DOWNLOADS,
]

/** What the page asks, over all else. */
export const BROWSER_DIALOG: Part = {
  if: 'browser.dialog.open',
  id: 'browser-dialog',
  role: 'Dialog',
  name: '{{ browser.dialog.site }} says',
  width: 400,
  layout: { gap: 20 },
  children: [
    { id: 'browser-dialog-text', role: 'Text', name: '{{ browser.dialog.text }}' },
    {
      if: 'browser.dialog.kind == "prompt"',
      id: 'browser-dialog-value',
      role: 'Edit',
      name: 'Answer',
      bind: 'browser.dialog.value',
    },
    {
      role: 'Pane',
      name: '',
      layout: { arrange: 'row', gap: 8, align: 'end' },
      children: [
        { id: 'browser-dialog-ok', role: 'Button', name: 'OK', presses: 'enter', look: 'primary' },
        {
          if: 'browser.dialog.kind != "alert"',
          id: 'browser-dialog-cancel',
          role: 'Button',
          name: 'Cancel',
          presses: 'escape',
        },
      ],
    },
  ],
}

const message = (id: string, condition: string, heading: string, text: string): Part => ({
  if: condition,
  id,
  role: 'Pane',
  name: '',
  grow: 1,
  layout: { padding: 32, gap: 16 },
  children: [
    { role: 'Heading', name: heading },
    { role: 'Text', name: text },
  ],
})

/** What the page is where no site has one. */
export const BROWSER_PAGES: readonly Part[] = [
  message(
    'browser-no-site',
    `browser.page == "${NO_SITE}"`,
    'This site can’t be reached',
    'No server answers at {{ browser.url }}.',
  ),
]

/** The page for other paths of a site that has none of its own. */
export const defaultNotFound = (host: string): Part =>
  message(
    `browser-not-found-${host}`,
    `browser.page == "${notFoundPage(host)}"`,
    'Page not found',
    `There is no such page on ${host}.`,
  )

/** What the controls and keys of the browser do, after the reactions of the file. */
export function browserReactions(window: string): readonly Part[] {
  const click = (id: string, ...set: readonly Part[]): Part => ({
    on: { tool: 'click_element', window, target_id: id },
    set,
  })
  const keys = (chord: string, ...set: readonly Part[]): Part => ({ on: { keys: chord, window }, set })
  const follow = { on: { tool: 'click_element', window }, when: [{ expression: 'event.href != ""' }] }
  return [
    click('browser-back', { browse: 'back' }),
    click('browser-forward', { browse: 'forward' }),
    click('browser-reload', { browse: 'reload' }),
    click('browser-bookmark', { browse: 'bookmark' }),
    click('browser-new-tab', { browse: 'new_tab' }),
    {
      on: { tool: 'click_element', window, target_id: 'browser-menu-open' },
      when: [{ expression: 'event.target == "browser-menu-open"' }],
      set: [{ menu: 'browser-menu', window }],
    },
    click('browser-menu-new-tab', { browse: 'new_tab' }),
    click('browser-menu-close-tab', { browse: 'close_tab' }),
    click('browser-menu-reopen', { browse: 'reopen_tab' }),
    click('browser-menu-bookmark', { browse: 'bookmark' }),
    click('browser-menu-downloads', { browse: 'downloads' }),
    click('browser-menu-find', { browse: 'find' }),
    click('browser-menu-copy', { clipboard: '{{ browser.url }}' }),
    click('browser-menu-reload', { browse: 'reload' }),
    {
      on: { tool: 'right_click_element', window, target_id: 'browser-tab' },
      set: [{ browse: 'show_tab', tab: '{{ event.item.id }}' }],
    },
    click('browser-tab-reload', { browse: 'reload' }),
    click('browser-tab-duplicate', { navigate: '{{ browser.url }}', tab: 'new' }),
    click('browser-tab-end', { browse: 'close_tab' }),
    click('browser-tab-others', { browse: 'close_others' }),
    click('browser-tab-reopen', { browse: 'reopen_tab' }),
    {
      ...follow,
      on: { tool: 'right_click_element', window },
      set: [
        { var: 'browser.menu_link', to: '{{ event.href }}' },
        { menu: 'browser-link-menu', window },
      ],
    },
    click('browser-link-open', { navigate: '{{ browser.menu_link }}', tab: 'background' }),
    click('browser-link-copy', { browse: 'copy_link' }),
    click('browser-dialog-ok', { browse: 'ok' }),
    click('browser-dialog-cancel', { browse: 'cancel' }),
    click('browser-permission-allow', { browse: 'allow' }),
    click('browser-permission-block', { browse: 'block' }),
    click('browser-permission-close', { browse: 'cancel' }),
    click('browser-downloads', { browse: 'downloads' }),
    click('browser-downloads-close', { browse: 'downloads' }),
    click('browser-tab-close', { browse: 'close_tab', tab: '{{ event.item.id }}' }),
    click('browser-tab', { browse: 'show_tab', tab: '{{ event.item.id }}' }),
    { ...follow, set: [{ navigate: '{{ event.href }}' }] },
    {
      ...follow,
      on: { tool: 'middle_click_element', window },
      set: [{ navigate: '{{ event.href }}', tab: 'background' }],
    },
    {
      on: { tool: 'middle_click_element', window, target_id: 'browser-tab' },
      set: [{ browse: 'close_tab', tab: '{{ event.item.id }}' }],
    },
    { on: { keys: 'enter', window, target_id: ADDRESS_ID }, set: [{ navigate: '{{ event.value }}', typed: true }] },
    {
      on: { keys: 'escape', window, target_id: ADDRESS_ID },
      when: [{ expression: 'browser.address != browser.url' }],
      set: [{ browse: 'restore_address' }],
    },
    { on: { keys: 'enter', window, target_id: FIND_ID }, set: [{ browse: 'find_next' }] },
    { on: { keys: 'shift+enter', window, target_id: FIND_ID }, set: [{ browse: 'find_previous' }] },
    { on: { changed: FIND_ID }, set: [{ browse: 'find_text' }] },
    click('browser-find-next', { browse: 'find_next' }),
    click('browser-find-previous', { browse: 'find_previous' }),
    click('browser-find-close', { browse: 'find_close' }),
    { on: { keys: 'escape', window }, when: [{ expression: 'browser.find.open' }], set: [{ browse: 'find_close' }] },
    keys('ctrl+f', { browse: 'find' }),
    keys('f3', { browse: 'find_next' }),
    keys('ctrl+g', { browse: 'find_next' }),
    keys('shift+f3', { browse: 'find_previous' }),
    keys('ctrl+shift+g', { browse: 'find_previous' }),
    keys('alt+left', { browse: 'back' }),
    keys('alt+right', { browse: 'forward' }),
    keys('f5', { browse: 'reload' }),
    keys('ctrl+r', { browse: 'reload' }),
    keys('ctrl+d', { browse: 'bookmark' }),
    keys('ctrl+t', { browse: 'new_tab' }),
    keys('ctrl+w', { browse: 'close_tab' }),
    keys('ctrl+shift+t', { browse: 'reopen_tab' }),
    keys('ctrl+tab', { browse: 'next_tab' }),
    keys('ctrl+shift+tab', { browse: 'previous_tab' }),
    keys('ctrl+pagedown', { browse: 'next_tab' }),
    keys('ctrl+pageup', { browse: 'previous_tab' }),
    keys('ctrl+j', { browse: 'downloads' }),
    keys('ctrl+l', { browse: 'address' }),
    keys('f6', { browse: 'address' }),
  ]
}
