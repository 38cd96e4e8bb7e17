import type { ChildProcess } from 'node:child_process'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PLAYS_ALL } from '../../.ci/share.ts'
import { drawInteger, seededRandom } from '../../src/base/random.ts'
import { createTestbed, type Testbed } from '../../src/compose/testbed.ts'
import { type Element, walk } from '../../src/desktop/model/element.ts'
import { call } from '../../src/observer/call.ts'
import { fixturePath, type LinuxTestDesktop, PYTHON, waitUntil } from '../support/linux/test-desktop.ts'

// Programs end and hang at random moments while an agent works. Rules [LX40], [LX42] and [LX23] of src/adapters/linux/README.md.

/** In a share of CI a program ends or hangs in twice as many calls, so that fewer calls have as many of both. */
const [CALLS, KILLED_PERCENT, STOPPED_PERCENT] = PLAYS_ALL ? [500, 6, 8] : [200, 12, 16]
const SEED = 20_240_312
/** A call that takes longer hangs. Far longer than any call takes, since a busy machine is slow. */
const HANGS_AFTER_MS = 180_000

/** A program into which one letter is typed only, so that a stray letter identifies its target. */
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

// biome-ignore lint/suspicious/noExplicitAny: the result depends on the tool.
type Body = any

const strayIn = (program: Program, text: string): string =>
  [...text.toLowerCase()]
    .filter((letter) => letter !== program.letter && PROGRAMS.some((other) => other.letter === letter))
    .join('')

/** The text of all fields, but those of lists of choices, which have one from the start. */
function textIn({ role, value, children }: Element): string {
  if (role === 'ComboBox') return ''
  const own = role === 'Edit' || role === 'Document' ? (value ?? '') : ''
  return own + children.map(textIn).join('')
}

/** Whether a text has another one exactly once. Others around it may have been refused, and typed in part. */
const hasOnce = (text: string, typed: string): boolean => text.split(typed).length === 2

export interface ChaosOptions {
  /** Starts the desktop. */
  readonly open: () => Promise<LinuxTestDesktop>
  /** How pointer and keys of GNOME are driven. */
  readonly gnomeInput?: 'mutter'
  /** The letters of the programs that it has. By default all. */
  readonly letters?: string
}

/** Programs of a private desktop that end and hang at random moments while an agent works. */
export function chaosSuite(session: string, { open, letters = 'abcde', gnomeInput }: ChaosOptions): void {
  const programs = PROGRAMS.filter(({ letter }) => letters.includes(letter))
  let testDesktop: LinuxTestDesktop
  let testbed: Testbed
  const processes = new Map<Program, ChildProcess>()
  const uids = new Map<Program, string>()

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

  async function ask(tool: string, args: unknown): Promise<Body> {
    const called = `${tool} ${JSON.stringify(args)}`
    let timer: NodeJS.Timeout | undefined
    const hangs = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`${called} hangs`)), HANGS_AFTER_MS)
    })
    const { body, fault } = await Promise.race([call(testbed.session, tool, args), hangs])
    clearTimeout(timer)
    expect(fault?.code, `${called}: ${fault?.message}`).not.toBe('Internal')
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
    return tree ? textIn(tree) : ''
  }

  describe(`programs that end and hang at random moments on ${session}`, () => {
    beforeAll(async () => {
      testDesktop = await open()
      testbed = await createTestbed({ adapter: 'linux', env: testDesktop.desktop.env, gnomeInput })
      for (const program of programs) await start(program)
    })
    afterAll(async () => {
      for (const child of processes.values()) child.kill('SIGCONT')
      await testbed?.close()
      await testDesktop?.close()
    })

    it('[LX40] [LX42] [LX23] [OB82] never end the server, delay others, lose text or receive that of another', async () => {
      let random = seededRandom(SEED)
      const integer = (low: number, high: number): number => {
        const [drawn, next] = drawInteger(random, low, high)
        random = next
        return drawn
      }
      const pick = <T>(items: readonly T[]): T => items[integer(0, items.length - 1)]!
      let calls = 0
      let stopped: { readonly program: Program; readonly untilCall: number } | undefined
      const counts = { killed: 0, stopped: 0, typed: 0 }
      /** The last text that was typed into a program without a fault, and that it must receive completely. */
      const promised = new Map<Program, string>()

      const count = async (tool: string, args: unknown) => {
        calls++
        return ask(tool, args)
      }
      const expectPromised = async (program: Program) => {
        const typed = promised.get(program)
        if (typed === undefined || stopped?.program === program) return
        let text = ''
        await waitUntil(
          () => `${program.title} has received ${typed}, not ${text}`,
          async () => {
            text = await textOf(program).catch((error) => (error.code === 'Timeout' ? '' : Promise.reject(error)))
            return hasOnce(text, typed)
          },
        )
        counts.typed++
        promised.delete(program)
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
          promised.delete(program)
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
        // The number makes each text another one.
        const text = `${program.letter.repeat(integer(1, 60))}${calls}.`
        return async () => {
          promised.delete(program)
          if ((await count('type_text', { text })).ok) promised.set(program, text)
        }
      }

      while (calls < CALLS) {
        if (stopped && calls >= stopped.untilCall) {
          const { program } = stopped
          processes.get(program)!.kill('SIGCONT')
          stopped = undefined
          await expectPromised(program)
        }
        const usable = programs.filter((program) => program !== stopped?.program)
        const program = pick(integer(1, 100) <= 15 ? programs : usable)
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
        if (chance <= KILLED_PERCENT) await disturb(program, true, work)
        else if (chance <= KILLED_PERCENT + STOPPED_PERCENT && !stopped) await disturb(program, false, work)
        else await work()
        await expectPromised(program)

        // A program that neither hangs nor ended keeps answering.
        const other = programs.find(
          (each) => each !== stopped?.program && each.field !== undefined && each !== program,
        )!
        if (calls % 10 < 2)
          await waitUntil(`${other.title} answers`, async () => {
            return (await count('get_window_structure', { window_uid: uids.get(other)! })).ok
          })
      }
      if (stopped) processes.get(stopped.program)!.kill('SIGCONT')
      stopped = undefined
      for (const count of Object.values(counts)) expect(count).toBeGreaterThan(3)
      for (const program of programs) {
        const text = await waitUntil(`${program.title} answers again`, () =>
          textOf(program).catch((error) => (error.code === 'Timeout' ? undefined : Promise.reject(error))),
        )
        expect([program.title.source, strayIn(program, text)]).toEqual([program.title.source, ''])
        await expectPromised(program)
      }
    }, 600_000)
  })
}
