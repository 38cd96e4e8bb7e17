import { windowByUid } from '../../desktop/model/desktop.ts'
import { nodeById } from '../../desktop/model/element.ts'
import { duplicateInWords, duplicatesIn, instanceOf } from '../composition/instance.ts'
import { pathInFile } from '../path-in-file.ts'
import type { Reaction } from '../schema/reaction.ts'
import type { KeyPath } from '../source/source.ts'
import type { ExploredScreen, ScreenSearch } from './explore.ts'

/** A mistake that a search shows. */
export interface ExploreFinding {
  readonly code: ExploreCode
  /** The part of the file that it is about. */
  readonly path: KeyPath
  readonly message: string
}

export type ExploreCode = keyof typeof RULES

/** What a search shows, and what it leaves open. */
export interface Exploration {
  readonly findings: readonly ExploreFinding[]
  /** Findings that more screens could refute. */
  readonly undecided: readonly ExploreFinding[]
}

interface Rule {
  /** Whether screens that were not found could refute it. */
  readonly needsAll: boolean
  readonly find: (search: ScreenSearch) => readonly Omit<ExploreFinding, 'code'>[]
}

/** The rules by code, in the order in which they are reported. */
const RULES = {
  'solved-at-start': { needsAll: false, find: findSolvedAtStart },
  unsolvable: { needsAll: true, find: findUnsolvable },
  'unreachable-state': { needsAll: true, find: findUnreachable },
  'dead-end': { needsAll: false, find: findDeadEnds },
  'unwinnable-state': { needsAll: true, find: findUnwinnable },
  'ambiguous-reaction': { needsAll: false, find: findAmbiguous },
  'duplicate-key': { needsAll: false, find: findDuplicateKeys },
  'idle-control': { needsAll: true, find: findIdleControls },
  'unused-reaction': { needsAll: true, find: findUnusedReactions },
  'unused-timer': { needsAll: true, find: findUnusedTimers },
} as const satisfies Readonly<Record<string, Rule>>

/** Draws the conclusions of a search. */
export function conclude(search: ScreenSearch): Exploration {
  const findings: ExploreFinding[] = []
  const undecided: ExploreFinding[] = []
  for (const [code, { needsAll, find }] of Object.entries(RULES))
    for (const found of find(search))
      (needsAll && !search.isComplete ? undecided : findings).push({ code: code as ExploreCode, ...found })
  return { findings, undecided }
}

const hasOracles = ({ scenario }: ScreenSearch): boolean => scenario.oracles.success.length > 0

function findSolvedAtStart(search: ScreenSearch) {
  if (search.screens[0]?.verdict !== 'solved') return []
  return [{ path: ['oracles', 'success'], message: 'the first screen already passes the oracles' }]
}

function findUnsolvable(search: ScreenSearch) {
  if (!hasOracles(search) || search.screens.some(({ verdict }) => verdict === 'solved')) return []
  return [{ path: ['oracles', 'success'], message: 'no screen that was found passes the oracles' }]
}

function findUnreachable({ scenario, screens }: ScreenSearch) {
  const found = new Set(screens.map(({ run }) => run.state))
  return [...scenario.states.keys()]
    .filter((name) => !found.has(name))
    .map((name) => ({ path: ['states', name], message: `no action or timer leads to the state ${name}` }))
}

/** Screens of a state that nothing leaves, once for each state. */
function findDeadEnds({ screens }: ScreenSearch) {
  const ends = new Map<string, ExploredScreen>()
  for (const screen of screens)
    if (
      screen.isExpanded &&
      screen.verdict === 'open' &&
      screen.steps.length === 0 &&
      hasWindows(screen) &&
      !ends.has(screen.run.state)
    )
      ends.set(screen.run.state, screen)
  return [...ends.values()].map((screen) => ({
    path: ['states', screen.run.state],
    message: `nothing changes a screen of ${screen.run.state} any more, and it neither solves nor fails the task; it is reached by: ${wayTo(screens, screen)}`,
  }))
}

/** A person can close every window; that is the end of any scenario. */
const hasWindows = ({ run }: ExploredScreen): boolean => run.desktop.windows.length > 0

const MAX_SHOWN_STEPS = 6

/** The shortest sequence of actions that leads to a screen. */
export function wayTo(screens: readonly ExploredScreen[], goal: ExploredScreen): string {
  const from = new Map<number, { readonly before: number; readonly label: string }>()
  const open = [0]
  for (let at = 0; at < open.length && !from.has(goal.index); at++)
    for (const { to, label } of screens[open[at]!]!.steps)
      if (to !== 0 && !from.has(to)) {
        from.set(to, { before: open[at]!, label })
        open.push(to)
      }
  const labels: string[] = []
  for (let step = from.get(goal.index); step; step = from.get(step.before)) labels.unshift(step.label)
  if (labels.length === 0) return 'the start'
  return labels.length > MAX_SHOWN_STEPS ? `… ${labels.slice(-MAX_SHOWN_STEPS).join(', ')}` : labels.join(', ')
}

function findUnwinnable(search: ScreenSearch) {
  const { screens } = search
  const winning = winningScreens(search)
  if (winning.size === 0) return []
  const byState = new Map<string, readonly ExploredScreen[]>()
  for (const screen of screens) byState.set(screen.run.state, [...(byState.get(screen.run.state) ?? []), screen])
  return [...byState]
    .filter(([, own]) => own.every(({ index, verdict }) => verdict === 'open' && !winning.has(index)))
    .filter(([, own]) => own.every(({ steps }) => steps.length > 0))
    .map(([name]) => ({ path: ['states', name], message: `no way from the state ${name} to a solved task was found` }))
}

/** The screens from which a solved one can be reached. */
function winningScreens({ screens }: ScreenSearch): ReadonlySet<number> {
  const before = new Map<number, number[]>()
  for (const { index, steps } of screens) for (const { to } of steps) before.set(to, [...(before.get(to) ?? []), index])
  const winning = new Set(screens.filter(({ verdict }) => verdict === 'solved').map(({ index }) => index))
  const open = [...winning]
  for (let next = open.pop(); next !== undefined; next = open.pop())
    for (const index of before.get(next) ?? [])
      if (!winning.has(index)) {
        winning.add(index)
        open.push(index)
      }
  return winning
}

/**
 * A reaction with fewer conditions may follow one with more, as its fallback. Reactions about different elements may be
 * checked one after another, as a form does.
 */
function findAmbiguous({ rivals, scenario, appliedReactions }: ScreenSearch) {
  return [...rivals.values()]
    .filter(({ first, second }) => {
      const [one, other] = [scenario.reactions[first]!, scenario.reactions[second]!]
      if (conditionsOf(one) > conditionsOf(other)) return false
      return !appliedReactions.has(second) || subjectsOf(one) === subjectsOf(other)
    })
    .map(({ first, second, label }) => ({
      path: ['reactions', second],
      message: `${label} matches this reaction and reaction ${first + 1} of the file, which applies because it is first; give one of them a condition`,
    }))
}

const conditionsOf = ({ on, when, in: states }: Reaction): number =>
  Object.keys(on).length + (when?.length ?? 0) + (states === undefined ? 0 : 1)

/** The elements and files that the guards of a reaction are about. */
const subjectsOf = ({ when }: Reaction): string =>
  (when ?? [])
    .map((guard) => ('id' in guard ? guard.id : 'path' in guard ? guard.path : Object.keys(guard).join()))
    .sort()
    .join(' ')

const PRESSED = /^click (Button|PushButton|Link|Hyperlink|MenuItem|SplitButton|MenuButton) /i

function findIdleControls({ pressed, screens }: ScreenSearch) {
  return [...pressed]
    .filter(([, { label, changed }]) => !changed && PRESSED.test(label))
    .map(([key, { label }]) => ({
      path: elementPath(screens, key),
      message: `${label.replace(/^click /, '')} changes nothing on any screen`,
    }))
}

/** The path of an element on the first screen that shows it; the states where none does. */
export function elementPath(screens: readonly ExploredScreen[], key: string): KeyPath {
  const [uid = '', ...rest] = key.split(' ')
  const id = rest.join(' ')
  const { scenario } = screens[0]!.run
  for (const { run } of screens) {
    const tree = windowByUid(run.desktop, uid)?.tree
    if (tree && nodeById(tree, id)) return pathInFile(scenario, uid, id, tree) ?? ['states']
  }
  return ['states']
}

/** Two items of one list that have the same key, once for each `repeat`. */
function findDuplicateKeys({ screens, scenario }: ScreenSearch) {
  const found = new Map<unknown, Omit<ExploreFinding, 'code'>>()
  const { hosts = [], windows = [] } = scenario.program ?? {}
  if (hosts.length + windows.length === 0) return []
  for (const { index, run } of screens)
    for (const window of run.desktop.windows)
      for (const element of duplicatesIn(window.tree)) {
        const { template } = instanceOf(element)!.source
        if (found.has(template)) continue
        found.set(template, {
          path: pathInFile(scenario, window.uid, element.id, window.tree) ?? ['states'],
          message: `${duplicateInWords(element)}; it is reached by: ${wayTo(screens, screens[index]!)}`,
        })
      }
  return [...found.values()]
}

function findUnusedReactions({ scenario, appliedReactions }: ScreenSearch) {
  return scenario.reactions.flatMap((reaction, index) =>
    appliedReactions.has(index) || isOfBrowser(reaction)
      ? []
      : [{ path: ['reactions', index], message: 'no action that was tried makes this reaction apply' }],
  )
}

/** Whether a reaction is of a control that browsers have, such as the buttons of a dialog that no page may open. */
const isOfBrowser = ({ set = [] }: Reaction): boolean => set.length > 0 && set.every((effect) => 'browse' in effect)

function findUnusedTimers({ scenario, firedTimers }: ScreenSearch) {
  return scenario.timers.flatMap((_, index) =>
    firedTimers.has(index) ? [] : [{ path: ['timers', index], message: 'this timer never does anything' }],
  )
}
