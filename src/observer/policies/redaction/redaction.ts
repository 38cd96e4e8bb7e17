import type {
  Computer,
  PerformOptions,
  PerformResult,
  ScreenshotTarget,
  Simulation,
  SimulationControl,
  TreeOptions,
  WindowInfo,
} from '../../../adapters/computer.ts'
import { type Awaitable, andThen } from '../../../base/async.ts'
import { Fault } from '../../../base/fault.ts'
import { heldModifiers, meaningOf } from '../../../desktop/apply/held.ts'
import { assertTakesText } from '../../../desktop/apply/keyboard.ts'
import type { Action, Modifier } from '../../../desktop/input/action.ts'
import { parseChord, parseKey } from '../../../desktop/input/keys.ts'
import { type Desktop, filesOf } from '../../../desktop/model/desktop.ts'
import { type Element, nodeAt } from '../../../desktop/model/element.ts'
import { filePathsBelow, isFile, isFolder, readFile } from '../../../desktop/model/files.ts'
import { roleKind } from '../../../desktop/model/role.ts'
import { chainTo, type ElementRef, focusedRef } from '../../../desktop/tree/element-ref.ts'
import type { ElementArea } from '../../../paint/annotations/areas.ts'
import type { Picture } from '../../../paint/picture.ts'
import type { RunData } from '../../../scenario/data/run-data.ts'
import { type DataValue, isList } from '../../../scenario/expression/data-type.ts'
import { runFindings, successAtStart } from '../../../scenario/oracles/on-run.ts'
import type { RunFindings, ScenarioView } from '../../../scenario/oracles/report.ts'
import type { OracleView } from '../../../scenario/predicate.ts'
import { type PageWithTools, pageWithTools } from '../../../scenario/run/page-tools.ts'
import { judgedView, probeRun } from '../../../scenario/run/probe-oracles.ts'
import type { Settings } from '../../settings.ts'
import { redactedPicture } from './picture.ts'
import { type RedactionRules, redactionRules } from './rules.ts'
import { RunJournal } from './run-journal.ts'
import { hasSecret, secretFieldValues, treeRedactor, withoutSecrets } from './tree.ts'

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
      return andThen(computer.windows(), (windows) =>
        andThen(computer.hiddenWindows?.() ?? [], (hidden) => {
          const window = [...windows, ...hidden].find((each) => each.uid === uid)
          return redactTree(unredacted, window !== undefined && isHiddenTitle(window.title))
        }),
      )
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
      ...(computer.hiddenWindows && { hiddenWindows: () => andThen(computer.hiddenWindows!(), withTitles) }),
      tree,
      ...(computer.treeRemedy && { treeRemedy: (uid) => computer.treeRemedy!(uid) }),
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

/** Areas whose elements are those of the redacted trees. Without a tree, an element keeps its role and its id only. */
async function redactedAreas(
  areas: readonly ElementArea[],
  treeOf: (uid: string) => Awaitable<Element | undefined>,
): Promise<readonly ElementArea[]> {
  const trees = new Map<string, Element | undefined>()
  for (const { window } of areas) if (!trees.has(window)) trees.set(window, await treeOf(window))
  return areas.map((area) => {
    const tree = trees.get(area.window)
    const shown = tree && nodeAt(tree, area.path)
    const known = shown?.id === area.element.id ? shown : undefined
    return { ...area, element: known ?? { ...area.element, name: '', value: null, description: null, children: [] } }
  })
}

const NOT_TAKEN = 'nothing that has the keyboard takes text; click or focus a field first'
const DETAILS_WITHHELD =
  'this cannot be done on the desktop as it is now; the details are withheld, since the operator hides parts of it'

/**
 * Returns a function that performs actions without revealing hidden text by the clipboard or by an error message. The
 * clipboard is checked on synthetic desktops, where its content is known.
 */
function redactedInput(computer: Computer, rules: RedactionRules): Computer['perform'] {
  const { isHiddenElement, isHiddenTitle, hidesElements } = rules
  const containsHidden = (element: Element): boolean =>
    isHiddenElement(element) || element.children.some(containsHidden)
  const clipboard = new ClipboardGate(
    ({ window, path, element }) =>
      isHiddenTitle(window.title) || containsHidden(element) || chainTo(window.tree, path).some(isHiddenElement),
  )
  return (action, options): Awaitable<PerformResult> => {
    const { simulation } = computer
    if (!simulation || !hidesElements) return performWithoutDetails(computer, action, options)
    const before = simulation.desktop
    clipboard.admit(before, action)
    return andThen(performWithoutDetails(computer, action, options), (performed) => {
      clipboard.note(before, simulation.desktop, action)
      return performed
    })
  }
}

/**
 * Passes on only the code of a computer's fault, since its message may name a hidden element. Keys and texts come from the
 * caller, so their errors are reported in full.
 */
async function performWithoutDetails(
  computer: Computer,
  action: Action,
  options?: PerformOptions,
): Promise<PerformResult> {
  if (action.type === 'key' || action.type === 'hold') parseChord(action.keys)
  if (action.type === 'key_down' || action.type === 'key_up') parseKey(action.key)
  if (action.type === 'type') assertTakesText(action.text)
  if (action.type === 'set_value') assertTakesText(action.value)
  try {
    const performed = await computer.perform(action, options)
    // The note about typed text may name the focused element. Other notes only concern points.
    return performed.note === undefined || action.type !== 'type' ? performed : { ...performed, note: NOT_TAKEN }
  } catch (thrown) {
    if (!(thrown instanceof Fault) || thrown.code === 'Internal') throw thrown
    throw thrown.code === 'BadRequest' ? new Fault('BadRequest', DETAILS_WITHHELD) : new Fault(thrown.code)
  }
}

const MAX_COPIES = 8

/** Allows pasting into visible elements only for text that was copied from a visible element. */
class ClipboardGate {
  /** Newest last. */
  readonly #copied = new Set<string>()
  readonly #isHidden: (ref: ElementRef) => boolean

  /** `isHidden`: whether an element, or a part of it, is hidden from clients. */
  constructor(isHidden: (ref: ElementRef) => boolean) {
    this.#isHidden = isHidden
  }

  /** Throws `PermissionDenied` when the action would show text that may be hidden elsewhere. */
  admit(desktop: Desktop, action: Action): void {
    if (desktop.clipboard === '' || this.#copied.has(desktop.clipboard) || !isPaste(desktop, action)) return
    const ref = focusedRef(desktop)
    if (!ref || takesFiles(ref) || ref.element.traits?.secret || this.#isHidden(ref)) return
    throw new Fault(
      'PermissionDenied',
      'the clipboard may contain text that is hidden on this desktop; copy from a visible element, then paste',
    )
  }

  /** Records the text that an action has copied, or that the caller has put there. */
  note(before: Desktop, after: Desktop, { type }: Action): void {
    if (after.clipboard === before.clipboard) return
    const ref = focusedRef(before)
    if (type !== 'set_clipboard' && (!ref || this.#isHidden(ref))) return
    this.#copied.add(after.clipboard)
    if (this.#copied.size > MAX_COPIES) this.#copied.delete(this.#copied.values().next().value!)
  }
}

function isPaste(desktop: Desktop, given: Action): boolean {
  const action = meaningOf(desktop, given)
  // Typed characters are shortcuts while a modifier is held.
  if (action?.type === 'type') return isCommand(heldModifiers(desktop)) && action.text.toLowerCase().includes('v')
  if (action?.type !== 'key') return false
  const { modifiers, key } = parseChord(action.keys)
  if (key === 'insert') return modifiers.includes('shift')
  return key.toLowerCase() === 'v' && isCommand(modifiers)
}

const isCommand = (modifiers: readonly Modifier[]): boolean => modifiers.includes('ctrl') || modifiers.includes('meta')

/** Lists accept files whose paths are on the clipboard and show no text of it. */
const takesFiles = ({ element }: ElementRef): boolean =>
  ['list', 'listitem', 'tree', 'treeitem'].includes(roleKind(element.role))

/** The members that control a simulation. The others lead to unredacted data. */
const CONTROL_MEMBERS: Readonly<Record<keyof SimulationControl, true>> = {
  scenario: true,
  scenarioHash: true,
  scenarioFile: true,
  isComposed: true,
  task: true,
  state: true,
  states: true,
  oracles: true,
  seed: true,
  variant: true,
  variantWarnings: true,
  stepCount: true,
  elapsedMs: true,
  clockShiftMs: true,
  nextTimerInMs: true,
  countToolCall: true,
  chosenFaults: true,
  faultNames: true,
  firedFaults: true,
  disturbCall: true,
  startScenario: true,
  reset: true,
  rewind: true,
}

/** The control of a simulation as an object of its own, from which the data of the simulation cannot be reached. */
function controlOf(simulation: Simulation): SimulationControl {
  const control = {}
  for (const name of Object.keys(CONTROL_MEMBERS) as (keyof SimulationControl)[]) {
    const member = simulation[name]
    if (typeof member === 'function') Object.defineProperty(control, name, { value: member.bind(simulation) })
    else Object.defineProperty(control, name, { get: () => simulation[name] })
  }
  return control as SimulationControl
}

/** Files, clipboard and run of a simulation, as its oracles read them. */
type Storage = Pick<OracleView, 'file' | 'clipboard'> &
  Pick<ScenarioView, 'probe'> &
  RunFindings &
  StartListing &
  DiskListing &
  VariableListing &
  PageListing

/** The start of a simulation. */
interface StartListing {
  /** Whether each success entry of the oracles held at the start. */
  readonly successAtStart: () => readonly boolean[]
}

/** The variables of a simulation. */
interface VariableListing {
  /** The values by name. A value that a secret field holds is `<filled>`. */
  readonly variables: () => RunData
}

/** The page in front of the browser of a simulation. */
interface PageListing {
  /** The page with its tools. Undefined without a browser. */
  readonly page: () => PageWithTools | undefined
}

/** The files of a simulation. */
interface DiskListing {
  /** The paths below a folder, at any depth, each with whether it is a folder and its size in bytes. */
  readonly filesBelow: (folder: string) => readonly DiskEntry[]
}

export interface DiskEntry {
  readonly path: string
  readonly isFolder: boolean
  readonly bytes: number
}

/** Reads files and clipboard without what `scrub` replaces. */
const storageOf = (simulation: Simulation, scrub: (text: string) => string): Storage => ({
  file: (path) => {
    const files = filesOf(simulation.desktop)
    if (isFile(files, path)) return scrub(readFile(files, path))
    return isFolder(files, path) ? null : undefined
  },
  filesBelow: (folder) => {
    const files = filesOf(simulation.desktop)
    return filePathsBelow(files, folder).map((path) => {
      const text = isFile(files, path) ? scrub(readFile(files, path)) : undefined
      return {
        path: scrub(path),
        isFolder: text === undefined,
        bytes: text === undefined ? 0 : Buffer.byteLength(text),
      }
    })
  },
  clipboard: () => scrub(simulation.desktop.clipboard),
  page: () => {
    const { run } = simulation
    const page = pageWithTools(run)
    const secrets = secretFieldValues(run.desktop)
    return (
      page &&
      (withTexts(page as unknown as DataValue, (text) =>
        scrub(withoutSecrets(text, secrets)),
      ) as unknown as PageWithTools)
    )
  },
  variables: () => {
    const { data, desktop } = simulation.run
    const secrets = secretFieldValues(desktop)
    return withTexts(data, (text) => scrub(withoutSecrets(text, secrets))) as RunData
  },
  successAtStart: () => successAtStart(simulation.firstRun, judgedView(simulation.firstRun)),
  probe: (oracle) => judgedView(probeRun(simulation.run, oracle)),
  ...runFindings(() => simulation.run),
})

/** A value with other texts in it, at any depth. */
function withTexts(value: DataValue, change: (text: string) => string): DataValue {
  if (typeof value === 'string') return change(value)
  if (typeof value !== 'object' || value === null) return value
  if (isList(value)) return value.map((each) => withTexts(each, change))
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withTexts(each, change)]))
}
