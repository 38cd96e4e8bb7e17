import { type Desktop, type Target, windowByUid } from '../../desktop/model/desktop.ts'
import type { Element } from '../../desktop/model/element.ts'
import { hookOf } from '../faults/catalogue.ts'
import type { ActiveObservation, ChosenFault, FaultEntry, TreeMoment } from '../faults/fault-kind.ts'
import type { ScenarioRun } from '../scenario-run.ts'

/** What faults make of the desktop before it is seen. Pure functions of the run, so that looking changes nothing. */

/** The faults that change what is seen now. */
export const activeObservations = ({ faults, nowMs }: ScenarioRun): readonly FaultEntry[] =>
  faults ? faults.entries.filter(({ active }) => active !== undefined && active.untilMs > nowMs) : NONE

const NONE: readonly FaultEntry[] = []

/** When the next fault stops changing what is seen. */
export const observationsEndMs = (run: ScenarioRun): number =>
  activeObservations(run).reduce((least, { active }) => Math.min(least, active!.untilMs), Number.POSITIVE_INFINITY)

/** The tree that is seen instead of the actual one: of a window, or of a menu or list that a platform shows as a window. */
export const observedTree = (
  run: ScenarioRun,
  actual: Element,
  treeIn: (desktop: Desktop) => Element | undefined,
): Element =>
  activeObservations(run).reduce((tree, { chosen, active }) => {
    const hook = hookOf(chosen)
    if (!('tree' in hook) || !hook.tree) return tree
    const momentOf = ({ before, random }: ActiveObservation): TreeMoment<ChosenFault> => {
      return { desktop: run.desktop, params: chosen, random, tree, before: treeIn(before) }
    }
    if (hook.on === 'observation') return hook.tree(momentOf(active!))
    let seen = tree
    for (let firing = active; firing?.attempt; firing = firing.earlier) {
      const { action, desktop } = firing.attempt
      seen = hook.tree({ ...momentOf(firing), tree: seen, action, attempted: treeIn(desktop) })
    }
    return seen
  }, actual)

/** The desktop that pictures show. */
export function picturedDesktop(run: ScenarioRun): Desktop {
  let desktop = run.desktop
  for (const { chosen, active } of activeObservations(run)) {
    const hook = hookOf(chosen)
    if (hook.on !== 'observation') continue
    if (hook.pictureBefore) desktop = active!.before
    if (hook.picture) desktop = hook.picture({ desktop, params: chosen, random: active!.random })
  }
  return desktop
}

/** The id of the element that is seen with an id. */
export function actualIdOf(run: ScenarioRun, { window: uid, element: shown }: Target): string {
  const tree = windowByUid(run.desktop, uid)?.tree
  if (!tree) return shown
  return activeObservations(run).reduceRight((id, { chosen, active }) => {
    const hook = hookOf(chosen)
    if (hook.on !== 'observation' || !hook.actualId) return id
    return hook.actualId({ desktop: run.desktop, params: chosen, random: active!.random }, tree, id)
  }, shown)
}
