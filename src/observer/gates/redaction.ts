import {
  type Computer,
  type PerformOptions,
  type ScreenshotTarget,
  type Simulation,
  type SimulationControl,
  screenArea,
  type TreeOptions,
  type WindowInfo,
} from '../../adapters/computer.ts'
import { type Awaitable, andThen, orElse } from '../../base/awaitable.ts'
import { Fault } from '../../base/fault.ts'
import { compilePattern, type Pattern, UNLIMITED_MATCHING } from '../../base/pattern/pattern.ts'
import { isFile, isFolder, readFile } from '../../desktop/files/files.ts'
import type { Action } from '../../desktop/input/action.ts'
import { assertTakesText } from '../../desktop/input/keyboard.ts'
import { parseChord } from '../../desktop/input/keys.ts'
import { filesOf } from '../../desktop/model/desktop.ts'
import type { Element } from '../../desktop/model/element.ts'
import { encloses, intersect, type Rect, translate } from '../../desktop/model/geometry.ts'
import { captionPlace, type NamePlacement, namePlacements } from '../../desktop/tree/caption.ts'
import { chainTo } from '../../desktop/tree/element-ref.ts'
import { subtreePredicate } from '../../desktop/tree/subtree-predicate.ts'
import { cover, crop, type Picture, type TextRun } from '../../paint/picture.ts'
import type { OracleView } from '../../scenario/oracle.ts'
import type { Settings } from '../session/settings.ts'
import { ClipboardGate } from './clipboard.ts'

/** What a non-empty secret field shows instead of its value, with or without patterns. */
const SECRET_SHOWN = '<filled>'

/** A computer that shows nothing hidden, in whatever way it is asked. */
export interface RedactedComputer extends Omit<Computer, 'simulation'> {
  /** Undefined on a real desktop. */
  readonly simulation: SimulationControl | undefined
}

export interface Redaction {
  readonly active: boolean
  readonly status: () => Readonly<Record<string, unknown>>
  readonly computer: RedactedComputer
  /** A picture to read text off: what is hidden is painted over, also where screenshots show it. */
  readonly legible: (of: ScreenshotTarget) => Awaitable<Picture>
  /** Text that came from elsewhere, such as what was read off pixels, without what the text patterns match. */
  readonly text: (text: string) => string
  /** Files and clipboard of a synthetic desktop, without what the text patterns match; empty on a real one. */
  readonly storage: Pick<OracleView, 'file' | 'clipboard'>
  /** Whether elements or windows are hidden, so that files and the clipboard may hold what was copied from one. */
  readonly hidesElements: boolean
}

/** Hides what the operator's patterns and `secret` name (observer document, "Redaction"). */
export function redaction(computer: Computer, settings: Settings['redaction']): Redaction {
  const titles = settings.window_title_patterns.map(compilePattern)
  const names = settings.element_name_patterns.map(compilePattern)
  const roles = settings.element_role_patterns.map(compilePattern)
  const texts = settings.ocr_text_patterns.map(compilePattern)
  const count = titles.length + names.length + roles.length + texts.length
  const active = settings.enabled && count > 0
  let applied = 0

  const hidden = (text: string): string => {
    if (text === '' || text === settings.replacement) return text
    applied++
    return settings.replacement
  }
  const scrub = (text: string): string => {
    if (!active || !some(texts, text)) return text
    applied++
    return texts.reduce((rest, pattern) => pattern.replace(rest, settings.replacement), text)
  }
  const isHidden = ({ name, role }: Element): boolean => active && (some(names, name) || some(roles, role))
  const isHiddenTitle = (title: string): boolean => active && some(titles, title)

  const plain = new WeakMap<Element, Element>()
  const whole = new WeakMap<Element, Element>()

  /** `everything`: the window's title or an element above matched, so every node is hidden. */
  function hide(element: Element, everything: boolean): Element {
    // Without patterns nothing but a secret is hidden, and most leaves are not worth remembering.
    if (!active && element.children.length === 0 && !element.traits?.secret) return element
    const memory = everything ? whole : plain
    const known = memory.get(element)
    if (known) return known
    const hides = everything || isHidden(element)
    const children = hideAll(element.children, hides)
    const shown = everything ? hidePart(element) : hides ? hideNode(element) : scrubNode(hideSecret(element))
    const result = shown === element && children === element.children ? element : { ...shown, children }
    memory.set(element, result)
    return result
  }

  function hideAll(children: readonly Element[], everything: boolean): readonly Element[] {
    let changed = false
    const hiddenChildren = children.map((child) => {
      const result = hide(child, everything)
      changed ||= result !== child
      return result
    })
    return changed ? hiddenChildren : children
  }

  function hideNode({ valueNow: _now, valueMin: _min, valueMax: _max, ...element }: Element): Element {
    return {
      ...element,
      name: hidden(element.name),
      value: element.value === null ? null : hidden(element.value),
      description: element.description === null ? null : hidden(element.description),
    }
  }

  /** Which items of a hidden list are chosen tells its value. */
  function hidePart(element: Element): Element {
    const { selected: _selected, identifier: _identifier, ...hidden } = hideNode(element)
    return { ...hidden, keyboardShortcut: null }
  }

  function scrubNode(element: Element): Element {
    const name = scrub(element.name)
    const value = element.value === null ? null : scrub(element.value)
    const description = element.description === null ? null : scrub(element.description)
    const same = name === element.name && value === element.value && description === element.description
    return same ? element : { ...element, name, value, description }
  }

  const titleOf = (title: string): string => (isHiddenTitle(title) ? hidden(title) : scrub(title))

  const tree = (uid: string, options?: TreeOptions): Awaitable<Element | undefined> =>
    andThen(computer.tree(uid, options), (raw) => {
      if (!raw) return undefined
      if (!active && !holdsSecret(raw)) return raw
      if (titles.length === 0) return hide(raw, false)
      return andThen(computer.windows(), (windows) => {
        const window = windows.find((each) => each.uid === uid)
        return hide(raw, window !== undefined && isHiddenTitle(window.title))
      })
    })

  /** `covers`: what is hidden is painted over. The words that stand for it tell nothing of its length. */
  async function withoutHidden(picture: Picture, of: ScreenshotTarget, covers: boolean): Promise<Picture> {
    const windows = await computer.windows()
    const boxes = await hiddenBoxes(computer, of, windows, isHidden, isHiddenTitle)
    const secrets = windows.filter(({ title }) => isHiddenTitle(title)).map(({ title }) => title)
    const tellsHidden = ({ text }: TextRun): boolean => some(names, text) || secrets.some((title) => tells(text, title))
    const runs = picture.text ?? []
    const inBoxes = new Set(runs.filter(({ bounds }) => boxes.some((box) => intersect(box, bounds))))
    const text = runs.flatMap((run): TextRun | readonly TextRun[] => {
      if (inBoxes.has(run)) return []
      return asLongAs(run, tellsHidden(run) ? hidden(run.text) : scrub(run.text))
    })
    for (const box of outermost(boxes))
      if ([...inBoxes].some(({ bounds }) => intersect(box, bounds)))
        text.push({ text: hidden(HIDDEN_TEXT), bounds: intersect(box, wholeOf(picture)) ?? box })
    const told = picture.text ? text : undefined
    if (!covers) return told ? withText(picture, told) : picture
    const bare = runs.filter((run) => inBoxes.has(run) || tellsHidden(run) || scrub(run.text) !== run.text)
    return withText(cover(picture, [...boxes, ...bare.map(({ bounds }) => bounds)]), told)
  }

  /** A part of the screen is cut out of its redacted monitor: no pattern fits a text that is cut first. */
  async function shotWithoutHidden(of: ScreenshotTarget, covers: boolean): Promise<Picture> {
    const screen = 'area' in of ? await screenAround(computer, of.area) : undefined
    if (!('area' in of) || !screen) return withoutHidden(await computer.screenshot(of), of, covers)
    const whole = { area: screen }
    const picture = await withoutHidden(await computer.screenshot(whole), whole, covers)
    return crop(picture, translate(of.area, -screen.x, -screen.y))
  }

  const hidesElements = active && count > texts.length
  const clipboard = new ClipboardGate(
    ({ window, path, element }) =>
      isHiddenTitle(window.title) || holdsHidden(element) || chainTo(window.tree, path).some(isHidden),
  )
  const holdsHidden = (element: Element): boolean => isHidden(element) || element.children.some(holdsHidden)

  /** On a synthetic desktop, where the clipboard is known, hidden texts are not pasted into shown elements. */
  function performGuarded(action: Action, options?: PerformOptions) {
    const { simulation } = computer
    if (!simulation || !hidesElements) return performUntold(action, options)
    const before = simulation.desktop
    clipboard.admit(before, action)
    return andThen(performUntold(action, options), (performed) => {
      clipboard.note(before, simulation.desktop)
      return performed
    })
  }

  /**
   * What a computer complains about may name a hidden element, so only the kind of the complaint is passed on. Keys and
   * texts are the caller's own, and what is wrong with them is said.
   */
  async function performUntold(action: Action, options?: PerformOptions) {
    if (action.type === 'key') parseChord(action.keys)
    if (action.type === 'type') assertTakesText(action.text)
    if (action.type === 'set_value') assertTakesText(action.value)
    try {
      const performed = await computer.perform(action, options)
      // Where a point lies is no secret; what has the keyboard may be.
      return performed.note === undefined || action.type !== 'type' ? performed : { ...performed, note: NOT_TAKEN }
    } catch (thrown) {
      if (!(thrown instanceof Fault) || thrown.code === 'Internal') throw thrown
      throw thrown.code === 'BadRequest' ? new Fault('BadRequest', UNTOLD) : new Fault(thrown.code)
    }
  }

  return {
    active,
    status: () => ({
      enabled: settings.enabled && count > 0,
      active,
      secrets: true,
      ...(count > 0 && {
        patterns_count: count,
        applied_count: applied,
        blur_screenshots: settings.blur_screenshots,
      }),
    }),
    text: scrub,
    hidesElements,
    storage: computer.simulation ? storageOf(computer.simulation, scrub) : {},
    legible: (of) => (active ? shotWithoutHidden(of, true) : computer.screenshot(of)),
    computer: {
      info: computer.info,
      monitors: () => computer.monitors(),
      windows: () => {
        if (!active) return computer.windows()
        return andThen(computer.windows(), (windows) =>
          windows.map((window) => ({ ...window, title: titleOf(window.title) })),
        )
      },
      tree,
      screenshot: (of) => (active ? shotWithoutHidden(of, settings.blur_screenshots) : computer.screenshot(of)),
      perform: active ? performGuarded : (action, options) => computer.perform(action, options),
      close: () => computer.close(),
      simulation: computer.simulation && controlOf(computer.simulation),
    },
  }
}

/** The control of a simulation by itself, so that its data cannot be reached from it. */
const controlOf = (simulation: Simulation): SimulationControl => ({
  get scenario() {
    return simulation.scenario
  },
  get task() {
    return simulation.task
  },
  get state() {
    return simulation.state
  },
  get states() {
    return simulation.states
  },
  get oracles() {
    return simulation.oracles
  },
  get seed() {
    return simulation.seed
  },
  get stepCount() {
    return simulation.stepCount
  },
  get elapsedMs() {
    return simulation.elapsedMs
  },
  get nextTimerInMs() {
    return simulation.nextTimerInMs
  },
  takePlannedFault: (tool) => simulation.takePlannedFault(tool),
  startScenario: (scenario, seed) => simulation.startScenario(scenario, seed),
  reset: (seed) => simulation.reset(seed),
  rewind: (toStep) => simulation.rewind(toStep),
})

const storageOf = (simulation: Simulation, scrub: (text: string) => string): Redaction['storage'] => ({
  file: (path) => {
    const files = filesOf(simulation.desktop)
    if (isFile(files, path)) return scrub(readFile(files, path))
    return isFolder(files, path) ? null : undefined
  },
  clipboard: () => scrub(simulation.desktop.clipboard),
})

const holdsSecret = subtreePredicate('special', ({ traits }) => traits?.secret === true)

const some = (patterns: readonly Pattern[], text: string): boolean =>
  patterns.some((pattern) => pattern.search(text, UNLIMITED_MATCHING))

/** Whether a painted text is that title, perhaps cut short, as on the button of a window. */
const tells = (text: string, title: string): boolean =>
  text === title || (text.endsWith('…') && title.startsWith(text.slice(0, -1)))

const hideSecret = (element: Element): Element =>
  element.traits?.secret && element.value !== null && element.value !== '' && element.value !== SECRET_SHOWN
    ? { ...element, value: SECRET_SHOWN }
    : element

/** The boxes of hidden elements and windows, in the coordinates of the picture. */
async function hiddenBoxes(
  computer: Computer,
  of: ScreenshotTarget,
  windows: readonly WindowInfo[],
  isHidden: (element: Element) => boolean,
  isHiddenTitle: (title: string) => boolean,
): Promise<readonly Rect[]> {
  const boxes: Rect[] = []
  const origin =
    'window' in of
      ? windows.find((window) => window.uid === of.window)?.bounds
      : 'area' in of
        ? of.area
        : screenArea(computer.info.synthetic, await computer.monitors())
  const shown = windows.filter(({ uid }) => !('window' in of) || uid === of.window)
  // Programs are asked at the same time, so that none delays another.
  const trees = await Promise.all(
    shown.map(({ uid, title }) =>
      isHiddenTitle(title)
        ? 'unreadable'
        : orElse<Element | 'unreadable' | undefined>(() => computer.tree(uid), unreadable),
    ),
  )
  for (const [index, { bounds }] of shown.entries()) {
    const tree = trees[index]
    if (tree === 'unreadable') boxes.push(bounds)
    else if (tree) collect(tree, isHidden, boxes, computer.info.synthetic)
  }
  return boxes.map((box) => ({ ...box, x: box.x - (origin?.x ?? 0), y: box.y - (origin?.y ?? 0) }))
}

/** A window whose program does not tell what is in it may show anything, so that it is hidden whole. */
function unreadable(thrown: unknown): 'unreadable' {
  if (thrown instanceof Fault && thrown.code !== 'Internal') return 'unreadable'
  throw thrown
}

/** `captioned`: fields have captions beside them, as the painter of synthetic desktops writes them. */
function collect(element: Element, isHidden: (element: Element) => boolean, boxes: Rect[], captioned: boolean): void {
  const hides = isHidden(element)
  if (hides) boxes.push(element.bounds)
  const inside = hides ? always : isHidden
  const namingOf = namePlacements(element, element.bounds)
  for (const child of element.children) {
    if (captioned && inside(child)) boxes.push(...captionBoxes(child, namingOf(child)))
    collect(child, inside, boxes, captioned)
  }
}

/** The height of a line of text beyond that of the place it is painted in, so that the box does not depend on the words. */
const RIM = 2

function captionBoxes(element: Element, naming: NamePlacement): readonly Rect[] {
  if (naming === 'said' || naming === 'inside') return []
  const { x, y, width, height } = captionPlace(element, naming)
  return [{ x, y: y - RIM, width, height: height + 2 * RIM }]
}

/** The monitor that an area lies on. */
const screenAround = async (computer: Computer, area: Rect): Promise<Rect | undefined> =>
  (await computer.monitors()).map(({ bounds }) => bounds).find((bounds) => encloses(bounds, area))

const always = (): boolean => true

/** The boxes that lie in no other. */
const outermost = (boxes: readonly Rect[]): readonly Rect[] =>
  boxes.filter(
    (box, index) =>
      !boxes.some((other, at) => at !== index && encloses(other, box) && (at < index || !encloses(box, other))),
  )

const wholeOf = ({ width, height }: Picture): Rect => ({ x: 0, y: 0, width, height })

const NOT_TAKEN = 'nothing that has the keyboard takes text; click or focus a field first'
const UNTOLD =
  'this cannot be done on the desktop as it is now; the details are withheld, since the operator hides parts of it'

/** Any text; what stands for hidden text does not depend on it. */
const HIDDEN_TEXT = 'hidden'

/** A run with another text, as wide as that text is then. */
function asLongAs(run: TextRun, text: string): TextRun {
  if (text === run.text) return run
  const width = Math.ceil((run.bounds.width * text.length) / Math.max(1, run.text.length))
  return { text, bounds: { ...run.bounds, width } }
}

/** The picture with other words for its text; its members one by one, since they may be a class instance's. */
const withText = (picture: Picture, text: readonly TextRun[] | undefined): Picture => ({
  width: picture.width,
  height: picture.height,
  pixels: () => picture.pixels(),
  png: () => picture.png(),
  ...(picture.base64 && { base64: () => picture.base64!() }),
  ...(text && { text }),
})
