import { type Computer, type ScreenshotTarget, screenArea, type WindowInfo } from '../../../adapters/computer.ts'
import { orElse } from '../../../base/async.ts'
import { Fault } from '../../../base/fault.ts'
import { captionPlace, type NamePlacement, namePlacements } from '../../../desktop/caption.ts'
import type { Element } from '../../../desktop/model/element.ts'
import { encloses, intersect, type Rect, translate } from '../../../desktop/model/geometry.ts'
import { cover, crop, type Picture, type TextRun } from '../../../paint/picture.ts'
import type { RedactionRules } from './rules.ts'

/** Stands for hidden text, whose length it does not reveal. */
const HIDDEN_TEXT = 'hidden'

/** A caption is a line of text that may be higher than its place. A fixed margin keeps the box independent of the text. */
const CAPTION_MARGIN = 2

/**
 * Takes a picture without the text of hidden elements. It shows the screen as it is, without the faults of a scenario,
 * since the places of hidden elements are known for that only.
 * @param covers Also paints hidden elements over.
 */
export async function redactedPicture(
  computer: Computer,
  rules: RedactionRules,
  of: ScreenshotTarget,
  covers: boolean,
): Promise<Picture> {
  // A part of the screen is cropped from its redacted monitor: no pattern would match text that is cut at the edge.
  const monitor = 'area' in of ? await monitorOf(computer, of.area) : undefined
  if (!('area' in of) || !monitor)
    return redact(computer, rules, await computer.screenshot({ ...of, actual: true }), of, covers)
  const whole = { area: monitor }
  const picture = await redact(computer, rules, await computer.screenshot({ ...whole, actual: true }), whole, covers)
  return crop(picture, translate(of.area, -monitor.x, -monitor.y))
}

async function redact(
  computer: Computer,
  rules: RedactionRules,
  picture: Picture,
  of: ScreenshotTarget,
  covers: boolean,
): Promise<Picture> {
  const { replace, scrub, isHiddenTitle, isHiddenName } = rules
  const windows = await computer.windows()
  const boxes = await hiddenBoxes(computer, rules, of, windows)
  const titles = windows.filter(({ title }) => isHiddenTitle(title)).map(({ title }) => title)
  const isHidden = ({ text }: TextRun): boolean => isHiddenName(text) || titles.some((title) => showsTitle(text, title))
  const runs = picture.text ?? []
  const inBoxes = new Set(runs.filter(({ bounds }) => boxes.some((box) => intersect(box, bounds))))
  const text = runs.flatMap((run): TextRun | readonly TextRun[] => {
    if (inBoxes.has(run)) return []
    return withRunText(run, isHidden(run) ? replace(run.text) : scrub(run.text))
  })
  for (const box of outermost(boxes))
    if ([...inBoxes].some(({ bounds }) => intersect(box, bounds)))
      text.push({ text: replace(HIDDEN_TEXT), bounds: intersect(box, areaOf(picture)) ?? box })
  const redactedText = picture.text ? text : undefined
  if (!covers) return redactedText ? withText(picture, redactedText) : picture
  const covered = runs.filter((run) => inBoxes.has(run) || isHidden(run) || scrub(run.text) !== run.text)
  return withText(cover(picture, [...boxes, ...covered.map(({ bounds }) => bounds)]), redactedText)
}

/** Whether a painted text is that title, perhaps cut short, as on the button of a window. */
const showsTitle = (text: string, title: string): boolean =>
  text === title || (text.endsWith('…') && title.startsWith(text.slice(0, -1)))

/** The boxes of hidden elements and windows, in the coordinates of the picture. */
async function hiddenBoxes(
  computer: Computer,
  { isHiddenElement, isHiddenTitle }: RedactionRules,
  of: ScreenshotTarget,
  windows: readonly WindowInfo[],
): Promise<readonly Rect[]> {
  const boxes: Rect[] = []
  const origin =
    'window' in of
      ? windows.find((window) => window.uid === of.window)?.bounds
      : 'area' in of
        ? of.area
        : screenArea(computer.info.synthetic, await computer.monitors())
  const shown = windows.filter(({ uid }) => !('window' in of) || uid === of.window)
  // Programs are queried at the same time, so that none delays another.
  const trees = await Promise.all(
    shown.map(({ uid, title }) =>
      isHiddenTitle(title)
        ? 'unreadable'
        : orElse<Element | 'unreadable' | undefined>(() => computer.tree(uid, { actual: true }), unreadable),
    ),
  )
  for (const [index, { bounds }] of shown.entries()) {
    const tree = trees[index]
    if (tree === 'unreadable') boxes.push(bounds)
    else if (tree) collectBoxes(tree, isHiddenElement, boxes, computer.info.synthetic)
  }
  return boxes.map((box) => ({ ...box, x: box.x - (origin?.x ?? 0), y: box.y - (origin?.y ?? 0) }))
}

/** A window whose program does not return its tree may show anything, so it is hidden as a whole. */
function unreadable(thrown: unknown): 'unreadable' {
  if (thrown instanceof Fault && thrown.code !== 'Internal') return 'unreadable'
  throw thrown
}

/** `hasCaptions`: fields have captions beside them, as the painter of synthetic desktops writes them. */
function collectBoxes(
  element: Element,
  isHidden: (element: Element) => boolean,
  boxes: Rect[],
  hasCaptions: boolean,
): void {
  const hides = isHidden(element)
  if (hides) boxes.push(element.bounds)
  const isHiddenInside = hides ? () => true : isHidden
  const placementOf = namePlacements(element, element.bounds)
  for (const child of element.children) {
    if (hasCaptions && isHiddenInside(child)) boxes.push(...captionBoxes(child, placementOf(child)))
    collectBoxes(child, isHiddenInside, boxes, hasCaptions)
  }
}

function captionBoxes(element: Element, placement: NamePlacement): readonly Rect[] {
  if (placement === 'shown' || placement === 'inside') return []
  const { x, y, width, height } = captionPlace(element, placement)
  return [{ x, y: y - CAPTION_MARGIN, width, height: height + 2 * CAPTION_MARGIN }]
}

/** The monitor that contains an area. */
const monitorOf = async (computer: Computer, area: Rect): Promise<Rect | undefined> =>
  (await computer.monitors()).map(({ bounds }) => bounds).find((bounds) => encloses(bounds, area))

/** The boxes that lie in no other box. */
const outermost = (boxes: readonly Rect[]): readonly Rect[] =>
  boxes.filter(
    (box, index) =>
      !boxes.some((other, at) => at !== index && encloses(other, box) && (at < index || !encloses(box, other))),
  )

const areaOf = ({ width, height }: Picture): Rect => ({ x: 0, y: 0, width, height })

/** A run with another text, as wide as that text. */
function withRunText(run: TextRun, text: string): TextRun {
  if (text === run.text) return run
  const width = Math.ceil((run.bounds.width * text.length) / Math.max(1, run.text.length))
  return { text, bounds: { ...run.bounds, width } }
}

/** The picture with other text. Members are copied one by one, since a picture may be an instance of a class. */
const withText = (picture: Picture, text: readonly TextRun[] | undefined): Picture => ({
  width: picture.width,
  height: picture.height,
  pixels: () => picture.pixels(),
  png: () => picture.png(),
  ...(picture.base64 && { base64: () => picture.base64!() }),
  ...(text && { text }),
})
