import { escapePattern } from '../../base/pattern.ts'
import { type RoleKind, roleKind } from '../../desktop/model/role.ts'
import { type AttributeTest, formatSelector, parseSelector } from '../../desktop/tree/selector.ts'
import type { RunData } from '../data/run-data.ts'
import { screenTextIn } from '../oracle-kinds.ts'
import type { AuthoredScenario } from '../scenario-file.ts'
import type { AuthoredElement } from '../schema/element.ts'
import { isPlainObject, mapTrees, type PlainObject, rewriteJson, treesOf } from './rewrite-file.ts'

/** The keys of tables and columns with expressions over rows. */
const OF_ROWS: ReadonlySet<string> = new Set(['formula', 'filter', 'unread_where'])

/** The keys of elements whose texts stay. */
const KEPT_KEYS: ReadonlySet<string> = new Set(['with', 'picture', 'tools', 'choices'])

/** How texts become others, and the patterns that look for them. */
export interface TextRewrite {
  /** The new text. `owner` is undefined where a text may belong to anything. */
  text(text: string, owner: TextOwner | undefined): string
  /** The new text of one in quotes in an expression. By default that of a text that may belong to anything. */
  quoted?(text: string): string
  /** The pattern that finds the new texts where `source` found the old ones. `whole`: it matches a whole text. */
  pattern(source: string, whole: boolean): string
  /** The new text of a label of the shell, which the desktop makes. Undefined if it stays, or is no such label. */
  ofShell?(text: string): string | undefined
}

/**
 * Rewrites the texts of a scenario: on the screen, in what reactions and timers write and wait for, and in the oracles and
 * the solution. Ids, typed texts, files, pictures and the data stay.
 */
export function rewriteTexts(authored: AuthoredScenario, rewrite: TextRewrite, data: LiveTexts): AuthoredScenario {
  const kept = textsToKeep(data, authored)
  const kinds = kindsById(authored)
  const titles = columnTitles(authored)
  const onScreen = (key: string, value: unknown, owner: PlainObject): unknown => {
    if (KEPT_KEYS.has(key) || isData(key, owner) || isNameOfItem(key, owner)) return value
    if (key === 'rows' && Array.isArray(value) && value.every((row) => typeof row === 'string'))
      return value.map((row: string) => rewrite.text(row, 'listitem'))
    if (key === 'target_name' && typeof value === 'string') return rewrite.text(value, undefined)
    if (typeof value !== 'string') return undefined
    if (isSelector(key)) return rewriteSelector(value, rewrite, titles)
    if (isShown(key, owner)) return rewrite.text(value, ownerOf(key, owner, kinds))
    if (key === 'text_regex' && owner.tool === 'select_option') return rewrite.pattern(value, true)
    if (key === 'value_regex' && ownerOf('value', owner, kinds) !== 'value') return rewrite.pattern(value, false)
    return OF_ROWS.has(key) || isExpression(key) ? rewriteExpression(value, rewrite, kept) : undefined
  }
  /** In oracles and solutions. What has no kind of oracle is a part of one, such as an effect, or the arguments of a call. */
  const inProof = (key: string, value: unknown, owner: PlainObject): unknown => {
    if (typeof value !== 'string') return undefined
    const shown = screenTextIn(owner.kind, key)
    if (shown === 'selector' || (shown === false && isSelector(key))) return rewriteSelector(value, rewrite, titles)
    if (shown === 'pattern' || (shown === false && (key === 'regex' || key.endsWith('_regex'))))
      return rewrite.pattern(value, false)
    if (shown === 'text' || (shown === false && key === 'option_name')) return rewrite.text(value, 'listitem')
    const isRewritten = shown === 'expression' || (shown === false && isExpression(key))
    return isRewritten ? rewriteExpression(value, rewrite, kept) : undefined
  }
  return {
    ...authored,
    states: rewriteJson(authored.states, onScreen),
    ...(authored.apps && { apps: authored.apps.map((app) => ({ ...app, name: rewrite.text(app.name, 'title') })) }),
    ...(authored.windows && { windows: rewriteJson(authored.windows, onScreen) }),
    ...(authored.sites && { sites: rewriteJson(authored.sites, onScreen) }),
    ...(authored.reactions && { reactions: rewriteJson(authored.reactions, onScreen) }),
    ...(authored.timers && { timers: rewriteJson(authored.timers, onScreen) }),
    // What people wait for is what users say.
    ...(authored.actors && {
      actors: rewriteJson(authored.actors, (key, value, owner) =>
        key === 'where' && owner.var === undefined ? value : onScreen(key, value, owner),
      ),
    }),
    ...(authored.oracles && { oracles: rewriteJson(authored.oracles, inProof) }),
    ...(authored.solution && { solution: rewriteJson(authored.solution, inProof) }),
    ...(authored.solutions && { solutions: rewriteJson(authored.solutions, inProof) }),
    ...(authored.obedience && { obedience: rewriteJson(authored.obedience, inProof) }),
  }
}

/** The data of a scenario, and the expressions of its computed names. */
interface LiveTexts {
  readonly data: RunData
  readonly computed: readonly string[]
}

/**
 * What rewrites the texts in quotes of the expression of a computed name, except for those of the data and those that something
 * is compared with: they are codes rather than words.
 */
export function computedRewriter(
  authored: AuthoredScenario,
  rewrite: TextRewrite,
  live: LiveTexts,
): (source: string) => string {
  if (live.computed.length === 0) return (source) => source
  const kept = textsToKeep(live, authored)
  return (text) =>
    text.replace(QUOTED, (quoted, double?: string, single?: string) => {
      const content = double ?? single ?? ''
      const next = kept.has(content) ? content : rewrite.text(content, undefined)
      return next === content ? quoted : JSON.stringify(next)
    })
}

const QUOTED = /"([^"\\]*)"|'([^'\\]*)'/g

/** The texts of the data, and those that computed names have to be compared with. */
function textsToKeep({ data, computed }: LiveTexts, authored: AuthoredScenario): ReadonlySet<string> {
  const texts = new Set(textsOfData(data, authored))
  if (computed.length === 0) return texts
  const ownTexts = new Set(computed.flatMap((source) => quotedIn(source).map(({ content }) => content)))
  const note = (value: unknown): void => {
    if (typeof value === 'string')
      for (const { content, isCompared } of quotedIn(value)) if (isCompared && ownTexts.has(content)) texts.add(content)
    if (typeof value === 'object' && value !== null) Object.values(value).forEach(note)
  }
  const { locales, synonyms, wordings, ...sections } = authored
  note([sections, computed])
  return texts
}

/** The texts in quotes of an expression, and whether something is compared with them. */
const quotedIn = (source: string): readonly { readonly content: string; readonly isCompared: boolean }[] =>
  [...source.matchAll(QUOTED)].map(({ 0: quoted, 1: double, 2: single, index }) => ({
    content: double ?? single ?? '',
    isCompared: isCompared(source, index, quoted.length),
  }))

/** The texts in quotes that the expressions of a text may show: not those that they compare, look up or pass to functions. */
export const shownQuotes = (source: string): readonly string[] =>
  [...source.matchAll(QUOTED)].flatMap(({ 0: quoted, 1: double, 2: single, index }) =>
    SHOWN_AFTER.test(source.slice(0, index)) && !isCompared(source, index, quoted.length)
      ? [double ?? single ?? '']
      : [],
  )

/** What comes before a text that is a result: the start of a template, a choice, a sum, or a bracket of no function. */
const SHOWN_AFTER = /(?:\{\{|[?:+]|(?:^|[^\w\s])\s*\()\s*$/

const isCompared = (source: string, at: number, length: number): boolean =>
  COMPARED_BEFORE.test(source.slice(0, at)) || COMPARED_AFTER.test(source.slice(at + length))

const isSelector = (key: string): boolean => key === 'selector' || key.endsWith('_selector')

const isExpression = (key: string): boolean => key === 'expression' || key === 'if' || key === 'where'

/** The texts of the data. Those of items that a user chooses are not among them, because a variable gets the item's text. */
function textsOfData(data: RunData, authored: AuthoredScenario): ReadonlySet<string> {
  const texts = new Set(textsIn(data))
  if (texts.size > 0)
    for (const { text, owner } of textsOf(authored)) if (CHOSEN.has(owner) || owner === 'value') texts.delete(text)
  for (const text of namesOfChoices(authored)) texts.add(text)
  return texts
}

/** Whether a user chooses a text of the data in an element: a combo box that is bound to a variable. */
const isBoundCombo = ({ role = '', bind }: AuthoredElement): boolean => bind !== undefined && roleKind(role) === 'combo'

/** The names of the items of combo boxes that are bound to variables. These hold them in any language. */
function namesOfChoices(authored: AuthoredScenario): readonly string[] {
  const names: string[] = []
  const look = (element: AuthoredElement): void => {
    if (isBoundCombo(element)) for (const { name } of element.children ?? []) if (name !== undefined) names.push(name)
    element.children?.forEach(look)
  }
  treesOf(authored).forEach(look)
  return names
}

/**
 * Gives combo boxes that are bound to variables, and their items, the words of a table for the texts of the data. The data
 * keep their texts, so that expressions and oracles compare the same in every language. Items that follow the data have the
 * words of the table if it has the template of their name.
 */
export function withWordedChoices(
  authored: AuthoredScenario,
  data: RunData,
  table: { readonly has: (text: string) => boolean; readonly text: (text: string) => string },
): AuthoredScenario {
  const inData = textsIn(data)
  const choicesOf = ({ choices = {}, children = [] }: AuthoredElement): AuthoredElement['choices'] => {
    const names = children.flatMap(({ name }) => name ?? [])
    const follows = names.some((name) => name.includes('{{') && table.has(name))
    const texts = [...names.filter((name) => !name.includes('{{')), ...(follows ? inData : [])]
    // An earlier variant may have given them other words.
    const earlier = Object.entries(choices)
    const fresh = texts.filter((text) => earlier.every(([, shown]) => shown !== text)).map((text) => [text, text])
    const pairs = [...earlier, ...fresh].map(([text, shown]) => [text!, table.text(shown!)] as const)
    const others = pairs.filter(([text, shown]) => text !== shown)
    return others.length === 0 ? undefined : Object.fromEntries(others)
  }
  const change = (element: AuthoredElement): AuthoredElement => {
    const children = element.children?.map(change)
    const here = children?.some((child, index) => child !== element.children![index])
      ? { ...element, children }
      : element
    const choices = isBoundCombo(here) ? choicesOf(here) : undefined
    return choices ? { ...here, choices, children: here.children!.map((item) => ({ ...item, choices })) } : here
  }
  return mapTrees(authored, change)
}

/** All texts of the data. */
function textsIn(value: unknown): ReadonlySet<string> {
  const texts = new Set<string>()
  const note = (part: unknown): void => {
    if (typeof part === 'string') texts.add(part)
    else if (typeof part === 'object' && part !== null) Object.values(part).forEach(note)
  }
  note(value)
  return texts
}

/** Items whose name a bound variable gets when a user chooses them. */
const CHOSEN: ReadonlySet<TextOwner> = new Set<TextOwner>(['listitem', 'treeitem', 'tab', 'radio'])

/** Rewrites the texts in quotes of an expression, except for those of the data that something is compared with. */
const rewriteExpression = (
  source: string,
  { text, quoted: ofQuoted }: TextRewrite,
  kept: ReadonlySet<string>,
): string =>
  source.replace(QUOTED, (quoted, double?: string, single?: string, ...rest: unknown[]) => {
    const content = double ?? single ?? ''
    if (kept.has(content) && isCompared(source, Number(rest[0]), quoted.length)) return quoted
    const next = ofQuoted ? ofQuoted(content) : text(content, undefined)
    return next === content ? quoted : JSON.stringify(next)
  })

const COMPARED_BEFORE = /(?:[=!]=|\bin\s*\[[^\]]*)\s*$/
const COMPARED_AFTER = /^\s*[=!]=/

/** The titles of columns, which are the names of their cells. */
function columnTitles(authored: AuthoredScenario): ReadonlySet<string> {
  const titles = new Set<string>()
  const note = ({ columns = [], children = [] }: AuthoredElement): void => {
    for (const { title } of columns) if (title !== undefined) titles.add(title)
    children.forEach(note)
  }
  treesOf(authored).forEach(note)
  return titles
}

function rewriteSelector(source: string, rewrite: TextRewrite, titles: ReadonlySet<string>): string {
  // A selector that an expression gives is known only while the solution runs.
  if (source.trimStart().startsWith('{{')) return source
  const selector = parseSelector(source)
  let isChanged = false
  const steps = selector.steps.map((step) => {
    const kind = step.role === undefined ? undefined : roleKind(step.role)
    const tests = step.tests.map((test): AttributeTest => {
      if (!REWRITTEN.has(test.key) || typeof test.value !== 'string' || !('op' in test)) return test
      const owner = kind === 'cell' && titles.has(test.value) ? 'title' : kind
      const owned = test.key === 'value' ? (kind === 'text' ? 'text' : 'value') : owner
      const value =
        test.op === '~='
          ? rewrite.pattern(test.value, true)
          : test.op === '*='
            ? rewritePart(test.value, rewrite)
            : rewrite.text(test.value, owned)
      // A row shows records as they are, and texts of the file as the language writes them.
      if (test.op === '*=' && kind === 'row' && value !== test.value) {
        isChanged = true
        return { key: test.key, op: '~=', value: `.*(${escapePattern(test.value)}|${escapePattern(value)}).*` }
      }
      const found = test.op === '=' ? new Set([...madeByDesktop(test.value, value, rewrite), value]) : new Set([value])
      if (found.size === 1 && value === test.value) return test
      isChanged = true
      if (found.size === 1) return { ...test, value } as AttributeTest
      return { key: test.key, op: '~=', value: [...found].map(escapePattern).join('|') }
    })
    return { ...step, tests }
  })
  return isChanged ? formatSelector({ steps }) : source
}

/** The texts of a label that becomes `next` if the desktop makes it. */
const madeByDesktop = (label: string, next: string, { ofShell }: TextRewrite): readonly string[] => {
  const inShell = ofShell?.(label)
  return [...(next !== label && DIALOG_LABELS.has(label) ? [label] : []), ...(inShell === undefined ? [] : [inShell])]
}

/** Labels of dialogs that the desktop makes. They stay, so selectors of such a label find both it and the new text. */
const DIALOG_LABELS: ReadonlySet<string> = new Set([
  'Save',
  'Save as',
  'Open',
  'Cancel',
  'Delete',
  'Rename',
  'Replace',
  'Up',
  'Files',
  'Folder',
  'File name',
  'New name',
])

const REWRITTEN: ReadonlySet<string> = new Set(['name', 'value', 'description'])

/** A part of a text, as a pattern would find it. */
function rewritePart(part: string, rewrite: TextRewrite): string {
  const whole = rewrite.text(part, undefined)
  return whole.startsWith(part) ? part : whole
}

/** What a text belongs to: the kind of an element, a window, or the value of a control. */
type TextOwner = RoleKind | 'title' | 'value'

/** A text on the screen, and what it belongs to. */
export interface ScreenText {
  readonly text: string
  readonly owner: TextOwner
}

/** The keys of elements and changes whose text is shown or read aloud. */
const TEXT_KEYS: ReadonlySet<string> = new Set([
  'name',
  'rich',
  'title',
  'description',
  'placeholder',
  'subtitle',
  'avatar',
  'toast',
  'message',
])

/** Whether a text of an element or a change is shown or read aloud. What a page asks in a dialog is one, too. */
const isShown = (key: string, owner: PlainObject): boolean =>
  TEXT_KEYS.has(key) || key === 'value' || (key === 'text' && owner.browse !== undefined)

/** Whether the text of a field is shown or read aloud. */
export const isShownKey = (key: string): boolean => TEXT_KEYS.has(key)

/** Items hold the content of a task, such as mails and orders, rather than words of the program. */
const CONTENT: ReadonlySet<TextOwner> = new Set<TextOwner>(['listitem', 'row', 'cell', 'treeitem', 'day', 'value'])

/** Whether a text is a word of the program rather than content. */
export const isLabelOwner = (owner: TextOwner): boolean => !CONTENT.has(owner)

/** The kinds of the elements of a scenario by id. The first of several counts. */
function kindsById(authored: AuthoredScenario): ReadonlyMap<string, RoleKind> {
  const kinds = new Map<string, RoleKind>()
  const note = (element: AuthoredElement | undefined): void => {
    if (!element) return
    if (element.id !== undefined && !kinds.has(element.id)) kinds.set(element.id, roleKind(element.role ?? ''))
    for (const child of element.children ?? []) note(child)
  }
  for (const tree of treesOf(authored)) note(tree)
  return kinds
}

/** What the texts of an element, a change or a guard belong to. */
function ownerOf(key: string, part: PlainObject, kinds: ReadonlyMap<string, RoleKind>): TextOwner {
  if (key === 'title') return 'title'
  if (key === 'value') return valueOwner(part, kinds)
  return kindIn(part, kinds) ?? 'other'
}

function kindIn({ role, id }: PlainObject, kinds: ReadonlyMap<string, RoleKind>): RoleKind | undefined {
  if (typeof role === 'string') return roleKind(role)
  return typeof id === 'string' ? kinds.get(id) : undefined
}

/** The value of a text is shown as it is; that of a combo box is the name of an item; others are content. */
function valueOwner(part: PlainObject, kinds: ReadonlyMap<string, RoleKind>): TextOwner {
  const kind = kindIn(part, kinds)
  if (kind === 'text') return 'text'
  return kind === 'combo' ? 'listitem' : 'value'
}

/** The texts that a scenario shows: those of its states, and those that reactions and timers write. */
export function textsOf(authored: AuthoredScenario): readonly ScreenText[] {
  const kinds = kindsById(authored)
  const found: ScreenText[] = []
  const look = (value: unknown): void => {
    if (Array.isArray(value)) for (const item of value) look(item)
    if (!isPlainObject(value)) return
    for (const [key, part] of Object.entries(value)) {
      if (isNameOfItem(key, value)) continue
      if (typeof part === 'string' && isShown(key, value)) found.push({ text: part, owner: ownerOf(key, value, kinds) })
      else if (!SILENT.has(key) && !isData(key, value)) look(part)
    }
  }
  look(authored.states)
  look(authored.windows)
  look(authored.sites)
  look(authored.reactions)
  look(authored.timers)
  look(authored.actors)
  return found
}

/** Parts that have no text of the screen: conditions, the fields of events, what a picture is drawn from, and tools of pages. */
const SILENT: ReadonlySet<string> = new Set(['when', 'on', 'with', 'picture', 'tools', 'choices'])

/** Whether a key of an effect has values of a variable. They are data, also under keys such as `title`. */
const isData = (key: string, owner: PlainObject): boolean =>
  owner.var !== undefined && (key === 'to' || key === 'append' || key === 'change')

/** Whether a key of `repeat` has the name by which events know an item. */
const isNameOfItem = (key: string, owner: PlainObject): boolean => key === 'name' && owner.of !== undefined

/** Whether a text has letters, so that it could be translated. */
export const hasLetters = (text: string): boolean => /\p{L}/u.test(text)
