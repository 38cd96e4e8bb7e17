import * as z from 'zod'
import { type Awaitable, andThen, orElse } from '../base/async.ts'
import { Fault } from '../base/fault.ts'
import { compilePattern, createMatchBudget, type Pattern } from '../base/pattern.ts'
import { toText } from '../base/strings.ts'
import type { Element } from '../desktop/model/element.ts'
import { treeHash } from '../desktop/tree/hash.ts'
import { nearestElements, querySelectorAll } from '../desktop/tree/select.ts'
import { parseSelector } from '../desktop/tree/selector.ts'
import { visibilityOf } from '../desktop/tree/visibility.ts'

const Text = z.string()
const Selector = Text.describe('Which element; the first that matches')
const Regex = Text.describe('An RE2 pattern that matches somewhere in it')
const Path = Text.describe('Of the file, as the scenario names it')
const where = { window_uid: Text.describe('The focused window when left out').optional() }

/** A predicate on a screen (observer document, "assert_state"), on files or on the clipboard. */
export const Predicate = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('element_exists'), selector: Selector, ...where }),
  z.strictObject({ kind: z.literal('element_absent'), selector: Selector, ...where }),
  z.strictObject({
    kind: z.literal('value_equals'),
    selector: Selector,
    expected: Text.nullable().describe('Its value; null when it has none').optional(),
    ...where,
  }),
  z.strictObject({ kind: z.literal('value_matches'), selector: Selector, regex: Regex, ...where }),
  z.strictObject({
    kind: z.literal('text_visible'),
    regex: Regex,
    mode: z.enum(['tree', 'ocr', 'auto']).describe('auto, unless given: the tree, then the picture').optional(),
    ...where,
  }),
  z.strictObject({ kind: z.literal('window_focused'), title_regex: Regex }),
  z.strictObject({
    kind: z.literal('window_exists'),
    title_regex: Regex.optional(),
    window_uid: Text.describe('Stable id from list_windows').optional(),
  }),
  z.strictObject({
    kind: z.literal('tree_hash_equals'),
    expected_hash: Text.describe('A tree_hash of an earlier answer'),
    ...where,
  }),
  z.strictObject({
    kind: z.literal('screenshot_similar'),
    reference_path: Text.describe('A PNG or JPEG file below the folders this server may read'),
    min_ssim: z.number().min(-1).max(1).describe('For the whole; 0.95 unless given').optional(),
    min_patch_ssim: z.number().min(-1).max(1).describe('For the worst patch of 64 by 64 pixels').optional(),
    ...where,
  }),
  z.strictObject({ kind: z.literal('file_exists'), path: Path }),
  z.strictObject({ kind: z.literal('file_absent'), path: Path }),
  z.strictObject({ kind: z.literal('file_equals'), path: Path, expected: Text.describe('All of its text') }),
  z.strictObject({ kind: z.literal('clipboard_equals'), expected: Text.describe('All of its text') }),
])
export type Predicate = z.infer<typeof Predicate>

/** The state that predicates are evaluated on. */
export interface OracleView {
  /** In the order that clients see. */
  windows(): Awaitable<readonly { readonly uid: string; readonly title: string; readonly focused: boolean }[]>
  tree(uid: string): Awaitable<Element | undefined>
  /** The text recognised in the picture of a window. Throws `PlatformUnsupported` if there is none. */
  ocr?(uid: string): Awaitable<string>
  /** The similarity of the picture of a window and a stored one, from -1 to 1. Throws if they cannot be compared. */
  similarity?(uid: string, referencePath: string): Awaitable<PictureSimilarity>
  /** The text of a file, null for a folder or if texts are withheld, undefined if it does not exist. */
  file?(path: string): Awaitable<string | null | undefined>
  /** Throws `PredicateUnsupported` if texts are withheld. */
  clipboard?(): Awaitable<string>
  /** The reason why texts of files and the clipboard are withheld, if they are. */
  readonly withheld?: string
}

/** How an agent ended its run. */
export interface AgentFinish {
  readonly status: 'done' | 'infeasible'
  readonly text: string
}

/** The similarity of two pictures, 1 if equal: of the whole, and of the least similar patch. */
export interface PictureSimilarity {
  readonly ssim: number
  readonly min_patch_ssim: number
  /** Details of the difference, for a comparison that failed. */
  readonly why?: () => Awaitable<Readonly<Record<string, unknown>>>
}

/** The result of one predicate. */
export interface PredicateResult {
  readonly kind: string
  readonly passed: boolean
  readonly observed: unknown
  /** The predicate without its kind, or all of it if the kind is unknown. */
  readonly args?: Readonly<Record<string, unknown>>
  readonly error_code?: string
  /** What is nearest to the element or window that was not found. */
  readonly nearest?: readonly string[]
}

/** The part of a result that the evaluation of a kind gives. */
export type Finding = Pick<PredicateResult, 'passed' | 'observed' | 'error_code' | 'nearest'>
/** The keys of a predicate that was not checked, with values of any type. */
type Asked<Key extends string> = { readonly [Each in Key]?: unknown }
type KeysOf<Kind extends Predicate['kind']> = Exclude<keyof Extract<Predicate, { kind: Kind }>, 'kind'> & string

/** The similarity of two pictures that is expected unless a predicate gives another. */
export const MIN_SSIM = 0.95

/**
 * Evaluates a predicate of any type: at once on a view that answers at once. A predicate that cannot be evaluated has not
 * passed, and the result has the reason.
 */
export function evaluate(predicate: unknown, view: OracleView): Awaitable<PredicateResult> {
  if (typeof predicate !== 'object' || predicate === null || Array.isArray(predicate))
    return { kind: '?', passed: false, observed: 'predicate must be a mapping' }
  const { kind, ...args } = predicate as Readonly<Record<string, unknown>>
  const evaluator =
    typeof kind === 'string' && Object.hasOwn(EVALUATORS, kind)
      ? (EVALUATORS[kind as Predicate['kind']] as Evaluator<typeof args>)
      : undefined
  if (!evaluator)
    return { kind: toText(kind ?? '?'), passed: false, observed: 'unknown predicate kind', args: { ...predicate } }
  const finding = orElse(() => evaluator(args, view), findingOfFault)
  return andThen(finding, (found) => ({ kind: toText(kind), ...found, args }))
}

/** The finding for a predicate that cannot be evaluated. Throws what is not a fault. */
export function findingOfFault(thrown: unknown): Finding {
  if (!(thrown instanceof Fault)) throw thrown
  if (thrown.code === 'PredicateUnsupported') return unsupported(thrown.message)
  return failed(`error: ${thrown.code}: ${thrown.message}`)
}

type Evaluator<Args> = (args: Args, view: OracleView) => Awaitable<Finding>

const EVALUATORS: { readonly [Kind in Predicate['kind']]: Evaluator<Asked<KeysOf<Kind>>> } = {
  element_exists: (args, view) =>
    andThen(find(args, view), (found) => {
      if ('observed' in found) return found
      const { elements, nearest } = found
      const observed = { count: elements.length, first_id: elements[0]?.id ?? null }
      return { passed: elements.length > 0, observed, ...nearest() }
    }),
  element_absent: (args, view) =>
    andThen(find(args, view), (found) =>
      'observed' in found ? found : { passed: found.elements.length === 0, observed: { count: found.elements.length } },
    ),
  value_equals: (args, view) =>
    andThen(findFirst(args, view), (found) => {
      if ('observed' in found) return found
      const expected = args.expected === undefined || args.expected === null ? null : toText(args.expected)
      return { passed: found.element.value === expected, observed: { actual: shortly(found.element.value) } }
    }),
  value_matches: (args, view) =>
    andThen(findFirst(args, view), (found) => {
      if ('observed' in found) return found
      const passed = compilePattern(text(args, 'regex')).search(found.element.value ?? '')
      return { passed, observed: { actual: shortly(found.element.value) } }
    }),
  text_visible: textVisible,
  window_focused: (args, view) => {
    const pattern = compilePattern(text(args, 'title_regex'))
    return andThen(view.windows(), (windows) => {
      const window = windows.find(({ focused, title }) => focused && pattern.search(title))
      const focused = windows.filter((each) => each.focused)
      return window ? about(window) : { ...failed('focused window does not match'), ...titlesOf(focused) }
    })
  },
  window_exists: (args, view) => {
    const uid = args.window_uid
    const pattern =
      uid === undefined || args.title_regex !== undefined ? compilePattern(text(args, 'title_regex')) : undefined
    return andThen(view.windows(), (windows) => {
      const window = windows.find(
        (window) => (uid === undefined || window.uid === uid) && (!pattern || pattern.search(window.title)),
      )
      return window ? about(window) : { ...failed('no matching window'), ...titlesOf(windows) }
    })
  },
  tree_hash_equals: (args, view) =>
    andThen(treeOf(args, view), (tree) => {
      if (!tree) return failed('no tree')
      const actual = treeHash(tree)
      return { passed: actual === args.expected_hash, observed: { actual } }
    }),
  screenshot_similar: async (args, view) => {
    const uid = await uidOf(args, view)
    if (typeof args.reference_path !== 'string' || args.reference_path === '' || uid === undefined)
      return failed('reference_path and window required')
    if (!view.similarity) return unsupported('pictures cannot be compared here')
    const { ssim, min_patch_ssim, why } = await view.similarity(uid, args.reference_path)
    const passed = ssim >= Number(args.min_ssim ?? MIN_SSIM) && min_patch_ssim >= Number(args.min_patch_ssim ?? -1)
    return { passed, observed: { ssim, min_patch_ssim, ...(passed ? {} : await why?.()) } }
  },
  file_exists: (args, view) => {
    if (!view.file) return unsupported(NO_FILES)
    return andThen(view.file(text(args, 'path')), (found) => ({
      passed: found !== undefined,
      observed: { exists: found !== undefined },
    }))
  },
  file_absent: (args, view) => {
    if (!view.file) return unsupported(NO_FILES)
    return andThen(view.file(text(args, 'path')), (found) => ({
      passed: found === undefined,
      observed: { exists: found !== undefined },
    }))
  },
  file_equals: (args, view) => {
    if (!view.file || view.withheld !== undefined) return unsupported(view.withheld ?? NO_FILES)
    return andThen(view.file(text(args, 'path')), (found) => compared(found ?? null, args))
  },
  clipboard_equals: (args, view) => {
    if (!view.clipboard) return unsupported(NO_CLIPBOARD)
    return andThen(view.clipboard(), (found) => compared(found, args))
  },
}

const compared = (actual: string | null, args: Asked<'expected'>): Finding => ({
  passed: actual === text(args, 'expected'),
  observed: { actual: shortly(actual) },
})

const MAX_OBSERVED = 10_000

/** Shortens a text for results, so that many results on a long one stay short. */
const shortly = (text: string | null): string | null =>
  text === null || text.length <= MAX_OBSERVED ? text : `${text.slice(0, MAX_OBSERVED)}…`

const NO_FILES = 'the files of this computer cannot be looked at'
const NO_CLIPBOARD = 'the clipboard of this computer cannot be looked at'

function textVisible(args: Asked<KeysOf<'text_visible'>>, view: OracleView): Awaitable<Finding> {
  const pattern = compilePattern(text(args, 'regex'))
  const mode = args.mode ?? 'auto'
  if (mode === 'ocr') return textRecognised(pattern, mode, args, view)
  return andThen(treeOf(args, view), (tree) => {
    const element = tree && findText(tree, pattern)
    if (element) return { passed: true, observed: { source: 'tree', element_id: element.id } }
    if (mode === 'tree') return failed(tree ? 'no match' : 'no tree')
    return textRecognised(pattern, mode, args, view)
  })
}

function textRecognised(pattern: Pattern, mode: unknown, args: InWindow, view: OracleView): Awaitable<Finding> {
  const { ocr } = view
  return andThen(uidOf(args, view), (uid): Awaitable<Finding> => {
    if (uid === undefined || !ocr) return mode === 'ocr' ? failed(NO_OCR) : failed('no match')
    const finding = (): Awaitable<Finding> =>
      andThen(ocr(uid), (words) =>
        pattern.search(words) ? { passed: true, observed: { source: 'ocr' } } : failed('no match'),
      )
    return orElse(finding, (error) => {
      if (!(error instanceof Fault)) throw error
      return mode === 'ocr' ? failed({ ocr_error: error.message, hint: NO_OCR.hint }) : failed('no match')
    })
  })
}

const NO_OCR = { ocr_error: 'no text recognition here', hint: 'use mode "tree"' }

/** The first element whose name and value match a text. Hidden, folded and secret texts do not match. */
export function findText(element: Element, pattern: Pattern, work = createMatchBudget()): Element | undefined {
  if (element.traits?.hidden) return undefined
  if (pattern.search(shownText(element), work)) return element
  for (const child of element.children) {
    const found = visibilityOf(element, child) === 'folded' ? undefined : findText(child, pattern, work)
    if (found) return found
  }
  return undefined
}

/** The texts that the elements of a tree show: name and value. Hidden, folded and secret texts, and addresses of links, are left out. */
export function shownTexts(element: Element): readonly string[] {
  if (element.traits?.hidden) return []
  const below = element.children.filter((child) => visibilityOf(element, child) !== 'folded').flatMap(shownTexts)
  const text = shownText(element)
  return text === '' ? below : [text, ...below]
}

/** The text that an element shows: its name and value, without a secret and the address of a link. */
export const shownText = ({ name, value, traits }: Element): string =>
  !value || traits?.secret || traits?.href !== undefined ? name : name ? `${name} ${value}` : value

/** The keys of a predicate about a window. */
type InWindow = Asked<'window_uid'>

function uidOf(args: InWindow, view: OracleView): Awaitable<string | undefined> {
  if (args.window_uid !== undefined && args.window_uid !== null) return toText(args.window_uid)
  return andThen(view.windows(), (windows) => (windows.find(({ focused }) => focused) ?? windows[0])?.uid)
}

const treeOf = (args: InWindow, view: OracleView): Awaitable<Element | undefined> =>
  andThen(uidOf(args, view), (uid) => (uid === undefined ? undefined : view.tree(uid)))

/** The elements that a selector matches, and what is nearest to it if there are none. */
interface Found {
  readonly elements: readonly Element[]
  readonly nearest: () => Pick<PredicateResult, 'nearest'>
}

const NOTHING_NEAR = {}

function find(args: Asked<'selector' | 'window_uid'>, view: OracleView): Awaitable<Found | Finding> {
  const { selector } = args
  if (typeof selector !== 'string' || selector === '') return failed('selector required')
  return andThen(treeOf(args, view), (tree) => {
    if (!tree) return failed('no tree')
    try {
      const parsed = parseSelector(selector)
      const elements = querySelectorAll(tree, parsed).map(({ element }) => element)
      const nearest = () => {
        const near = elements.length > 0 ? [] : nearestElements(tree, parsed)
        return near.length > 0 ? { nearest: near } : NOTHING_NEAR
      }
      return { elements, nearest }
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      return failed(`selector parse: ${error.message}`)
    }
  })
}

const findFirst = (
  args: Asked<'selector' | 'window_uid'>,
  view: OracleView,
): Awaitable<{ readonly element: Element } | Finding> =>
  andThen(find(args, view), (found) => {
    if ('observed' in found) return found
    const [element] = found.elements
    return element ? { element } : { ...failed('no matches'), ...found.nearest() }
  })

function text<Key extends string>(args: Asked<Key>, key: Key): string {
  const value: unknown = args[key]
  if (typeof value === 'string') return value
  throw new Fault('BadRequest', `${key} is missing; expected text`)
}

/** A finding that has not passed. */
export const failed = (observed: unknown): Finding => ({ passed: false, observed })

const MAX_TITLES = 5

const titlesOf = (windows: readonly { readonly title: string }[]): Pick<PredicateResult, 'nearest'> =>
  windows.length === 0 ? {} : { nearest: windows.slice(0, MAX_TITLES).map(({ title }) => JSON.stringify(title)) }

const about = ({ uid, title }: { readonly uid: string; readonly title: string }): Finding => ({
  passed: true,
  observed: { window_uid: uid, title },
})

const unsupported = (reason: string): Finding => ({
  passed: false,
  observed: { unsupported: true, code: 'PredicateUnsupported', reason },
  error_code: 'PredicateUnsupported',
})
