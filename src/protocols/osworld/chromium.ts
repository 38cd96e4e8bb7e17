import * as z from 'zod'
import { Fault } from '../../base/fault.ts'
import { browserIn, closeButtonOf, type OpenTab, TAB_PREFIX } from '../../observer/browser-tabs.ts'
import type { WireElement } from '../../observer/wire.ts'
import type { Socket } from '../http/sockets.ts'
import { callTool, type ToolCaller } from './machine.ts'

/**
 * The part of Chromium's DevTools protocol that OSWorld's client uses: Playwright connects to it to open, list, load and close tabs. The
 * tabs are those of the window with `browser`; no script runs.
 */

/** The path of the socket that `/json/version` names. */
export const DEVTOOLS_PATH = '/devtools/browser/backlot'

/** What `Browser.getVersion` and `/json/version` tell. */
export const CHROMIUM_PRODUCT = 'Chrome/130.0.0.0'
export const DEVTOOLS_VERSION = '1.3'

/** Largest message in bytes. Playwright sends the scripts that it would run. */
export const MAX_DEVTOOLS_BYTES = 4 * 1024 * 1024

const BLANK = 'about:blank'
/** The only script that is answered: the one that reads the title of a page. */
const TITLE_SCRIPT = 'document.title'

const Command = z.object({
  id: z.int(),
  method: z.string().max(200),
  params: z.record(z.string(), z.unknown()).default({}),
  sessionId: z.string().optional(),
})
type Command = z.infer<typeof Command>

/** An error of the protocol, as Chromium words it. */
class DevtoolsError extends Error {}

interface ShownTabs {
  readonly window: string
  readonly isActive: boolean
  readonly tabs: readonly OpenTab[]
}

/** The browser of a desktop. Throws `WindowGone` without one. */
async function lookAtTabs(caller: ToolCaller): Promise<ShownTabs> {
  const { windows } = await callTool(caller, 'list_windows', {})
  for (const { window_uid: uid, focused } of windows) {
    const { tree } = await callTool(caller, 'get_window_structure', { window_uid: uid })
    const browser = tree ? browserIn(tree as WireElement) : undefined
    if (browser) return { window: uid, isActive: focused, tabs: browser.tabs }
  }
  throw new Fault('WindowGone', 'no window of this desktop is a browser')
}

/** A tab as `/json/list` and targets have it. */
export const devtoolsTarget = ({ id, title, url }: OpenTab) => ({ id: `tab-${id}`, title, url: url || BLANK })

/** The open tabs, the active one first as Chromium has it; none without a browser. */
export async function listTabs(caller: ToolCaller): Promise<readonly OpenTab[]> {
  try {
    const { tabs } = await lookAtTabs(caller)
    return tabs.toSorted((a, b) => Number(b.active) - Number(a.active))
  } catch (thrown) {
    if (thrown instanceof Fault && thrown.code === 'WindowGone') return []
    throw thrown
  }
}

const press = (caller: ToolCaller, keys: string) => callTool(caller, 'press_keys', { keys })
const click = (caller: ToolCaller, window: string, element: string) =>
  callTool(caller, 'click_element', { window_uid: window, element_id: element })

/** The browser in front, and a tab of it. */
async function showTab(caller: ToolCaller, tab?: string): Promise<ShownTabs> {
  const browser = await lookAtTabs(caller)
  if (!browser.isActive) await callTool(caller, 'bring_to_foreground', { window_uid: browser.window })
  const known = browser.tabs.find(({ id }) => id === tab)
  if (tab !== undefined && !known) throw new DevtoolsError('No target with given id found')
  if (known && !known.active) await click(caller, browser.window, `${TAB_PREFIX}${known.id}`)
  return browser
}

async function openTab(caller: ToolCaller): Promise<OpenTab> {
  const { tabs } = await showTab(caller)
  await press(caller, 'ctrl+t')
  const opened = (await lookAtTabs(caller)).tabs.find(({ id }) => !tabs.some((tab) => tab.id === id))
  if (!opened) throw new DevtoolsError('Failed to open a new tab')
  return opened
}

/** Loads an address as a person does. */
async function load(caller: ToolCaller, tab: string, url: string): Promise<OpenTab> {
  if (/\p{Cc}/u.test(url)) throw new DevtoolsError('Cannot navigate to invalid URL')
  await showTab(caller, tab)
  if (url !== BLANK) {
    await press(caller, 'ctrl+l')
    await callTool(caller, 'type_text', { text: `${url}\n` })
  }
  return (await lookAtTabs(caller)).tabs.find(({ id }) => id === tab)!
}

/** A tab that a client is attached to. */
interface Attached {
  readonly sessionId: string
  readonly tab: string
  /** The names of the worlds for scripts; the first is that of the page. */
  readonly worlds: string[]
  loads: number
}

/** Serves a connection of a client. Commands are executed one after the other. */
export function serveChromium(socket: Socket, caller: ToolCaller, onBug: (cause: unknown) => void): void {
  const attached = new Map<string, Attached>()
  let last: Promise<void> = Promise.resolve()
  const emit = (method: string, params: object, sessionId?: string) =>
    socket.send(JSON.stringify({ method, params, ...(sessionId !== undefined && { sessionId }) }))
  socket.onMessage((text) => {
    last = last.then(() => answer(text)).catch(onBug)
  })

  async function answer(text: string): Promise<void> {
    let command: Command
    try {
      command = Command.parse(JSON.parse(text))
    } catch {
      return socket.close(1003, 'expected commands of the DevTools protocol')
    }
    const { id, sessionId } = command
    const reply = (said: object) =>
      socket.send(JSON.stringify({ id, ...said, ...(sessionId !== undefined && { sessionId }) }))
    try {
      const { result = {}, after } = await execute(command)
      reply({ result })
      after?.()
    } catch (thrown) {
      if (!(thrown instanceof DevtoolsError || thrown instanceof Fault)) onBug(thrown)
      const message = thrown instanceof Error ? thrown.message : 'Internal error'
      reply({ error: { code: -32_000, message } })
    }
  }

  /** The result of a command, and the events that follow it. */
  async function execute(command: Command): Promise<{ result?: object; after?: () => void }> {
    const { method, params, sessionId } = command
    if (sessionId === undefined) return onBrowser(method, params)
    const page = attached.get(sessionId)
    if (!page) throw new DevtoolsError('Session with given id not found.')
    return onPage(page, method, params)
  }

  async function onBrowser(method: string, params: Command['params']): Promise<{ result?: object }> {
    switch (method) {
      case 'Browser.getVersion':
        return {
          result: {
            protocolVersion: DEVTOOLS_VERSION,
            product: CHROMIUM_PRODUCT,
            revision: '@backlot',
            userAgent: 'Mozilla/5.0 (X11; Linux x86_64) Chrome/130.0.0.0 Backlot',
            jsVersion: '0',
          },
        }
      case 'Target.setAutoAttach':
        for (const tab of (await lookAtTabs(caller)).tabs) attach(tab)
        return {}
      case 'Target.getTargetInfo':
        return {
          result: {
            targetInfo: params.targetId === undefined ? BROWSER_TARGET : targetInfo(await shown(tabIn(params))),
          },
        }
      case 'Target.getTargets':
        return { result: { targetInfos: (await lookAtTabs(caller)).tabs.map(targetInfo) } }
      case 'Target.createTarget': {
        const opened = await openTab(caller)
        const url = typeof params.url === 'string' ? params.url : BLANK
        const tab = url === BLANK ? opened : await load(caller, opened.id, url)
        attach(tab)
        return { result: { targetId: devtoolsTarget(tab).id } }
      }
      case 'Target.activateTarget':
        await showTab(caller, tabIn(params))
        return {}
      case 'Target.closeTarget':
        await close(tabIn(params))
        return { result: { success: true } }
      default:
        return ignored(method)
    }
  }

  async function onPage(page: Attached, method: string, params: Command['params']) {
    const { tab, sessionId, worlds } = page
    const frameId = `tab-${tab}`
    switch (method) {
      case 'Page.getFrameTree':
        return { result: { frameTree: { frame: frameOf(page, await shown(tab)) } } }
      case 'Runtime.enable':
        return { after: () => emitWorlds(page) }
      case 'Page.createIsolatedWorld': {
        const name = String(params.worldName)
        if (!worlds.includes(name)) worlds.push(name)
        const executionContextId = contextId(page, name)
        emit('Runtime.executionContextCreated', { context: contextOf(page, name) }, sessionId)
        return { result: { executionContextId } }
      }
      case 'Page.addScriptToEvaluateOnNewDocument':
        return { result: { identifier: '1' } }
      case 'Runtime.evaluate':
        return { result: { result: { type: 'object', objectId: `${frameId}.script` } } }
      case 'Runtime.callFunctionOn': {
        if (!JSON.stringify(params.arguments ?? []).includes(TITLE_SCRIPT)) return { result: REFUSED_SCRIPT }
        return { result: { result: { type: 'string', value: (await shown(tab)).title } } }
      }
      case 'Page.navigate': {
        const loaded = await load(caller, tab, String(params.url))
        page.loads++
        return { result: { frameId, loaderId: loaderOf(page) }, after: () => emitLoad(page, loaded) }
      }
      case 'Page.reload': {
        await showTab(caller, tab)
        await press(caller, 'f5')
        page.loads++
        const loaded = await shown(tab)
        return { after: () => emitLoad(page, loaded) }
      }
      case 'Page.bringToFront':
        await showTab(caller, tab)
        return {}
      case 'Page.close':
        await close(tab)
        return {}
      default:
        return ignored(method)
    }
  }

  const shown = async (tab: string): Promise<OpenTab> => {
    const found = (await lookAtTabs(caller)).tabs.find(({ id }) => id === tab)
    if (!found) throw new DevtoolsError('Target closed')
    return found
  }

  function attach(tab: OpenTab): void {
    const sessionId = `session-${tab.id}`
    if (attached.has(sessionId)) return
    attached.set(sessionId, { sessionId, tab: tab.id, worlds: [''], loads: 1 })
    emit('Target.attachedToTarget', { sessionId, targetInfo: targetInfo(tab), waitingForDebugger: false })
  }

  async function close(tab: string): Promise<void> {
    const { window, tabs } = await lookAtTabs(caller)
    if (!tabs.some(({ id }) => id === tab)) throw new DevtoolsError('No target with given id found')
    await click(caller, window, closeButtonOf(tab))
    const sessionId = `session-${tab}`
    attached.delete(sessionId)
    emit('Target.detachedFromTarget', { sessionId, targetId: `tab-${tab}` })
    emit('Target.targetDestroyed', { targetId: `tab-${tab}` })
  }

  function emitWorlds(page: Attached): void {
    for (const name of page.worlds)
      emit('Runtime.executionContextCreated', { context: contextOf(page, name) }, page.sessionId)
  }

  /** The events of a page that has loaded. */
  function emitLoad(page: Attached, tab: OpenTab): void {
    const frame = frameOf(page, tab)
    const happens = (name: string) =>
      emit(
        'Page.lifecycleEvent',
        { frameId: frame.id, loaderId: frame.loaderId, name, timestamp: page.loads },
        page.sessionId,
      )
    emit('Page.frameStartedLoading', { frameId: frame.id }, page.sessionId)
    happens('init')
    emit('Runtime.executionContextsCleared', {}, page.sessionId)
    emit('Page.frameNavigated', { frame, type: 'Navigation' }, page.sessionId)
    emitWorlds(page)
    for (const name of ['commit', 'DOMContentLoaded', 'load', 'networkIdle']) happens(name)
    emit('Page.frameStoppedLoading', { frameId: frame.id }, page.sessionId)
  }
}

const BROWSER_TARGET = {
  targetId: 'browser',
  type: 'browser',
  title: '',
  url: '',
  attached: true,
  canAccessOpener: false,
}

/** The exception of a script. An error of the protocol would look like a page that is gone. */
const REFUSED_SCRIPT = {
  result: { type: 'undefined' },
  exceptionDetails: {
    exceptionId: 1,
    text: 'Uncaught',
    lineNumber: 0,
    columnNumber: 0,
    exception: {
      type: 'object',
      subtype: 'error',
      description: 'Error: no script runs on this page, except for the one that reads its title',
    },
  },
}

/** Commands that only prepare something that this browser does not do. */
const PREPARES = /\.(enable|disable|set\w*|add\w*|remove\w*|release\w*|runIfWaitingForDebugger|stopLoading)$/

function ignored(method: string): object {
  if (PREPARES.test(method)) return {}
  throw new DevtoolsError(`'${method}' wasn't found`)
}

const tabIn = ({ targetId }: Command['params']): string => String(targetId).replace(/^tab-/, '')

const targetInfo = (tab: OpenTab) => {
  const { id, title, url } = devtoolsTarget(tab)
  return { targetId: id, type: 'page', title, url, attached: true, canAccessOpener: false, browserContextId: 'default' }
}

const loaderOf = ({ tab, loads }: Attached): string => `tab-${tab}.${loads}`

function frameOf(page: Attached, tab: OpenTab) {
  const { id, url } = devtoolsTarget(tab)
  const securityOrigin = url === BLANK ? '://' : new URL(url).origin
  return { id, loaderId: loaderOf(page), url, domainAndRegistry: '', securityOrigin, mimeType: 'text/html' }
}

/** Another one after each load, as in Chromium. */
const contextId = ({ loads, worlds }: Attached, name: string): number => loads * 100 + worlds.indexOf(name)

const contextOf = (page: Attached, name: string) => ({
  id: contextId(page, name),
  uniqueId: `${loaderOf(page)}.${name}`,
  origin: '',
  name,
  auxData: { isDefault: name === '', type: name === '' ? 'default' : 'isolated', frameId: `tab-${page.tab}` },
})
