import type { Desktop } from '../desktop/model/desktop.ts'
import type { Element } from '../desktop/model/element.ts'
import type { FaultEntry } from '../scenario/faults/fault-kind.ts'
import { activeObservations, observedTree, picturedDesktop } from '../scenario/faults/observe.ts'
import type { ScenarioRun } from '../scenario/run/scenario-run.ts'

interface ObservedTree {
  readonly actual: Element
  readonly active: readonly FaultEntry['active'][]
  readonly tree: Element
}

/** The trees and the desktop that faults have changed, so that what is the same keeps its identity. */
export class ObservedTrees {
  readonly #trees = new Map<string, ObservedTree>()
  #pictured:
    | { readonly actual: Desktop; readonly active: ObservedTree['active']; readonly desktop: Desktop }
    | undefined

  /** A tree as it is seen. `uid` identifies its window, and `treeIn` finds it in another desktop. */
  tree(run: ScenarioRun, uid: string, actual: Element, treeIn: (desktop: Desktop) => Element | undefined): Element {
    const active = activeObservations(run).map((entry) => entry.active)
    if (active.length === 0) return actual
    const known = this.#trees.get(uid)
    if (known?.actual === actual && isSameList(known.active, active)) return known.tree
    const tree = observedTree(run, actual, treeIn)
    this.#trees.set(uid, { actual, active, tree })
    return tree
  }

  /** The desktop as pictures show it. */
  desktop(run: ScenarioRun): Desktop {
    const { desktop: actual } = run
    const active = activeObservations(run).map((entry) => entry.active)
    if (active.length === 0) return actual
    const known = this.#pictured
    if (known?.actual === actual && isSameList(known.active, active)) return known.desktop
    this.#pictured = { actual, active, desktop: picturedDesktop(run) }
    return this.#pictured.desktop
  }
}

const isSameList = (a: readonly unknown[], b: readonly unknown[]): boolean =>
  a.length === b.length && a.every((each, index) => each === b[index])
