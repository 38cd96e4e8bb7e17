import type { ScreenshotTarget } from '../adapters/computer.ts'
import { type Awaitable, andThen } from '../base/async.ts'
import { isNamed } from '../base/strings.ts'
import { type Element, nodeAt } from '../desktop/model/element.ts'
import { intersect, type Rect, translate } from '../desktop/model/geometry.ts'
import { querySelectorAll } from '../desktop/tree/select.ts'
import type { ElementArea } from '../paint/annotations/areas.ts'
import { isNamedByCells } from '../paint/outline.ts'
import type { SeenOracle } from '../scenario/schema/oracles.ts'
import { type OracleContext, scenarioView } from './oracles.ts'
import type { PassesOn, ToolResult } from './result.ts'
import type { ToolInfo, ToolTraits } from './tool.ts'

/** Decides what of the screen an answer shows to the agent that gets it, for oracles of the kind `seen`. */

/** The answer of a tool. */
export interface ToolAnswer {
  readonly tool: ToolInfo & { readonly traits: ToolTraits }
  readonly body: ToolResult
  /** What of it the agent gets. */
  readonly passesOn: Exclude<PassesOn, 'nothing'>
}

/** Whether an oracle asks for something that no observation has had yet. */
export const isLookedFor = ({ computer, episode }: OracleContext): boolean =>
  computer.simulation?.oracles.seen.some((oracle) => !episode.hasSeen(oracle)) ?? false

/** Notes the oracles whose element the answer of a tool shows: in words, or in a picture. */
export function noteAnswer(context: OracleContext, { tool, body, passesOn }: ToolAnswer): Awaitable<void> {
  const pictured = picturedBy(tool, body)
  const areas = pictured && context.computer.elementAreas?.(pictured.of)
  return andThen(areas, (shown) =>
    noteWhere(context, (element, window, { region }) => {
      const area = pictured && shown?.find((each) => each.window === window && isSameText(each.element, element))
      if (area && isInPicture(area, pictured, region, context.computer.info.mirrored)) return true
      return region === undefined && passesOn === 'everything' && isInWords(element, body)
    }),
  )
}

/** Notes the oracles whose element is in a text that an endpoint has made of the answers of tools. */
export const noteText = (context: OracleContext, text: string): Awaitable<void> =>
  isLookedFor(context)
    ? noteWhere(context, (element, _, { region }) => region === undefined && isInWords(element, text))
    : undefined

type IsShown = (element: Element, window: string, oracle: SeenOracle) => boolean

/** Elements beyond these are not the one that decides a task. */
const MAX_ELEMENTS = 50

/** Notes the oracles that have a shown element among those that they name on the desktop as it is now. */
function noteWhere(context: OracleContext, isShown: IsShown): Awaitable<void> {
  const { computer, episode } = context
  const { oracles, stepCount } = computer.simulation!
  const view = scenarioView(context)
  const lookIn = (uid: string): Awaitable<void> =>
    andThen(view.tree(uid), (tree) => {
      for (const oracle of tree ? oracles.seen : []) {
        if (episode.hasSeen(oracle) || (oracle.window_uid ?? uid) !== uid) continue
        const named = querySelectorAll(tree!, oracle.selector).slice(0, MAX_ELEMENTS)
        if (named.some(({ path }) => isShown(nodeAt(tree!, path)!, uid, oracle))) episode.noteSeen(oracle, stepCount)
      }
    })
  return andThen(view.windows(), (windows) =>
    windows.reduce<Awaitable<void>>((done, { uid }) => andThen(done, () => lookIn(uid)), undefined),
  )
}

const isSameText = (one: Element, other: Element): boolean =>
  one.id === other.id && one.name === other.name && one.value === other.value

/** What a picture in an answer shows. */
interface Pictured {
  readonly of: ScreenshotTarget
  /** The part of it that was cut out, in its pixels. */
  readonly part?: Rect | undefined
  /** How much smaller it is than the screen. */
  readonly scale: number
}

/** Tools that read a picture, and give its words instead of it. */
const READERS: readonly string[] = ['get_ocr']

function picturedBy({ name, traits }: ToolAnswer['tool'], body: ToolResult): Pictured | undefined {
  if (!traits.picture && !READERS.includes(name)) return undefined
  const { region, relative_to, source_bbox, window_uid, width } = body as {
    readonly region?: Rect
    readonly relative_to?: 'window' | 'screen'
    readonly source_bbox?: Rect
    readonly window_uid?: string
    readonly width?: number
  }
  const scaleOf = (whole: Rect | undefined) => (whole && width !== undefined ? width / whole.width : 1)
  if (region) return { of: { area: region }, scale: scaleOf(region) }
  if (relative_to === 'screen' && source_bbox) return { of: { area: source_bbox }, scale: scaleOf(source_bbox) }
  const of = window_uid === undefined ? ({ screen: true } as const) : { window: window_uid }
  return { of, part: source_bbox, scale: scaleOf(source_bbox) }
}

/** A picture that is smaller than this share of the screen cannot be read. */
const MIN_SCALE = 0.25

/** Whether at least half of an element is visible in a picture, or all of a region of it. */
function isInPicture(
  { parts, bounds, element }: ElementArea,
  { part, scale }: Pictured,
  region: Rect | undefined,
  isMirrored = false,
): boolean {
  if (scale < MIN_SCALE) return false
  const wanted = region ? regionOf(element.bounds, bounds, region, isMirrored) : bounds
  const visible = parts
    .flatMap((rect) => intersect(rect, wanted) ?? [])
    .flatMap((rect) => (part ? (intersect(rect, part) ?? []) : rect))
    .reduce((sum, { width, height }) => sum + width * height, 0)
  const whole = wanted.width * wanted.height
  return visible > 0 && (region ? visible === whole : 2 * visible >= whole)
}

/** A region of an element in a picture, which may be scaled and mirrored. */
function regionOf(own: Rect, shown: Rect, { x, y, width, height }: Rect, isMirrored: boolean): Rect {
  const ratio = shown.width / Math.max(1, own.width)
  const left = isMirrored ? own.width - x - width : x
  const [px, py, pwidth, pheight] = [left, y, width, height].map((length) => Math.round(length * ratio))
  return translate({ x: px!, y: py!, width: pwidth!, height: pheight! }, shown.x, shown.y)
}

/** A part of an answer that describes one element: an object of a JSON result, a line of text, or an XML tag. */
interface Statement {
  /** The element, where it is named. */
  readonly id: string | undefined
  readonly text: string
  /** A change of an element that was shown before. */
  readonly isChange: boolean
  /** All lines of a text, which may say a text of several lines. */
  readonly isWhole?: boolean
}

/** Whether an answer says the text of an element: its value, and its name where nothing else tells which element it is. */
function isInWords(element: Element, given: ToolResult | string): boolean {
  // An outline does not say a name that the cells say.
  const cells = isNamedByCells(element) ? element.children.filter(({ value }) => value) : []
  return isSaidIn(element, given) || (cells.length > 0 && cells.every((cell) => isSaidIn(cell, given)))
}

function isSaidIn({ id, name, value }: Element, given: ToolResult | string): boolean {
  const known = [name, value ?? ''].filter((text) => text.trim() !== '')
  const own = known.slice(-1)
  return statementsIn(given).some((statement) => {
    if (statement.id !== undefined && statement.id !== id) return false
    const wanted = statement.id === undefined && !statement.isChange ? known : own
    if (statement.isWhole && !wanted.some((text) => text.trim().includes('\n'))) return false
    if (wanted.length === 0) return statement.id !== undefined
    return wanted.every((text) => says(statement.text, text))
  })
}

/** A statement in JSON or XML has a text in its spelling. */
const says = (statement: string, text: string): boolean =>
  [text, JSON.stringify(text.trim()).slice(1, -1), inXml(text)].some((spelt) => isNamed(statement, oneLine(spelt)))

const inXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim()

const known = new WeakMap<ToolResult, readonly Statement[]>()

function statementsIn(given: ToolResult | string): readonly Statement[] {
  if (typeof given === 'string') return statementsOfText(given)
  const found = known.get(given) ?? statementsOfObject(given)
  known.set(given, found)
  return found
}

/** The lines of a text; or what JSON says, or the tags of XML. */
function statementsOfText(text: string): readonly Statement[] {
  const start = text.trimStart()[0]
  if (start === '{' || start === '[')
    try {
      return statementsOfObject(JSON.parse(text) as object)
    } catch {
      // It is a text that begins like JSON.
    }
  const lines = text
    .split(start === '<' ? '<' : '\n')
    .map((line) => ({ id: undefined, text: oneLine(line), isChange: false }))
  return start === '<' ? lines : [...lines, { id: undefined, text: oneLine(text), isChange: false, isWhole: true }]
}

/** The base64 of a picture says nothing. */
const isSaid = ([key, value]: readonly [string, unknown]): boolean => key !== 'data' && typeof value === 'string'

function statementsOfObject(object: object): readonly Statement[] {
  const entries = Object.entries(object)
  const { id, element_id, op } = object as {
    readonly id?: unknown
    readonly element_id?: unknown
    readonly op?: unknown
  }
  const own = id ?? element_id
  const texts = entries.filter(isSaid).map(([, value]) => value as string)
  const lines = own === undefined ? texts.filter((text) => text.includes('\n')).flatMap(statementsOfText) : []
  const inside = entries.flatMap(([, value]) =>
    typeof value === 'object' && value !== null ? statementsOfObject(value) : [],
  )
  // The fields of a change are an object of their own, below it.
  const isChange = op !== undefined
  const below = isChange ? inside.map((each) => ({ ...each, isChange })) : inside
  const statement = { id: typeof own === 'string' ? own : undefined, text: oneLine(texts.join('\n')), isChange }
  return [statement, ...lines, ...below]
}
