import type { Computer, Shot, WindowInfo } from '../../adapters/computer.ts'
import { compilePattern, type Pattern } from '../../base/pattern.ts'
import type { Element } from '../../desktop/element.ts'
import type { Rect } from '../../desktop/geometry.ts'
import { cover, type Picture } from '../../paint/picture.ts'
import type { Settings } from '../settings.ts'

/** What a non-empty secret field shows instead of its value, with or without patterns. */
export const SECRET_SHOWN = '<filled>'

export interface Redaction {
  readonly active: boolean
  readonly status: () => Readonly<Record<string, unknown>>
  /** The computer as everybody but the confirmation gate sees it: nothing hidden leaves it by any way. */
  readonly computer: Computer
  /** Text that was read off pixels. */
  readonly ocrText: (text: string) => string
}

/** Hides what the operator's patterns and `secret` name (observer document, "Redaction"). */
export function redaction(computer: Computer, settings: Settings['redaction']): Redaction {
  const titles = settings.window_title_patterns.map(compilePattern)
  const names = settings.element_name_patterns.map(compilePattern)
  const roles = settings.element_role_patterns.map(compilePattern)
  const ocr = settings.ocr_text_patterns.map(compilePattern)
  const count = titles.length + names.length + roles.length + ocr.length
  const active = settings.enabled && count > 0
  let applied = 0

  const hidden = (text: string) => {
    if (text === '' || text === settings.replacement) return text
    applied++
    return settings.replacement
  }
  const matchesElement = (element: Element) => active && (some(names, element.name) || some(roles, element.role))

  const plain = new WeakMap<Element, Element>()
  const whole = new WeakMap<Element, Element>()

  /** `everything`: the window's title matched, so every node is hidden. */
  function hide(element: Element, everything: boolean): Element {
    const memory = everything ? whole : plain
    const known = memory.get(element)
    if (known) return known
    const children = hideAll(element.children, everything)
    const shown = everything || matchesElement(element) ? hideNode(element) : hideSecret(element)
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

  const hideNode = (element: Element): Element => ({
    ...element,
    name: hidden(element.name),
    value: element.value === null ? null : hidden(element.value),
    description: element.description === null ? null : hidden(element.description),
  })

  const titleHidden = (title: string) => active && some(titles, title)
  const seen = (window: WindowInfo): WindowInfo =>
    titleHidden(window.title) ? { ...window, title: hidden(window.title) } : window

  async function tree(uid: string): Promise<Element | undefined> {
    const raw = await computer.tree(uid)
    if (!raw) return undefined
    if (!active) return hide(raw, false)
    const window = (await computer.windows()).find((each) => each.uid === uid)
    return hide(raw, window !== undefined && titleHidden(window.title))
  }

  return {
    active,
    status: () =>
      count === 0
        ? { enabled: false, active: false, secrets: true }
        : {
            enabled: settings.enabled,
            active,
            patterns_count: count,
            applied_count: applied,
            blur_screenshots: settings.blur_screenshots,
            secrets: true,
          },
    ocrText: (text) => (active && some(ocr, text) ? hidden(text) : text),
    computer: Object.assign(forward(computer), {
      windows: async () => (await computer.windows()).map(seen),
      tree,
      screenshot: async (of: Shot) => {
        const picture = await computer.screenshot(of)
        if (!active) return picture
        const boxes = await hiddenBoxes(computer, of, matchesElement, titleHidden)
        const text = picture.text?.map((run) =>
          boxes.some((box) => overlaps(box, run.bounds)) || some(ocr, run.text)
            ? { ...run, text: hidden(run.text) }
            : run,
        )
        const covered: Picture = settings.blur_screenshots ? cover(picture, boxes) : picture
        return text ? { ...forwardPicture(covered), text } : covered
      },
    } satisfies Partial<Computer>),
  }
}

const some = (patterns: readonly Pattern[], text: string): boolean => patterns.some((pattern) => pattern.search(text))

const hideSecret = (element: Element): Element =>
  element.traits?.secret && element.value !== null && element.value !== '' && element.value !== SECRET_SHOWN
    ? { ...element, value: SECRET_SHOWN }
    : element

const overlaps = (a: Rect, b: Rect): boolean =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height

/** The boxes of hidden elements, in the coordinates of the picture. */
async function hiddenBoxes(
  computer: Computer,
  of: Shot,
  matches: (element: Element) => boolean,
  titleHidden: (title: string) => boolean,
): Promise<readonly Rect[]> {
  const boxes: Rect[] = []
  const windows = await computer.windows()
  const origin =
    'window' in of
      ? windows.find((window) => window.uid === of.window)?.bounds
      : 'area' in of
        ? of.area
        : (await computer.monitors()).find((monitor) => monitor.primary)?.bounds
  for (const window of windows) {
    if ('window' in of && window.uid !== of.window) continue
    if (titleHidden(window.title)) {
      boxes.push(window.bounds)
      continue
    }
    const tree = await computer.tree(window.uid)
    if (tree) collect(tree, matches, boxes)
  }
  return boxes.map((box) => ({ ...box, x: box.x - (origin?.x ?? 0), y: box.y - (origin?.y ?? 0) }))
}

function collect(element: Element, matches: (element: Element) => boolean, boxes: Rect[]): void {
  if (matches(element)) boxes.push(element.bounds)
  for (const child of element.children) collect(child, matches, boxes)
}

/** The members of a computer one by one, since a class instance does not spread. */
const forward = (computer: Computer): Computer => ({
  about: computer.about,
  monitors: () => computer.monitors(),
  windows: () => computer.windows(),
  tree: (uid) => computer.tree(uid),
  screenshot: (of) => computer.screenshot(of),
  perform: (action) => computer.perform(action),
  close: () => computer.close(),
  get stage() {
    return computer.stage
  },
})

const forwardPicture = (picture: Picture): Picture => ({
  width: picture.width,
  height: picture.height,
  pixels: () => picture.pixels(),
  png: () => picture.png(),
})
