import type { AuthoredScenario, AuthoredState } from './scenario-file.ts'
import { type Actor, outcomesOfActors } from './schema/actor.ts'
import type { Outcome, ScenarioEffect } from './schema/effect.ts'
import type { AuthoredElement, AuthoredWindow } from './schema/element.ts'
import type { Reaction, Timer, Trigger } from './schema/reaction.ts'

/** Visitors for parts of a file that stand in several places. Paths are keys and indexes from the top of the file. */

type Path = readonly (string | number)[]

/** The reactions and timers of a file or a scenario. */
export interface Reactive {
  readonly reactions?: readonly Reaction[] | null | undefined
  readonly timers?: readonly Timer[] | null | undefined
  readonly actors?: Readonly<Record<string, Actor>> | null | undefined
}

/** Visits every outcome: of reactions and timers, scheduled ones, choices and answers in the browser. `on` is the trigger of its reaction or timer. */
export function forEachOutcome(
  { reactions, timers, actors }: Reactive,
  visit: (outcome: Outcome, path: Path, on: Trigger | undefined) => void,
): void {
  const below = (outcome: Outcome, path: Path, on: Trigger | undefined): void => {
    visit(outcome, path, on)
    outcome.set?.forEach((effect, index) => {
      if ('schedule' in effect) below(effect.schedule, [...path, 'set', index, 'schedule'], on)
      if ('browse' in effect)
        for (const key of ['accepted', 'refused'] as const)
          if (effect[key]) below(effect[key], [...path, 'set', index, key], on)
    })
    outcome.choose?.forEach((choice, index) => {
      below(choice, [...path, 'choose', index], on)
    })
  }
  reactions?.forEach((reaction, index) => {
    below(reaction, ['reactions', index], reaction.on)
  })
  timers?.forEach((timer, index) => {
    below(timer, ['timers', index], timer.on)
  })
  for (const { outcome, path } of outcomesOfActors(actors)) below(outcome, path, undefined)
}

/** Visits every entry of every `set`. */
export const forEachEffect = (
  reactive: Reactive,
  visit: (effect: ScenarioEffect, path: Path, on: Trigger | undefined) => void,
): void =>
  forEachOutcome(reactive, ({ set }, path, on) => {
    set?.forEach((effect, index) => {
      visit(effect, [...path, 'set', index], on)
    })
  })

/** A window of a file with its uid: of a state, in `windows`, or written in an effect. */
export interface VisitedWindow {
  readonly window: AuthoredWindow
  readonly uid: string
  readonly path: Path
}

/** The uid of a window: as written, or from its state and index. */
export const windowUidOf = (state: string, window: AuthoredWindow, position: number): string =>
  window.uid ?? (position === 0 ? `mock:${state}` : `mock:${state}:${position}`)

/** The windows of a state. Empty by default. */
export const windowsOf = (state: AuthoredState | null): readonly AuthoredWindow[] => state?.windows ?? []

/** The windows of all states. */
export const windowsInStates = ({ states }: Pick<AuthoredScenario, 'states'>): readonly VisitedWindow[] =>
  Object.entries(states).flatMap(([name, state]) =>
    windowsOf(state).map((window, position) => ({
      window,
      uid: windowUidOf(name, window, position),
      path: ['states', name, 'windows', position],
    })),
  )

/** The windows that effects open: those in `windows`, and those written in effects. */
export function windowsToOpen(authored: AuthoredScenario): readonly VisitedWindow[] {
  const found: VisitedWindow[] = (authored.windows ?? []).map((window, index) => ({
    window,
    uid: window.uid,
    path: ['windows', index],
  }))
  forEachEffect(authored, (effect, path) => {
    if ('open' in effect && typeof effect.open === 'object')
      found.push({ window: effect.open, uid: effect.open.uid, path: [...path, 'open'] })
  })
  return found
}

/** All windows of a file. */
export const allWindows = (authored: AuthoredScenario): readonly VisitedWindow[] => [
  ...windowsInStates(authored),
  ...windowsToOpen(authored),
]

/** Visits every element of a file: in its windows, and those that changes append. */
export function forEachElement(
  authored: AuthoredScenario,
  visit: (element: AuthoredElement, path: Path) => void,
): void {
  const below = (element: AuthoredElement, path: Path): void => {
    visit(element, path)
    element.children?.forEach((child, index) => {
      below(child, [...path, 'children', index])
    })
  }
  for (const { window, path } of allWindows(authored)) if (window.tree) below(window.tree, [...path, 'tree'])
  forEachEffect(authored, (change, path) => {
    if (!('append' in change) || 'var' in change) return
    change.append?.forEach((element, index) => {
      below(element, [...path, 'append', index])
    })
  })
}
