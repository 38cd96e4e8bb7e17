import type {
  Computer,
  ScreenshotTarget,
  SimulationControl,
  TreeOptions,
  WindowInfo,
} from '../../../adapters/computer.ts'
import { type Awaitable, andThen } from '../../../base/async.ts'
import type { Element } from '../../../desktop/model/element.ts'
import type { Picture } from '../../../paint/picture.ts'
import type { Settings } from '../../session/settings.ts'
import { RunJournal } from '../run-journal.ts'
import { redactedAreas } from './areas.ts'
import { redactedInput } from './input.ts'
import { redactedPicture } from './picture.ts'
import { redactionRules } from './rules.ts'
import { controlOf, type Storage, storageOf } from './simulation.ts'
import { hasSecret, treeRedactor } from './tree.ts'

/** A computer whose windows, trees, pictures and faults contain nothing hidden. */
export interface RedactedComputer extends Omit<Computer, 'simulation'> {
  /** Undefined on a real desktop. */
  readonly simulation: SimulationControl | undefined
}

export interface Redaction {
  readonly active: boolean
  readonly status: () => Readonly<Record<string, unknown>>
  readonly computer: RedactedComputer
  /** Takes a picture for text recognition: hidden elements are painted over, also where screenshots show them. */
  readonly legible: (of: ScreenshotTarget) => Awaitable<Picture>
  /** Replaces what the text patterns match in text from other sources, such as recognised text. */
  readonly text: (text: string) => string
  /** Files and clipboard of a synthetic desktop, without what the text patterns match; empty on a real one. */
  readonly storage: Partial<Storage>
  /** What a synthetic desktop did lately. Undefined on a real one. */
  readonly journal: RunJournal | undefined
  /** Whether elements or windows are hidden, so that files and the clipboard may hold text that was copied from one. */
  readonly hidesElements: boolean
}

/** Hides secret values and what the operator's patterns match (observer document, "Redaction"). */
export function redaction(computer: Computer, settings: Settings['redaction']): Redaction {
  const rules = redactionRules(settings)
  const { active, scrub, replace, isHiddenTitle } = rules
  const redactTree = treeRedactor(rules)
  const titleOf = (title: string): string => (isHiddenTitle(title) ? replace(title) : scrub(title))

  const withTitles = (windows: readonly WindowInfo[]): readonly WindowInfo[] =>
    active ? windows.map((window) => ({ ...window, title: titleOf(window.title) })) : windows

  const tree = (uid: string, options?: TreeOptions): Awaitable<Element | undefined> =>
    andThen(computer.tree(uid, options), (unredacted) => {
      if (!unredacted) return undefined
      if (!active && !hasSecret(unredacted)) return unredacted
      if (!rules.hidesTitles) return redactTree(unredacted, false)
      return andThen(computer.windows(), (windows) => {
        const all = [...windows, ...(computer.hiddenWindows?.() ?? [])]
        const window = all.find((each) => each.uid === uid)
        return redactTree(unredacted, window !== undefined && isHiddenTitle(window.title))
      })
    })

  const shown = (unredacted: Element): Element =>
    active || hasSecret(unredacted) ? redactTree(unredacted, false) : unredacted

  function* otherRows(uid: string): Iterable<Element> {
    for (const each of computer.treesWithOtherRows!(uid)) yield shown(each)
  }

  /** Rows out of view, unless the operator hides windows by their titles. */
  const rows: Pick<Computer, 'treesWithOtherRows' | 'treeWithRowInView'> =
    computer.treesWithOtherRows && computer.treeWithRowInView && !rules.hidesTitles
      ? {
          treesWithOtherRows: otherRows,
          treeWithRowInView: (target) => {
            const scrolled = computer.treeWithRowInView!(target)
            return scrolled && shown(scrolled)
          },
        }
      : {}

  const screenshot = (of: ScreenshotTarget, covers: boolean): Awaitable<Picture> =>
    active ? redactedPicture(computer, rules, of, covers) : computer.screenshot(of)

  const elementAreas = computer.elementAreas && {
    elementAreas: (of: ScreenshotTarget) =>
      active
        ? andThen(computer.elementAreas!({ ...of, actual: true }), (areas) =>
            redactedAreas(areas, (uid) => tree(uid, { actual: true, asWritten: true })),
          )
        : computer.elementAreas!(of),
  }

  return {
    active,
    status: rules.status,
    text: scrub,
    hidesElements: rules.hidesElements,
    journal:
      computer.simulation &&
      new RunJournal(computer.simulation, {
        scrub,
        hidesElements: rules.hidesElements,
        redactWindow: (window) => (active ? { ...window, title: titleOf(window.title) } : window),
        redactTree: (tree, window) => redactTree(tree, window !== undefined && isHiddenTitle(window.title)),
      }),
    storage: computer.simulation ? storageOf(computer.simulation, scrub) : {},
    legible: (of) => screenshot(of, true),
    computer: {
      get info() {
        return computer.info
      },
      monitors: () => computer.monitors(),
      windows: () => (active ? andThen(computer.windows(), withTitles) : computer.windows()),
      ...(computer.hiddenWindows && { hiddenWindows: () => withTitles(computer.hiddenWindows!()) }),
      tree,
      ...rows,
      ...elementAreas,
      screenshot: (of) => screenshot(of, settings.blur_screenshots),
      perform: active ? redactedInput(computer, rules) : (action, options) => computer.perform(action, options),
      ...(computer.readClipboard && { readClipboard: () => andThen(computer.readClipboard!(), scrub) }),
      pointer: () => computer.pointer(),
      close: () => computer.close(),
      simulation: computer.simulation && controlOf(computer.simulation),
    },
  }
}
