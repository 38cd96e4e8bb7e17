import type { Computer, Shot, WindowInfo } from '../../adapters/computer.ts'
import { type Awaitable, andThen } from '../../base/awaitable.ts'
import { Fault } from '../../base/fault.ts'
import { compilePattern, type Pattern, UNLIMITED } from '../../base/pattern.ts'
import type { Action } from '../../desktop/action.ts'
import type { Element } from '../../desktop/element.ts'
import { intersect, type Rect } from '../../desktop/geometry.ts'
import { holding } from '../../desktop/holding.ts'
import { cover, type Picture, type TextRun } from '../../paint/picture.ts'
import type { Settings } from '../settings.ts'

/** What a non-empty secret field shows instead of its value, with or without patterns. */
const SECRET_SHOWN = '<filled>'

export interface Redaction {
  readonly active: boolean
  readonly status: () => Readonly<Record<string, unknown>>
  /** The computer as everybody but the confirmation gate sees it: nothing hidden leaves it by any way. */
  readonly computer: Computer
  /** Text that came from elsewhere, such as what was read off pixels, without what the text patterns match. */
  readonly text: (text: string) => string
  /** What may be told of a file or of the clipboard: nothing while elements are hidden, since it may be copied from one. */
  readonly stored: (text: string) => string
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

  /** `everything`: the window's title matched, so every node is hidden. */
  function hide(element: Element, everything: boolean): Element {
    // Without patterns nothing but a secret is hidden, and most leaves are not worth remembering.
    if (!active && element.children.length === 0 && !element.traits?.secret) return element
    const memory = everything ? whole : plain
    const known = memory.get(element)
    if (known) return known
    const children = hideAll(element.children, everything)
    const shown = everything || isHidden(element) ? hideNode(element) : scrubNode(hideSecret(element))
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

  function scrubNode(element: Element): Element {
    const name = scrub(element.name)
    const value = element.value === null ? null : scrub(element.value)
    const description = element.description === null ? null : scrub(element.description)
    const same = name === element.name && value === element.value && description === element.description
    return same ? element : { ...element, name, value, description }
  }

  const titleOf = (title: string): string => (isHiddenTitle(title) ? hidden(title) : scrub(title))

  const tree = (uid: string): Awaitable<Element | undefined> =>
    andThen(computer.tree(uid), (raw) => {
      if (!raw) return undefined
      if (!active && !holdsSecret(raw)) return raw
      if (titles.length === 0) return hide(raw, false)
      return andThen(computer.windows(), (windows) => {
        const window = windows.find((each) => each.uid === uid)
        return hide(raw, window !== undefined && isHiddenTitle(window.title))
      })
    })

  async function withoutHidden(picture: Picture, of: Shot): Promise<Picture> {
    const windows = await computer.windows()
    const boxes = await hiddenBoxes(computer, of, windows, isHidden, isHiddenTitle)
    const secrets = windows.filter(({ title }) => isHiddenTitle(title)).map(({ title }) => title)
    const isShownBy = ({ text, bounds }: TextRun): boolean =>
      boxes.some((box) => intersect(box, bounds)) || some(names, text) || secrets.some((title) => tells(text, title))
    const runs = picture.text ?? []
    const text = runs.map((run) => ({ ...run, text: isShownBy(run) ? hidden(run.text) : scrub(run.text) }))
    if (!settings.blur_screenshots) return picture.text ? withText(picture, text) : picture
    const bare = runs.filter((run, index) => run.text !== text[index]!.text).map(({ bounds }) => bounds)
    return withText(cover(picture, [...boxes, ...bare]), text)
  }

  /** What a computer complains about may name the element, so only the kind of the complaint is passed on. */
  async function performUntold(action: Action) {
    try {
      return await computer.perform(action)
    } catch (thrown) {
      if (!(thrown instanceof Fault) || thrown.code === 'Internal') throw thrown
      throw new Fault(thrown.code)
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
    stored: (text) => (active && count > texts.length ? hidden(text) : text),
    computer: {
      about: computer.about,
      monitors: () => computer.monitors(),
      windows: () => {
        if (!active) return computer.windows()
        return andThen(computer.windows(), (windows) =>
          windows.map((window) => ({ ...window, title: titleOf(window.title) })),
        )
      },
      tree,
      screenshot: (of) =>
        andThen(computer.screenshot(of), (picture) => (active ? withoutHidden(picture, of) : picture)),
      perform: active ? performUntold : (action) => computer.perform(action),
      close: () => computer.close(),
      get stage() {
        return computer.stage
      },
    },
  }
}

const holdsSecret = holding('special', ({ traits }) => traits?.secret === true)

const some = (patterns: readonly Pattern[], text: string): boolean =>
  patterns.some((pattern) => pattern.search(text, UNLIMITED))

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
  of: Shot,
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
        : (await computer.monitors()).find((monitor) => monitor.primary)?.bounds
  for (const window of windows) {
    if ('window' in of && window.uid !== of.window) continue
    if (isHiddenTitle(window.title)) {
      boxes.push(window.bounds)
      continue
    }
    const tree = await computer.tree(window.uid)
    if (tree) collect(tree, isHidden, boxes)
  }
  return boxes.map((box) => ({ ...box, x: box.x - (origin?.x ?? 0), y: box.y - (origin?.y ?? 0) }))
}

function collect(element: Element, isHidden: (element: Element) => boolean, boxes: Rect[]): void {
  if (isHidden(element)) boxes.push(element.bounds)
  for (const child of element.children) collect(child, isHidden, boxes)
}

/** The picture with other words for its text; its members one by one, since they may be a class instance's. */
const withText = (picture: Picture, text: readonly TextRun[]): Picture => ({
  width: picture.width,
  height: picture.height,
  pixels: () => picture.pixels(),
  png: () => picture.png(),
  ...(picture.base64 && { base64: () => picture.base64!() }),
  text,
})
