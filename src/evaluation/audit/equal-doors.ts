import { screenArea } from '../../adapters/computer.ts'
import { Fault } from '../../base/fault.ts'
import { type MemorySession, memorySession } from '../../compose/memory-session.ts'
import { playSolution } from '../../compose/play-solution.ts'
import { oncePerSolution } from '../../compose/verify/recorded-solution.ts'
import { type Chord, type KeyDialect, keyNameIn } from '../../desktop/input/keys.ts'
import { filesOf } from '../../desktop/model/desktop.ts'
import type { Point, Rect } from '../../desktop/model/geometry.ts'
import { observerProtocol } from '../../protocols/observer-rest/index.ts'
import { type AgentRequest, bodyOf, type RawAnswer } from '../../protocols/probe.ts'
import { OBSERVER_DOORS, SESSION_PROTOCOLS } from '../../protocols/registry.ts'
import type { Scenario } from '../../scenario/scenario.ts'
import type { Solution } from '../../scenario/solution.ts'
import { type AccessWay, onItsPort, onObserver } from './open-doors.ts'
import { type PointerAct, PointerHands } from './pointer-hands.ts'

/** A door through which the solution is played, and how acts are written there. */
interface PlayedDoor {
  readonly title: string
  /** The name of the protocol or door in the registry. */
  readonly served: string
  /** The requests that carry out acts on a screen. */
  readonly requests: (acts: readonly PointerAct[], screen: Rect) => readonly AgentRequest[]
  /** Why an answer says that an act failed. */
  readonly refusalIn: (answer: RawAnswer) => string | undefined
}

const post = (path: string, body: object): AgentRequest => ({ method: 'POST', path, body })

/** The message of an answer that is not a success. */
const refusedStatus = ({ status, text }: RawAnswer): string | undefined =>
  status < 400 ? undefined : `status ${status}: ${text.slice(0, 200)}`

/** Computer tools say in a header why a call failed. */
const refusedCall = (answer: RawAnswer): string | undefined =>
  typeof answer.headers['x-backlot-error'] === 'string'
    ? `${answer.headers['x-backlot-error']}: ${String(answer.headers['x-backlot-error-message'])}`
    : refusedStatus(answer)

const keyNames = (dialect: KeyDialect, { modifiers, key }: Chord): readonly string[] =>
  [...modifiers, key].map((each) => keyNameIn(dialect, each) ?? each)

const within = ({ x, y }: Rect, at: Point): Point => ({ x: Math.round(at.x) - x, y: Math.round(at.y) - y })

/** One call of a tool for each act. */
function toolCallOf(act: PointerAct): readonly [tool: string, args: object] {
  switch (act.kind) {
    case 'click':
      return ['mouse_click', { ...act.at, button: act.button, count: act.count, modifiers: act.modifiers }]
    case 'move':
      return ['move_pointer', act.at]
    case 'drag':
      return ['mouse_drag', { path: [act.from, act.to] }]
    case 'wheel':
      return ['scroll', { ...act.at, clicks: act.clicks }]
    case 'type':
      return ['type_text', { text: act.text }]
    case 'keys':
      return ['press_key', { keys: [...act.chord.modifiers, act.chord.key].join('+') }]
    case 'wait':
      return ['wait', { duration_ms: act.ms }]
  }
}

/** The lines of a program that carry out an act. */
function pythonOf(act: PointerAct, screen: Rect): readonly string[] {
  const place = (at: Point): string => {
    const { x, y } = within(screen, at)
    return `${x}, ${y}`
  }
  const quoted = (text: string): string => JSON.stringify(text)
  switch (act.kind) {
    case 'click': {
      const click = `pyautogui.click(${place(act.at)}, clicks=${act.count}, button='${act.button}')`
      const held = act.modifiers.map((key) => quoted(keyNameIn('pyautogui', key) ?? key))
      return [...held.map((key) => `pyautogui.keyDown(${key})`), click, ...held.map((key) => `pyautogui.keyUp(${key})`)]
    }
    case 'move':
      return [`pyautogui.moveTo(${place(act.at)})`]
    case 'drag':
      return [`pyautogui.moveTo(${place(act.from)})`, `pyautogui.dragTo(${place(act.to)}, duration=0.5, button='left')`]
    case 'wheel':
      return [`pyautogui.moveTo(${place(act.at)})`, `pyautogui.scroll(${act.clicks})`]
    case 'type':
      // Its keyboard has the characters of ASCII only.
      return /^[\n\t\x20-\x7e]*$/.test(act.text)
        ? [`pyautogui.typewrite(${quoted(act.text)})`]
        : [`pyperclip.copy(${quoted(act.text)})`, "pyautogui.hotkey('ctrl', 'v')"]
    case 'keys':
      return [`pyautogui.hotkey(${keyNames('pyautogui', act.chord).map(quoted).join(', ')})`]
    case 'wait':
      return [`time.sleep(${act.ms / 1000})`]
  }
}

/** The input of the member of Anthropic's toolset for an act. */
function anthropicOf(act: PointerAct, screen: Rect): readonly [member: string, input: object] {
  const place = (at: Point): readonly number[] => {
    const { x, y } = within(screen, at)
    return [x, y]
  }
  switch (act.kind) {
    case 'click': {
      const member = act.button === 'right' ? 'right_click' : act.count === 2 ? 'double_click' : 'left_click'
      const text = act.modifiers.map((key) => keyNameIn('xdotool', key)).join('+')
      return [member, { coordinate: place(act.at), ...(text !== '' && { text }) }]
    }
    case 'move':
      return ['mouse_move', { coordinate: place(act.at) }]
    case 'drag':
      return ['left_click_drag', { start_coordinate: place(act.from), coordinate: place(act.to) }]
    case 'wheel': {
      const scroll_direction = act.clicks > 0 ? 'up' : 'down'
      return ['scroll', { coordinate: place(act.at), scroll_direction, scroll_amount: Math.abs(act.clicks) }]
    }
    case 'type':
      return ['type', { text: act.text }]
    case 'keys':
      return ['key', { text: keyNames('xdotool', act.chord).join('+') }]
    case 'wait':
      return ['wait', { duration: act.ms / 1000 }]
  }
}

/** A click of the wheel in pixels of the dialects that have no clicks. */
const WHEEL_CLICK_PX = 120
/** Their longest turn in one call. */
const MAX_SCROLL_PX = 120_000
/** `wait` of OpenAI has no duration and lasts this long. */
const OPENAI_WAIT_MS = 1000

/** The actions of OpenAI's computer tool for an act. */
function openAiOf(act: PointerAct, screen: Rect): readonly object[] {
  switch (act.kind) {
    case 'click': {
      const keys = act.modifiers.length > 0 && { keys: act.modifiers.map((key) => keyNameIn('openai', key)) }
      const place = within(screen, act.at)
      return [
        act.count === 2
          ? { type: 'double_click', ...place, ...keys }
          : { type: 'click', button: act.button, ...place, ...keys },
      ]
    }
    case 'move':
      return [{ type: 'move', ...within(screen, act.at) }]
    case 'drag':
      return [{ type: 'drag', path: [within(screen, act.from), within(screen, act.to)] }]
    case 'wheel': {
      const scroll_y = Math.max(-MAX_SCROLL_PX, Math.min(MAX_SCROLL_PX, -act.clicks * WHEEL_CLICK_PX))
      return [{ type: 'scroll', ...within(screen, act.at), scroll_x: 0, scroll_y }]
    }
    case 'type':
      return [{ type: 'type', text: act.text }]
    case 'keys':
      return [{ type: 'keypress', keys: keyNames('openai', act.chord) }]
    case 'wait':
      return Array.from({ length: Math.ceil(act.ms / OPENAI_WAIT_MS) }, () => ({ type: 'wait' }))
  }
}

/** The steps of Gemini's coordinates over the width and the height of the screen. */
const GEMINI_GRID = 1000

/** The functions of Gemini's computer use for an act. */
function geminiOf(act: PointerAct, screen: Rect): readonly { readonly name: string; readonly args: object }[] {
  const place = (at: Point): Point => {
    const { x, y } = within(screen, at)
    const toGrid = (value: number, size: number) => Math.min(GEMINI_GRID - 1, Math.ceil((value * GEMINI_GRID) / size))
    return { x: toGrid(x, screen.width), y: toGrid(y, screen.height) }
  }
  switch (act.kind) {
    case 'click': {
      const name = act.button === 'right' ? 'right_click' : act.count === 2 ? 'double_click' : 'click'
      const keys = act.modifiers.map((key) => ({ key: keyNameIn('gemini', key) }))
      return [
        ...keys.map((args) => ({ name: 'key_down', args })),
        { name, args: place(act.at) },
        ...keys.map((args) => ({ name: 'key_up', args })),
      ]
    }
    case 'move':
      return [{ name: 'move', args: place(act.at) }]
    case 'drag': {
      const [from, to] = [place(act.from), place(act.to)]
      return [{ name: 'drag_and_drop', args: { start_x: from.x, start_y: from.y, end_x: to.x, end_y: to.y } }]
    }
    case 'wheel': {
      const magnitude_in_pixels = Math.min(MAX_SCROLL_PX, Math.abs(act.clicks) * WHEEL_CLICK_PX)
      return [
        { name: 'scroll', args: { ...place(act.at), direction: act.clicks > 0 ? 'up' : 'down', magnitude_in_pixels } },
      ]
    }
    case 'type':
      return [{ name: 'type', args: { text: act.text } }]
    case 'keys':
      return [{ name: 'hotkey', args: { keys: keyNames('gemini', act.chord) } }]
    case 'wait':
      return [{ name: 'wait', args: { seconds: act.ms / 1000 } }]
  }
}

const onComputer = (vendor: string, { width }: Rect, body: object): readonly AgentRequest[] => [
  post(`/computer/${vendor}?display_width=${width}`, body),
]

/** The doors that take the pointer and the keyboard alone. A new one is one row. */
const POINTER_DOORS = {
  door_osworld: {
    title: 'OSWorld',
    served: 'osworld',
    requests: (acts, screen) => {
      const lines = acts.flatMap((act) => pythonOf(act, screen))
      const code = ['import pyautogui, pyperclip, time', 'pyautogui.FAILSAFE = False', ...lines].join('\n')
      return [post('/execute', { command: ['python', '-c', code], shell: false })]
    },
    refusalIn: (answer) => {
      const { returncode, error } = bodyOf(answer) as { readonly returncode?: number; readonly error?: string }
      return refusedStatus(answer) ?? (returncode === 0 ? undefined : `the program failed: ${error}`)
    },
  },
  door_anthropic: {
    title: 'Anthropic’s computer tool',
    served: 'computer-tools',
    requests: (acts, screen) => {
      const content = acts.map((act, index) => {
        const [name, input] = anthropicOf(act, screen)
        return { type: 'tool_use', id: `toolu_${index}`, name, toolset_name: 'computer', input }
      })
      return onComputer('anthropic', screen, { content })
    },
    refusalIn: refusedCall,
  },
  door_openai: {
    title: 'OpenAI’s computer tool',
    served: 'computer-tools',
    requests: (acts, screen) => {
      const actions = acts.flatMap((act) => openAiOf(act, screen))
      return onComputer('openai', screen, { type: 'computer_call', call_id: 'call_1', actions })
    },
    refusalIn: refusedCall,
  },
  door_gemini: {
    title: 'Gemini’s computer tool',
    served: 'computer-tools',
    requests: (acts, screen) =>
      onComputer('gemini', screen, { functionCalls: acts.flatMap((act) => geminiOf(act, screen)) }),
    refusalIn: refusedCall,
  },
} as const satisfies Record<string, PlayedDoor>

/** The names of the checks of the doors that take the pointer and the keyboard alone. */
export const POINTER_DOOR_CHECKS = Object.keys(POINTER_DOORS) as readonly (keyof typeof POINTER_DOORS)[]
export type PointerDoorCheck = keyof typeof POINTER_DOORS

/** The title of a door in messages. */
export const titleOfDoor = (name: PointerDoorCheck): string => POINTER_DOORS[name].title

/** The way to a door; undefined when the registry has it no more. */
export function wayToDoor(name: PointerDoorCheck): AccessWay | undefined {
  const { served }: PlayedDoor = POINTER_DOORS[name]
  const protocol = SESSION_PROTOCOLS.find((each) => each.name === served)
  const door = OBSERVER_DOORS.find((each) => each.name === served)
  return protocol ? onItsPort(protocol) : door && onObserver(door.loadProbes, [door])
}

/** The end of a run through a door. */
interface DoorRun {
  /** Why the solution ended early. */
  readonly failure: string | undefined
  /** The calls that the door has no equal for, which were made as they are. */
  readonly untranslated: readonly string[]
  /** The variables and files at the end. */
  readonly records: unknown
}

/** The token with which the audit serves a desktop. */
const ACCESS = { harnessToken: 'token-of-the-harness-that-no-door-has' }

const recordsOf = ({ computer: { run, desktop } }: MemorySession) => ({ ...run.data, files: filesOf(desktop) })

/** Plays a solution with the tools of the observer, over HTTP. */
export const playOverObserver = oncePerSolution(async (scenario, solution): Promise<DoorRun> => {
  const desktop = memorySession(scenario, { audience: 'agent' })
  const { send, close } = await onObserver(observerProtocol.loadProbes, []).serve(desktop, ACCESS)
  const use = async (tool: string, args: object): Promise<void> => {
    const refusal = refusedStatus(await send(post(`/api/tool/${tool}`, args)))
    if (refusal !== undefined) throw new Fault('BadRequest', `${tool}: ${refusal}`)
  }
  try {
    const hands = new PointerHands(desktop, async (acts) => {
      for (const act of acts) await use(...toolCallOf(act))
    })
    const failure = await playedTo(desktop, solution, async ({ tool, args }) => {
      // In a variant an element may be out of view.
      if (desktop.computer.variant && ('element_id' in args || 'selector' in args)) await hands.reach(args)
      await use(tool, args)
    })
    return { failure, untranslated: [], records: recordsOf(desktop) }
  } finally {
    await close()
  }
})

/** Plays a solution with the pointer and the keyboard, as an agent behind a door. */
export async function playThroughDoor(
  scenario: Scenario,
  solution: Solution,
  name: PointerDoorCheck,
  way: AccessWay,
): Promise<DoorRun> {
  const { requests, refusalIn }: PlayedDoor = POINTER_DOORS[name]
  const desktop = memorySession(scenario, { audience: 'agent' })
  const { send, close } = await way.serve(desktop, ACCESS)
  try {
    const hands = new PointerHands(desktop, async (acts) => {
      const screen = screenArea(true, await desktop.computer.monitors())
      for (const request of requests(acts, screen)) {
        const refusal = refusalIn(await send(request))
        if (refusal !== undefined) throw new Fault('BadRequest', refusal)
      }
    })
    const failure = await playedTo(desktop, solution, (planned) => hands.make(planned))
    return { failure, untranslated: hands.untranslated, records: recordsOf(desktop) }
  } finally {
    await close()
  }
}

/** Plays a solution whose calls are made otherwise. Returns why it ended early. */
async function playedTo(
  desktop: MemorySession,
  solution: Solution,
  make: (planned: Parameters<PointerHands['make']>[0]) => Promise<void>,
): Promise<string | undefined> {
  let step = ''
  const replaced = playSolution(desktop, solution, async (planned) => {
    step = `step ${planned.place.number} (${planned.tool}): `
    await make(planned)
    return undefined
  })
  for await (const { failure } of replaced) if (failure !== undefined) return `${step}${failure}`
  return undefined
}

const MAX_SHOWN = 60

const short = (value: unknown): string => {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text
}

/** The first place at which two values differ, in words; undefined when they are equal. */
export function firstDifference(one: unknown, other: unknown, place = ''): string | undefined {
  if (Object.is(one, other)) return undefined
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null)
    return `${place} is ${short(other)} instead of ${short(one)}`
  if (one instanceof Date && other instanceof Date && one.getTime() === other.getTime()) return undefined
  for (const key of new Set([...Object.keys(one), ...Object.keys(other)])) {
    const found = firstDifference(
      (one as Readonly<Record<string, unknown>>)[key],
      (other as Readonly<Record<string, unknown>>)[key],
      place === '' ? key : `${place}.${key}`,
    )
    if (found !== undefined) return found
  }
  return undefined
}
