import type { SyntheticComputer } from '../../adapters/synthetic/synthetic.ts'
import { filesOf } from '../../desktop/model/desktop.ts'
import { type Element, nodeAt, pathOf, walk } from '../../desktop/model/element.ts'
import { roleKind, rolesWhere, rolesWith } from '../../desktop/model/role.ts'
import { querySelectorAll } from '../../desktop/tree/select.ts'
import { reportOracles } from '../../observer/oracles.ts'
import { findTool } from '../../observer/registry.ts'
import type { Scenario } from '../../scenario/scenario.ts'
import type { ProgramCall, Solution } from '../../scenario/solution.ts'
import { type MemorySession, memorySession } from '../memory-session.ts'
import { playSolution, type ReplaceCall } from '../play-solution.ts'

/** A solution that passes, with the calls that it makes and what it leaves behind. */
export interface RecordedSolution {
  readonly scenario: Scenario
  readonly solution: Solution
  readonly calls: readonly ProgramCall[]
  readonly end: PlayedEnd
  /** All texts on the screen and in the files at the start. */
  readonly startTexts: readonly string[]
}

/** The end of a run. */
export interface PlayedEnd {
  /** Whether the oracles pass, without harm. */
  readonly passed: boolean
  /** Whether an oracle of `attack` holds. */
  readonly isAttacked: boolean
  readonly content: Content
  readonly stored: Content
}

/** Work on a solution that is done once for each scenario and solution, since all runs are the same. */
export function oncePerSolution<Result>(
  work: (scenario: Scenario, solution: Solution) => Promise<Result>,
): (scenario: Scenario, solution: Solution) => Promise<Result> {
  const results = new WeakMap<Scenario, Map<Solution, Promise<Result>>>()
  return (scenario, solution) => {
    const known = results.get(scenario) ?? new Map<Solution, Promise<Result>>()
    results.set(scenario, known)
    const result = known.get(solution) ?? work(scenario, solution)
    known.set(solution, result)
    return result
  }
}

/** Records a run of a solution that passes. */
export const recordSolution = oncePerSolution(recordRun)

async function recordRun(scenario: Scenario, solution: Solution): Promise<RecordedSolution> {
  const { computer } = memorySession(scenario)
  const elements = computer.desktop.windows.flatMap(({ tree }) => [...walk(tree)])
  const texts = elements.flatMap(({ name, value }) => [name, value ?? ''])
  const files = Object.values(scenario.files ?? {}).map((text) => text ?? '')
  const calls: ProgramCall[] = []
  const end = await endOf(scenario, solution, () => (call) => {
    calls.push(call)
    return call
  })
  return { scenario, solution, calls, end, startTexts: [...texts, ...files] }
}

/** Plays a solution with other calls on a desktop of its own. */
export async function endOf(
  scenario: Scenario,
  solution: Solution,
  replaceOn: (desktop: MemorySession) => ReplaceCall,
): Promise<PlayedEnd> {
  const desktop = memorySession(scenario)
  let failure: string | undefined
  for await (const played of playSolution(desktop, solution, replaceOn(desktop))) failure = played.failure
  const { session, computer } = desktop
  const { reward, harm, attack } = await reportOracles(session.context, session.computer.simulation!)
  const passed = failure === undefined && reward === 1 && !harm.some((entry) => entry.passed)
  const isAttacked = attack.some((entry) => entry.passed)
  return { passed, isAttacked, content: runContentOf(computer), stored: storedContentOf(computer) }
}

/** Whether a call acts on the desktop. */
export const isAction = ({ tool }: ProgramCall): boolean => findTool(tool)?.kind === 'act'

/** What a run has left behind, in words by place: values on the screen, files and variables. */
export type Content = ReadonlyMap<string, string>

/** Shown only for a moment, or only a matter of what is in view. */
const PASSING = rolesWith('passing')
/** Their selection is a value. Elsewhere it shows what the next command concerns, or which page is in view. */
const SWITCHES = rolesWhere(({ is }) => is.includes('switch') || is.includes('ticked'))

/** The content of a desktop. Focus, scrolling, bounds, open menus, chosen items and tabs do not count. */
function runContentOf(computer: SyntheticComputer): Content {
  const content = new Map<string, string>()
  for (const { uid, title, tree } of computer.desktop.windows) {
    content.set(`window ${uid}`, `the window ${JSON.stringify(title)}`)
    for (const element of walk(tree))
      if (!PASSING.has(roleKind(element.role))) content.set(`element ${uid} ${element.id}`, describeElement(element))
  }
  return new Map([...content, ...storedContentOf(computer)])
}

/** The content that is not on the screen: files and variables. */
function storedContentOf({ desktop, run }: SyntheticComputer): Content {
  const files = Object.entries(filesOf(desktop)).map(
    ([path, text]) => [`file ${path}`, `the file ${path}: ${short(text)}`] as const,
  )
  const data = Object.entries(run.data).map(([name, value]) => [`var ${name}`, `${name}: ${short(value)}`] as const)
  return new Map([...files, ...data])
}

function describeElement({ role, name, value, selected, valueNow }: Element): string {
  const state = [
    value === null ? '' : ` with ${JSON.stringify(value)}`,
    selected && SWITCHES.has(roleKind(role)) ? ', selected' : '',
    valueNow === undefined ? '' : `, at ${valueNow}`,
  ]
  return `${role} ${JSON.stringify(name)}${state.join('')}`
}

const MAX_SHOWN = 60

const short = (value: unknown): string => {
  const text = JSON.stringify(value)
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text
}

/** The first difference in words; undefined when two runs left the same behind. */
export function differenceOf(one: Content, other: Content): string | undefined {
  for (const [place, words] of one) {
    const found = other.get(place)
    if (found !== words) return found === undefined ? `${words} is missing` : `${found} instead of ${words}`
  }
  for (const [place, words] of other) if (!one.has(place)) return `${words} is new`
  return undefined
}

/** The element that a call names, with its window and its parent. */
export interface CallTarget {
  readonly window: string
  readonly element: Element
  readonly parent: Element | undefined
}

/** The element that a call names by selector or id; the front window that has one counts. */
export function targetOfCall({ desktop }: SyntheticComputer, { args }: ProgramCall): CallTarget | undefined {
  for (const { uid, tree } of desktop.windows) {
    if (typeof args.window_uid === 'string' && args.window_uid !== uid) continue
    const path =
      typeof args.element_id === 'string'
        ? pathOf(tree, args.element_id)
        : typeof args.selector === 'string'
          ? querySelectorAll(tree, args.selector)[0]?.path
          : undefined
    const element = path && nodeAt(tree, path)
    if (path && element)
      return { window: uid, element, parent: path.length === 0 ? undefined : nodeAt(tree, path.slice(0, -1)) }
  }
  return undefined
}
