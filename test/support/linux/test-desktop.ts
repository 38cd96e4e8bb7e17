import type { ChildProcess } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Computer, PerformResult, WindowInfo } from '../../../src/adapters/computer.ts'
import { openLinuxComputer } from '../../../src/adapters/linux/linux.ts'
import { Fault } from '../../../src/base/fault.ts'
import type { Action } from '../../../src/desktop/input/action.ts'
import { type Element, walk } from '../../../src/desktop/model/element.ts'
import { centerOf, type Rect } from '../../../src/desktop/model/geometry.ts'
import { querySelectorAll } from '../../../src/desktop/tree/select.ts'
import { type PrivateDesktop, type PrivateDesktopOptions, startPrivateDesktop } from './private-desktop.ts'

/** A private desktop and the computer that drives it, for tests. */
export interface LinuxTestDesktop {
  readonly desktop: PrivateDesktop
  readonly computer: Computer
  /** Starts a program and waits until its window is open and has a tree of more than its frame. */
  launch(title: RegExp, program: string, ...args: readonly string[]): Promise<TestWindow>
  window(title: RegExp): Promise<WindowInfo>
  /** Ends the programs of all windows. A later test would mistake windows that a failed one has left for its own. */
  endPrograms(): Promise<void>
  close(): Promise<void>
}

/** A program's window. */
export interface TestWindow {
  readonly uid: string
  readonly process: ChildProcess & { readonly pid: number }
  tree(): Promise<Element>
  /** Waits for the first element that a selector matches. */
  element(selector: string): Promise<Element>
  /** Waits until a name or value in the window contains a text. */
  waitForText(text: string): Promise<void>
  /** Waits until the element that a selector matches has a value. */
  waitForValue(selector: string, value: string): Promise<void>
  /** Performs an action on the element that a selector matches. */
  perform(selector: string, action: TargetedAction): Promise<PerformResult>
  /** Clicks the centre of an element with the pointer, as a client does that knows coordinates only. */
  clickCentre(selector: string): Promise<void>
  /** Brings it to the foreground. */
  activate(): Promise<void>
  /** Its place on the screen. */
  bounds(): Promise<Rect>
}

type WithTarget = Extract<Action, { target: { window: string }; at: { x: number } } | { type: 'click' }>
type TargetedAction = WithTarget extends infer A ? (A extends WithTarget ? Omit<A, 'target' | 'at'> : never) : never

/** Long enough for the largest program to start on a very busy machine. */
const MAX_WAIT_MS = 60_000

/** Polls until the result is neither undefined nor false. Throws after a time limit. */
export async function waitUntil<T>(
  what: string | (() => string),
  ask: () => Promise<T | undefined | false> | T | undefined | false,
  limitMs = MAX_WAIT_MS,
): Promise<T> {
  const deadline = Date.now() + limitMs
  for (;;) {
    const answer = await ask()
    if (answer !== undefined && answer !== false) return answer
    if (Date.now() > deadline)
      throw new Error(`timed out after ${limitMs} ms waiting until ${typeof what === 'string' ? what : what()}`)
    await sleep(15)
  }
}

/** Starts a private desktop and opens the computer that drives it. */
export async function startTestDesktop(options: PrivateDesktopOptions = {}): Promise<LinuxTestDesktop> {
  const desktop = await startPrivateDesktop(options)
  return testDesktopOf(desktop, await openLinuxComputer(desktop.env))
}

/** Launches and looks for programs on a desktop that has been started. */
export function testDesktopOf(desktop: PrivateDesktop, computer: Computer): LinuxTestDesktop {
  const window = async (title: RegExp, ended: () => string | undefined = () => undefined) => {
    let shown: readonly WindowInfo[] = []
    const look = async () => {
      shown = await computer.windows()
      const found = shown.find((info) => title.test(info.title))
      const end = found ? undefined : ended()
      if (end !== undefined) throw new Error(`there will be no window ${title}: ${end}`)
      return found
    }
    return waitUntil(
      () => `a window ${title} is open; the windows are ${JSON.stringify(shown.map((info) => info.title))}`,
      look,
    )
  }
  return {
    desktop,
    computer,
    window: (title) => window(title),
    async endPrograms() {
      await waitUntil('all windows are gone', async () => {
        const windows = await computer.windows()
        for (const pid of new Set(windows.map((info) => info.pid))) if (pid > 1) killProcess(pid)
        return windows.length === 0
      })
    },
    async launch(title, program, ...args) {
      const child = desktop.start(program, ...args)
      let end: string | undefined
      child.once('error', ({ message }) => {
        end = message
      })
      // A script may end before the program that it has started, but then without an error.
      child.once('exit', (code, signal) => {
        if (code !== 0) end = `${program} ended with ${code ?? signal}`
      })
      const { uid } = await window(title, () => end)
      // Retries while the program is too busy to answer.
      const tree = () =>
        waitUntil(`${program} answers`, async () => {
          try {
            return await computer.tree(uid)
          } catch (error) {
            if (error instanceof Fault && error.code === 'Timeout') return undefined
            throw error
          }
        })
      await waitUntil(`${program} offers its elements`, async () => {
        // A program may be too busy to answer while it draws itself for the first time.
        const root = await Promise.resolve(computer.tree(uid)).catch(() => undefined)
        return root !== undefined && [...walk(root)].length > 5
      })
      const element = (selector: string) =>
        waitUntil(`${selector} is there`, async () => querySelectorAll(await tree(), selector)[0]?.element)
      return {
        uid,
        process: child,
        tree,
        element,
        async waitForText(text) {
          await waitUntil(`the window contains ${text}`, async () => {
            const texts = [...walk(await tree())].flatMap((node) => [node.name, node.value ?? ''])
            return texts.some((words) => words.includes(text))
          })
        },
        async waitForValue(selector, value) {
          let last: string | null | undefined
          await waitUntil(
            () => `the value of ${selector} is ${value}, not ${last}`,
            async () => {
              last = querySelectorAll(await tree(), selector)[0]?.element.value
              return last === value
            },
          )
        },
        async clickCentre(selector) {
          const { bounds } = await element(selector)
          await computer.perform({ type: 'click', at: centerOf(bounds), button: 'left', count: 1 })
        },
        async activate() {
          await computer.perform({ type: 'activate', window: uid })
        },
        bounds: () =>
          waitUntil(
            'the window is listed',
            async () => (await computer.windows()).find((info) => info.uid === uid)?.bounds,
          ),
        async perform(selector, deed) {
          const { id, bounds } = await element(selector)
          const action = { ...deed, target: { window: uid, element: id }, at: centerOf(bounds) } as Action
          return computer.perform(action)
        },
      }
    },
    async close() {
      await computer.close()
      await desktop.close()
    },
  }
}

function killProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended meanwhile.
  }
}

/** The path of a program in `fixtures/linux`. */
export const fixturePath = (name: string): string =>
  fileURLToPath(new URL(`../../../fixtures/linux/${name}`, import.meta.url))

/** Debian's own Python, which has the toolkits. */
export const PYTHON = '/usr/bin/python3'
