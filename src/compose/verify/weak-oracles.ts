import type { SyntheticComputer } from '../../adapters/synthetic/synthetic.ts'
import { isNamed } from '../../base/strings.ts'
import { type Element, walk } from '../../desktop/model/element.ts'
import { roleKind, roleRowOf, rolesWith } from '../../desktop/model/role.ts'
import { call } from '../../observer/call.ts'
import { describePlace, type ProgramCall } from '../../scenario/solution.ts'
import type { MemorySession } from '../memory-session.ts'
import type { ReplaceCall } from '../play-solution.ts'
import {
  type Content,
  differenceOf,
  endOf,
  isAction,
  type RecordedSolution,
  targetOfCall,
} from './recorded-solution.ts'

/** Of longer solutions, this many steps are left out, at equal distances. */
const MAX_OMITTED = 60

/**
 * Finds a step, not an optional one, without which the solution still passes, although the run ends differently: the oracles
 * do not look at what the step does.
 */
export async function findOmittedStep({
  scenario,
  solution,
  calls,
  end,
}: RecordedSolution): Promise<string | undefined> {
  const actions = calls.flatMap((call, index) => (isAction(call) && !call.isOptional ? [index] : []))
  const every = Math.max(1, Math.ceil(actions.length / MAX_OMITTED))
  for (const omitted of actions.filter((_, position) => position % every === 0)) {
    const replace: ReplaceCall = (call, index) => (index === omitted ? undefined : call)
    const without = await endOf(scenario, solution, () => replace)
    const difference = without.passed ? differenceOf(end.content, without.content) : undefined
    if (difference === undefined) continue
    const { tool, place } = calls[omitted]!
    return `the oracles pass without ${describePlace(place)} (${tool}), although the run then ends differently: ${difference}`
  }
  return undefined
}

/** A call with another value in place of the one that it has. */
interface OtherCall {
  readonly call: ProgramCall
  readonly value: string
  readonly other: string
}

/** Finds a value of the task, or of the screen at the start, in whose place another one passes as well. */
export async function findOtherValue(recorded: RecordedSolution): Promise<string | undefined> {
  const { scenario, solution, calls } = recorded
  for (const [changed, planned] of calls.entries()) {
    if (!isAction(planned) || planned.isOptional) continue
    let made: OtherCall | undefined
    const { passed } = await endOf(scenario, solution, ({ computer }) => (call, index) => {
      if (index !== changed) return call
      made = otherChoice(computer, call, recorded) ?? otherText(call, recorded)
      return made?.call ?? call
    })
    if (!made || !passed) continue
    const { value, other } = made
    const source = isNamed(scenario.task, value) ? 'the task names' : 'the screen shows'
    return `the oracles pass when ${describePlace(planned.place)} (${planned.tool}) has ${JSON.stringify(other)} instead of ${JSON.stringify(value)}, which ${source}`
  }
  return undefined
}

const TEXT_ARGUMENTS = ['text', 'value'] as const
/** Shorter texts are on the screen by chance. */
const MIN_SHOWN_CHARACTERS = 3

/** The call with another text, if its text comes from the task or the screen. */
function otherText(call: ProgramCall, { scenario, startTexts }: RecordedSolution): OtherCall | undefined {
  for (const name of TEXT_ARGUMENTS) {
    const value = call.args[name]
    if (typeof value !== 'string' || value.trim() === '') continue
    const isShown = value.length >= MIN_SHOWN_CHARACTERS && startTexts.some((text) => text.includes(value))
    if (!isShown && !isNamed(scenario.task, value)) continue
    const other = shifted(value)
    return { call: { ...call, args: { ...call.args, [name]: other } }, value, other }
  }
  return undefined
}

/** Kinds of elements that are chosen among others. */
const CHOICES = rolesWith('choice')

/** The call that chooses another item than the one that the task names. */
function otherChoice(
  computer: SyntheticComputer,
  call: ProgramCall,
  { scenario: { task } }: RecordedSolution,
): OtherCall | undefined {
  const target = targetOfCall(computer, call)
  if (!target) return undefined
  const { window, element, parent } = target
  const option = call.args.option_name
  if (typeof option === 'string') {
    const other = isNamed(task, option) ? siblingOf(option, [...walk(element)]) : undefined
    return (
      other && { call: { ...call, args: { ...call.args, option_name: other.name } }, value: option, other: other.name }
    )
  }
  if (!CHOICES.has(roleKind(element.role)) || !isNamed(task, element.name)) return undefined
  const other = siblingOf(element.name, parent?.children.filter(({ role }) => role === element.role) ?? [])
  const { selector: _, ...args } = call.args
  return (
    other && {
      call: { ...call, args: { ...args, window_uid: window, element_id: other.id } },
      value: element.name,
      other: other.name,
    }
  )
}

const siblingOf = (name: string, elements: readonly Element[]): Element | undefined =>
  elements.find((each) => each.enabled && each.name !== '' && each.name !== name && CHOICES.has(roleKind(each.role)))

/** A text of the same shape with the next letter and digit in each place. */
function shifted(text: string): string {
  const other = text.replace(
    /[a-zA-Z0-9]/g,
    (character) => NEXT[character] ?? String.fromCharCode(character.charCodeAt(0) + 1),
  )
  return other === text ? `${text}x` : other
}

const NEXT: Readonly<Record<string, string>> = { z: 'a', Z: 'A', 9: '0' }

/**
 * Finds side effects that the oracles do not notice: controls that the solution does not use are changed, all at once, and
 * buttons that it does not press are pressed, one at a time.
 */
export async function findSideEffect(recorded: RecordedSolution): Promise<string | undefined> {
  const used = await usedElements(recorded)
  return (await findFlooded(recorded, used)) ?? findPressed(recorded, used)
}

/** The elements that the solution uses or that its run changes. */
async function usedElements({ scenario, solution }: RecordedSolution): Promise<ReadonlySet<string>> {
  const used = new Set<string>()
  let after: Content = new Map()
  await endOf(scenario, solution, ({ computer }) => (planned) => {
    const target = targetOfCall(computer, planned)
    if (target) used.add(`${target.window} ${target.element.id}`)
    const now = stateOf(computer)
    for (const [place, words] of now) if (after.has(place) && after.get(place) !== words) used.add(place)
    after = now
    return planned
  })
  return used
}

const stateOf = ({ desktop }: SyntheticComputer): Content =>
  new Map(
    desktop.windows.flatMap(({ uid, tree }) =>
      [...walk(tree)].map(({ id, value, selected, focused }) => [
        `${uid} ${id}`,
        JSON.stringify([value, selected ?? false, focused]),
      ]),
    ),
  )

/** Changes all unused controls before the last call that names an element, so that the keyboard goes where it should. */
async function findFlooded(recorded: RecordedSolution, used: ReadonlySet<string>): Promise<string | undefined> {
  const { scenario, solution, calls, end } = recorded
  const last = calls.findLastIndex(
    (planned) => isAction(planned) && ('selector' in planned.args || 'element_id' in planned.args),
  )
  for (const at of new Set([0, Math.max(0, last)])) {
    let changed: readonly string[] = []
    const flooded = await endOf(scenario, solution, (desktop) => async (planned, index) => {
      if (index === at) changed = await flood(desktop, used)
      return planned
    })
    const difference = flooded.passed && changed.length > 0 ? differenceOf(end.content, flooded.content) : undefined
    if (difference !== undefined)
      return `the oracles pass although ${listed(changed)} ${changed.length === 1 ? 'was' : 'were'} changed on the way: ${difference}`
  }
  return undefined
}

const MAX_LISTED = 3

const listed = (names: readonly string[]): string =>
  names.length <= MAX_LISTED
    ? names.join(', ')
    : `${names.slice(0, MAX_LISTED).join(', ')} and ${names.length - MAX_LISTED} more controls`

/** Types into every unused field and toggles every unused switch that is shown. Returns what was changed. */
async function flood({ session, computer }: MemorySession, used: ReadonlySet<string>): Promise<readonly string[]> {
  const changed: string[] = []
  for (const [window_uid, element] of unusedElements(computer, used)) {
    const target = { window_uid, element_id: element.id }
    const isField = roleRowOf(element.role).text !== 'none' && !element.traits?.readOnly && !element.traits?.secret
    const { fault } = isField
      ? await call(session, 'set_value', { ...target, value: otherValueOf(element) })
      : TOGGLED.has(roleKind(element.role))
        ? await call(session, 'invoke_element', target)
        : { fault: 'not an input' }
    if (!fault) changed.push(`${element.role} ${JSON.stringify(element.name)}`)
  }
  return changed
}

const TOGGLED = rolesWith('switch')

const otherValueOf = ({ value, traits }: Element): string => (value === 'x' ? 'y' : 'x').slice(0, traits?.maxLength)

const unusedElements = (
  { desktop }: SyntheticComputer,
  used: ReadonlySet<string>,
): readonly (readonly [string, Element])[] =>
  desktop.windows.flatMap(({ uid, tree }) =>
    [...walk(tree)]
      .filter((element) => element.enabled && !element.traits?.hidden && !used.has(`${uid} ${element.id}`))
      .map((element) => [uid, element] as const),
  )

const MAX_PRESSED = 40
const PRESSED = rolesWith('runsCommand')

/** Presses one unused button before the first call. Only files and variables count, because views may open and close. */
async function findPressed(recorded: RecordedSolution, used: ReadonlySet<string>): Promise<string | undefined> {
  const { scenario, solution, end } = recorded
  if (end.stored.size === 0) return undefined
  for (let at = 0; at < MAX_PRESSED; at++) {
    let pressed: Element | undefined
    const run = await endOf(scenario, solution, ({ session, computer }) => async (planned, index) => {
      const buttons = unusedElements(computer, used).filter(([, { role }]) => PRESSED.has(roleKind(role)))
      const [window_uid, element] = buttons[at] ?? []
      if (index !== 0 || !element) return planned
      pressed = element
      await call(session, 'invoke_element', { window_uid, element_id: element.id })
      return planned
    })
    if (!pressed) return undefined
    const difference = run.passed ? differenceOf(end.stored, run.stored) : undefined
    if (difference !== undefined)
      return `the oracles pass although ${pressed.role} ${JSON.stringify(pressed.name)} was pressed first: ${difference}`
  }
  return undefined
}
