import type { ChildProcess } from 'node:child_process'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { drawInteger, seededRandom } from '../../src/base/random.ts'
import { createTestbed, type Testbed } from '../../src/compose/testbed.ts'
import { type Element, walk } from '../../src/desktop/model/element.ts'
import { call } from '../../src/observer/call.ts'
import {
  fixturePath,
  type LinuxTestDesktop,
  PYTHON,
  startTestDesktop,
  waitUntil,
} from '../support/linux/test-desktop.ts'

// Programs end and hang at random moments while an agent works. Rules [B1], [B3] and [L10] of src/adapters/linux/README.md.

const CALLS = 500
const SEED = 20_240_312
const MAX_CALL_MS = 20_000

/** A program whose text field accepts one letter only, so that a stray letter identifies its target. */
interface Program {
  readonly letter: string
  readonly title: RegExp
  readonly command: readonly [program: string, ...args: string[]]
  /** The field for typing. Absent in a window without a tree, whose title repeats its content. */
  readonly field: string | undefined
}

const form = (title: string) => [PYTHON, fixturePath('gtk-form.py'), '--title', title] as const
const PROGRAMS: readonly Program[] = [
  { letter: 'a', title: /^Alpha$/, command: [...form('Alpha')], field: 'Edit "First name"' },
  { letter: 'b', title: /^Beta$/, command: [...form('Beta')], field: 'Edit "First name"' },
  { letter: 'c', title: /Mousepad/, command: ['mousepad', '--disable-server'], field: 'Document' },
  { letter: 'd', title: /^Qt form$/, command: [PYTHON, fixturePath('qt-form.py')], field: 'Edit "First name"' },
  { letter: 'e', title: /^Tk form/, command: [PYTHON, fixturePath('tk-form.py')], field: undefined },
]

let testDesktop: LinuxTestDesktop
let testbed: Testbed
const processes = new Map<Program, ChildProcess>()
const uids = new Map<Program, string>()

beforeAll(async () => {
  testDesktop = await startTestDesktop()
  testbed = await createTestbed({ adapter: 'linux', env: testDesktop.desktop.env })
  for (const program of PROGRAMS) await start(program)
})
afterAll(async () => {
  for (const child of processes.values()) child.kill('SIGCONT')
  await testbed?.close()
  await testDesktop?.close()
})

async function start(program: Program): Promise<void> {
  const [name, ...args] = program.command
  processes.set(program, testDesktop.desktop.start(name, ...args))
  const { uid } = await testDesktop.window(program.title)
  uids.set(program, uid)
  await waitUntil(`${program.title} can be read`, async () => {
    const tree = await Promise.resolve(testDesktop.computer.tree(uid)).catch(() => undefined)
    return program.field === undefined || (tree !== undefined && [...walk(tree)].length > 5)
  })
}

// biome-ignore lint/suspicious/noExplicitAny: the result depends on the tool.
type Body = any

async function ask(tool: string, args: unknown): Promise<Body> {
  const startedMs = performance.now()
  const { body, fault } = await call(testbed.session, tool, args)
  expect(fault?.code, `${tool} ${JSON.stringify(args)}: ${fault?.message}`).not.toBe('Internal')
  expect(performance.now() - startedMs, tool).toBeLessThan(MAX_CALL_MS)
  return body
}

/** All text of a window, in fields or in its title. */
async function textOf(program: Program): Promise<string> {
  const uid = uids.get(program)!
  if (program.field === undefined) {
    const info = (await testDesktop.computer.windows()).find((window) => window.uid === uid)
    return info?.title.replace(/^Tk form:? ?/, '') ?? ''
  }
  const tree: Element | undefined = await testDesktop.computer.tree(uid)
  const fields = tree ? [...walk(tree)].filter(({ role }) => role === 'Edit' || role === 'Document') : []
  return fields.map(({ value }) => value ?? '').join('')
}

const strayIn = (program: Program, text: string): string =>
  [...text].filter((letter) => letter !== program.letter && PROGRAMS.some((other) => other.letter === letter)).join('')

describe('five programs that end and hang at random moments', () => {
  it('[B1] [B3] [L10] [I10] never end the server, delay others or receive text meant for another', async () => {
    let random = seededRandom(SEED)
    const integer = (low: number, high: number): number => {
      const [drawn, next] = drawInteger(random, low, high)
      random = next
      return drawn
    }
    const pick = <T>(items: readonly T[]): T => items[integer(0, items.length - 1)]!
    let calls = 0
    let stopped: { readonly program: Program; readonly untilCall: number } | undefined
    const counts = { killed: 0, stopped: 0, refused: 0 }

    const count = async (tool: string, args: unknown) => {
      calls++
      const body = await ask(tool, args)
      if (!body.ok) counts.refused++
      return body
    }
    /** Ends or stops a program during the call. */
    const disturb = async (program: Program, kills: boolean, work: () => Promise<unknown>) => {
      const afterMs = integer(0, 120)
      const struck = new Promise<void>((resolve) => {
        setTimeout(() => {
          processes.get(program)!.kill(kills ? 'SIGKILL' : 'SIGSTOP')
          resolve()
        }, afterMs)
      })
      await work()
      await struck
      if (kills) {
        counts.killed++
        const uid = uids.get(program)
        await waitUntil('its window is gone', async () =>
          (await testDesktop.computer.windows()).every((info) => info.uid !== uid),
        )
        await start(program)
      } else {
        counts.stopped++
        stopped = { program, untilCall: calls + integer(2, 6) }
      }
    }
    const type = async (program: Program) => {
      const window_uid = uids.get(program)!
      if (!(await count('bring_to_foreground', { window_uid })).ok) return
      if (program.field !== undefined) {
        const focused = await count('focus_element', { window_uid, selector: program.field })
        if (!focused.ok) return
      }
      const front = (await count('list_windows', {})).windows.find((window: Body) => window.focused)
      if (front?.window_uid !== window_uid) return
      const text = program.letter.repeat(integer(1, 60))
      return () => count('type_text', { text })
    }

    while (calls < CALLS) {
      if (stopped && calls >= stopped.untilCall) {
        processes.get(stopped.program)!.kill('SIGCONT')
        stopped = undefined
      }
      const usable = PROGRAMS.filter((program) => program !== stopped?.program)
      const program = pick(integer(1, 100) <= 15 ? PROGRAMS : usable)
      const window_uid = uids.get(program)!
      const work = await pick([
        async () => () => count('get_window_structure', { window_uid }),
        async () => () => count('get_screenshot', { window_uid }),
        async () => () => count('find_element', { window_uid, selector: program.field ?? 'Edit' }),
        async () => () => count('click_element', { window_uid, selector: 'Button "Greet"' }),
        async () => () => count('get_screen_sketch', { window_uid }),
        async () => type(program),
        async () => type(program),
      ])()
      if (!work) continue
      const chance = integer(1, 100)
      if (chance <= 6) await disturb(program, true, work)
      else if (chance <= 14 && !stopped) await disturb(program, false, work)
      else await work()

      // A program that neither hangs nor ended keeps answering.
      const other = PROGRAMS.find((each) => each !== stopped?.program && each.field !== undefined && each !== program)!
      if (calls % 10 < 2)
        await waitUntil(`${other.title} answers`, async () => {
          return (await count('get_window_structure', { window_uid: uids.get(other)! })).ok
        })
    }
    if (stopped) processes.get(stopped.program)!.kill('SIGCONT')
    expect(counts.killed).toBeGreaterThan(3)
    expect(counts.stopped).toBeGreaterThan(3)
    for (const program of PROGRAMS) {
      const text = await waitUntil(`${program.title} answers again`, () =>
        textOf(program).catch((error) => (error.code === 'Timeout' ? undefined : Promise.reject(error))),
      )
      expect([program.title.source, strayIn(program, text)]).toEqual([program.title.source, ''])
    }
  }, 600_000)
})
