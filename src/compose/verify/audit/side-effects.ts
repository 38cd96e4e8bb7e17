import type { SyntheticComputer } from '../../../adapters/synthetic/synthetic.ts'
import { type Element, walk } from '../../../desktop/model/element.ts'
import { kindOf, kindsWith, roleRowOf } from '../../../desktop/model/role.ts'
import { call } from '../../../observer/call.ts'
import type { MemorySession } from '../../memory-session.ts'
import { targetOfCall } from './call-target.ts'
import { type Content, differenceOf } from './content.ts'
import { endOf, isAction, type RecordedSolution } from './recording.ts'

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
      : TOGGLED.has(kindOf(element.role))
        ? await call(session, 'invoke_element', target)
        : { fault: 'not an input' }
    if (!fault) changed.push(`${element.role} ${JSON.stringify(element.name)}`)
  }
  return changed
}

const TOGGLED = kindsWith('switch')

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
const PRESSED = kindsWith('runsCommand')

/** Presses one unused button before the first call. Only files and variables count, because views may open and close. */
async function findPressed(recorded: RecordedSolution, used: ReadonlySet<string>): Promise<string | undefined> {
  const { scenario, solution, end } = recorded
  if (end.stored.size === 0) return undefined
  for (let at = 0; at < MAX_PRESSED; at++) {
    let pressed: Element | undefined
    const run = await endOf(scenario, solution, ({ session, computer }) => async (planned, index) => {
      const buttons = unusedElements(computer, used).filter(([, { role }]) => PRESSED.has(kindOf(role)))
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
