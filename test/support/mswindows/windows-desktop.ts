import { copyFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PACKAGE } from '../../../src/compose/package.ts'
import type { Rect } from '../../../src/desktop/model/geometry.ts'
import { waitUntil } from '../linux/test-desktop.ts'
import { buildOnce, cacheFolder, recipeName } from './cache.ts'
import { runProgram } from './run-program.ts'
import type { WindowsInstallation } from './set-up.ts'
import { startWindowsMachine, type WindowsMachine, type WindowsProgram } from './windows-machine.ts'

/** A Windows machine whose desktop a server on it drives, asked over HTTP from this system. */
export interface WindowsDesktop {
  readonly machine: WindowsMachine
  readonly url: string
  /** Calls a tool. Ends a server that hangs, so that later calls fail at once. */
  // biome-ignore lint/suspicious/noExplicitAny: the result depends on the tool.
  ask(tool: string, args?: object): Promise<any>
  /** Starts a program and waits until a new window with a matching title has the focus. */
  launch(title: RegExp, program: string, args?: readonly string[]): Promise<ProgramWindow>
  /** Starts the form of fixtures/windows. */
  launchForm(): Promise<ProgramWindow>
  /** Ends the programs that `launch` has started. */
  endPrograms(): Promise<void>
  endServer(): Promise<void>
  /** Settles when the server has ended. */
  readonly ended: Promise<unknown>
  close(): Promise<void>
}

/** A server that takes longer hangs. Calls take a few seconds at most, and several times as long on a busy machine. */
const MAX_CALL_MS = 60_000

/** A window of a program under Wine. */
export interface ProgramWindow {
  readonly uid: string
  readonly program: WindowsProgram
  tree(): Promise<WireElement>
  /** The first element in its tree with this role and name. Throws when there is none. */
  element(role: string, name: string): Promise<WireElement>
  /** Ends the program, and waits until its windows are gone. */
  end(): Promise<void>
}

/** An element as the observer returns it. */
export interface WireElement {
  readonly id: string
  readonly role: string
  readonly name: string
  readonly value?: string | null
  readonly bounds: Rect
  readonly enabled: boolean
  readonly focused: boolean
  readonly selected?: boolean
  readonly expanded?: boolean
  readonly children: readonly WireElement[]
}

const COMPILER = 'x86_64-w64-mingw32-gcc'
const FIXTURE_OPTIONS = [
  ...['-DUNICODE', '-D_UNICODE', '-municode', '-mwindows'],
  ...['-lcomctl32', '-lcomdlg32', '-lws2_32'],
]

/** Compiles a program of fixtures/windows, once for each version of its source. Returns its path. */
export async function buildWindowsFixture(name: string): Promise<string> {
  const file = join(PACKAGE, `fixtures/windows/${name}.c`)
  const recipe = { source: readFileSync(file, 'utf8'), options: FIXTURE_OPTIONS }
  const folder = await buildOnce(join(cacheFolder(), recipeName(name, recipe)), (unfinished) =>
    runProgram(COMPILER, [file, '-o', join(unfinished, `${name}.exe`), ...FIXTURE_OPTIONS]),
  )
  return join(folder, `${name}.exe`)
}

/** Starts a Windows machine with a server of its desktop. */
export async function startWindowsDesktop(installation: WindowsInstallation): Promise<WindowsDesktop> {
  const machine = await startWindowsMachine(installation)
  try {
    return await serveWindowsDesktop(machine)
  } catch (error) {
    await machine.close()
    throw error
  }
}

/** Starts a server of the desktop of a Windows machine. */
export async function serveWindowsDesktop(machine: WindowsMachine): Promise<WindowsDesktop> {
  const [server, form] = await Promise.all([machine.serve(['--adapter', 'windows']), buildWindowsFixture('form')])
  copyFileSync(form, join(machine.drive, 'form.exe'))
  const running = new Set<ProgramWindow>()
  // Only the server can say whether their windows are gone.
  void server.ended.then(() => Promise.all([...running].map(({ program }) => program.kill())))
  const ask: WindowsDesktop['ask'] = async (tool, args = {}) => {
    const headers = { 'content-type': 'application/json' }
    const body = JSON.stringify(args)
    const signal = AbortSignal.timeout(MAX_CALL_MS)
    try {
      return await (await fetch(`${server.url}/api/tool/${tool}`, { method: 'POST', headers, body, signal })).json()
    } catch (error) {
      if (!signal.aborted) throw error
      await server.kill()
      throw new Error(`${tool} has not returned after ${MAX_CALL_MS} ms`)
    }
  }
  const desktop: WindowsDesktop = {
    machine,
    url: server.url,
    ask,
    async launch(title, program, args) {
      const before = await windowsOf(ask)
      const started = await machine.start(program, args)
      const uid = await waitUntil(
        `${program} has a window ${title}`,
        async () =>
          (await windowsOf(ask)).find(
            (each) => each.focused && title.test(each.title) && !before.some((old) => old.uid === each.uid),
          )?.uid,
      )
      const window = programWindow(desktop, uid, started)
      running.add(window)
      void started.ended.then(() => running.delete(window))
      return window
    },
    launchForm: () => desktop.launch(/^Form$/, 'C:\\form.exe'),
    async endPrograms() {
      for (const window of running) await window.end()
    },
    endServer: server.kill,
    ended: server.ended,
    close: machine.close,
  }
  return desktop
}

/** The windows that the server lists. */
async function windowsOf(
  ask: WindowsDesktop['ask'],
): Promise<readonly { readonly uid: string; readonly title: string; readonly focused: boolean }[]> {
  const { windows } = await ask('list_windows')
  return windows.map((each: { window_uid: string; title: string; focused: boolean }) => ({
    uid: each.window_uid,
    title: each.title,
    focused: each.focused,
  }))
}

function programWindow({ ask }: WindowsDesktop, uid: string, program: WindowsProgram): ProgramWindow {
  const tree = async () => {
    const reply = await ask('get_window_structure', { window_uid: uid })
    if (!reply.ok) throw new Error(`no tree of ${uid}: ${JSON.stringify(reply.error)}`)
    return reply.tree as WireElement
  }
  return {
    uid,
    program,
    tree,
    async element(role, name) {
      const all = elementsOf(await tree())
      const found = all.find((each) => each.role === role && each.name === name)
      if (!found)
        throw new Error(`no ${role} "${name}" in: ${all.map((each) => `${each.role} "${each.name}"`).join(', ')}`)
      return found
    },
    async end() {
      await program.kill()
      await waitUntil(`the window ${uid} is gone`, async () => (await windowsOf(ask)).every((each) => each.uid !== uid))
    },
  }
}

/** An element and its descendants. */
export const elementsOf = (element: WireElement): readonly WireElement[] => [
  element,
  ...element.children.flatMap(elementsOf),
]
