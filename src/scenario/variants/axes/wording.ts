import { escapePattern } from '../../../base/pattern.ts'
import { drawInteger, split } from '../../../base/random.ts'
import { shortcutInLanguage } from '../../../desktop/input/shortcut.ts'
import { shellTextIn } from '../../../desktop/model/shell-texts.ts'
import { glyphAdvice } from '../../../desktop/model/unicode.ts'
import type { AuthoredScenario } from '../../scenario-file.ts'
import type { AuthoredElement } from '../../schema/element.ts'
import { splitTemplate } from '../../source/template.ts'
import { allWindows } from '../../visit.ts'
import { type BoundField, choiceAxis, type VariantAxis, type VariedScenario, warned, withAuthored } from '../axis.ts'
import {
  formatFor,
  formatPatternFor,
  LOCALE_FORMATS,
  type LocaleRow,
  languageOf,
  RIGHT_TO_LEFT,
  textFormatOf,
  withoutGlyph,
} from '../locales.ts'
import { rewriteJson, treesOf } from '../rewrite-file.ts'
import {
  computedRewriter,
  hasLetters,
  isLabelOwner,
  isShownKey,
  rewriteTexts,
  shownQuotes,
  type TextRewrite,
  textsOf,
  withWordedChoices,
} from '../rewrite-texts.ts'

/** Locales that every scenario has, made from its own texts. */
const DERIVED = ['pseudo', 'mirrored', 'pseudo-mirrored'] as const

/** Whether a locale is made from the texts of the scenario, and not a language. */
export const isDerivedLocale = (value: string): boolean => DERIVED.some((name) => name === value)

/** The language of the texts, and what comes with it: longer texts, other numbers and dates, mirrored windows. */
export const locale: VariantAxis = {
  name: 'locale',
  about:
    'The language of the texts: a table of `locales`, `pseudo` (half as long again), `mirrored` (right to left) or `pseudo-mirrored`.',
  values: `a locale such as de or fr, or ${DERIVED.join(', ')}`,
  problem: (value) =>
    isDerivedLocale(value) || /^[a-z]{2,3}([-_][A-Za-z0-9]{2,8})?$/.test(value)
      ? undefined
      : `expected ${locale.values}`,
  obstacle: (authored, value) => {
    if (isDerivedLocale(value) || authored.locales?.[value]) return undefined
    const names = Object.keys(authored.locales ?? {})
    return names.length === 0
      ? `the scenario has no locales; every scenario has ${DERIVED.join(', ')}`
      : `locales has no ${value}; it has ${names.join(', ')}`
  },
  samples: (authored) => [...DERIVED, ...Object.keys(authored.locales ?? {})],
  apply: (subject, value) => {
    const { authored } = subject
    const mirrored = value.endsWith('mirrored') || RIGHT_TO_LEFT.has(languageOf(value))
    const turned = mirrored ? { ...subject, isMirrored: true } : subject
    if (value === 'mirrored') return turned
    if (isDerivedLocale(value))
      return withAuthored(turned, rewriteTexts(authored, pseudoLocale(authored, subject.bound), subject))
    return translated(turned, value)
  },
}

function translated(subject: VariedScenario, name: string): VariedScenario {
  const { authored } = subject
  const table = tableRewrite(authored.locales![name]!)
  const language = languageOf(name)
  const formats = LOCALE_FORMATS[language]
  const ofShell = (text: string) => shellTextIn(language, text)
  const rewrite: TextRewrite = formats
    ? {
        ofShell,
        text: (text, owner) =>
          owner === 'value' ? table.text(text, owner) : formatBeside(formats, table.text(text, owner)),
        // Data are compared as they are; only words of the table are shown.
        quoted: (text) => (table.has(text) ? formatBeside(formats, table.text(text, undefined)) : text),
        pattern: (source, whole) => formatPatternFor(formats, table.pattern(source, whole)),
      }
    : { ...table, ofShell }
  const chosen = withWordedChoices(authored, subject.data, ofChoices(table))
  const changed = rewriteJson(rewriteTexts(chosen, rewrite, subject), (key, value) =>
    key === 'keyboard_shortcut' && typeof value === 'string' ? shortcutInLanguage(language, value) : undefined,
  )
  const { task } = authored
  const next: AuthoredScenario = task === undefined ? changed : { ...changed, task: table.text(task, undefined) }
  const retext = (text: string) => rewrite.text(subject.retext(text), undefined)
  const ofComputed = computedRewriter(authored, table, subject)
  const recompute = (text: string) => ofComputed(subject.recompute(text))
  const formatText = textFormatOf(language)
  const dateNames = formats?.dateNames
  return warned({ ...subject, authored: next, retext, recompute, formatText, dateNames, language }, [
    ...missingTexts(subject, name, table.has),
    ...missingGlyphs(next, name),
  ])
}

/** A table as combo boxes use it for the items that a user chooses. */
const ofChoices = ({ has, text }: ReturnType<typeof tableRewrite>) => ({
  has,
  text: (choice: string) => text(choice, 'listitem'),
})

/** Formats what is beside the templates of a text. What they give is formatted when it is shown. */
function formatBeside(formats: LocaleRow, text: string): string {
  const segments = splitTemplate(text)
  if ('message' in segments) return formatFor(formats, text)
  return segments
    .map((segment) => (segment.kind === 'literal' ? formatFor(formats, segment.text) : `{{${segment.text}}}`))
    .join('')
}

const SHOWN = 10

/** The labels that a locale does not translate: those of the file, and those that follow the data. */
function missingTexts(
  { authored, bound }: VariedScenario,
  name: string,
  has: (text: string) => boolean,
): readonly string[] {
  const changing = boundTexts(authored, bound)
  const labels = textsOf(authored).flatMap(({ text, owner }) =>
    isLabelOwner(owner) && hasWords(text) && !changing.has(text) ? [text] : [],
  )
  const live = bound.flatMap(({ field, text }) =>
    text !== undefined && isShownKey(field) && hasWords(text) ? [text] : [],
  )
  const task = authored.task === undefined ? [] : [authored.task]
  const missing = [...new Set([...labels, ...live, ...task])].filter((text) => !has(text))
  if (missing.length === 0) return []
  const shown = missing.slice(0, SHOWN).map((text) => JSON.stringify(text))
  const more = missing.length > SHOWN ? ` and ${missing.length - SHOWN} more` : ''
  return [`locale=${name}: no translation of ${shown.join(', ')}${more}`]
}

/** Whether a text has words of its own: beside its templates, or in quotes as what one of them gives. */
function hasWords(text: string): boolean {
  if (hasLetters(withoutMarks(text.replace(HOLE, '')))) return true
  const bare = text.replace(CHOSEN_MARK, ']')
  return bare.includes('{{') && shownQuotes(bare).some((quoted) => hasLetters(withoutMarks(quoted)))
}

/** A colour or an address that a template chooses. */
const CHOSEN_MARK = /\]\(\{\{[^}]*\}\}\)/g

/** The text without the mark-up of formatted texts: the colours and addresses behind their parts. */
const withoutMarks = (text: string): string => text.replace(/\]\([^)]*\)?/g, ']')

/** A warning for texts that the bundled fonts cannot show. */
function missingGlyphs(authored: AuthoredScenario, name: string): readonly string[] {
  for (const { text } of textsOf(authored)) {
    const letter = withoutGlyph(text)
    if (letter === undefined) continue
    const found = `locale=${name}: no glyphs for ${JSON.stringify(letter)} (${glyphAdvice(letter)})`
    return [`${found}; pictures show boxes, the tree has the texts`]
  }
  return []
}

/** Other words for the same control. */
export const synonyms = choiceAxis({
  name: 'synonyms',
  about: 'Labels are replaced by others of the table `synonyms`, drawn from the seed. The task keeps its words.',
  choices: ['random'],
  obstacle: ({ synonyms: table }) =>
    table && Object.keys(table).length > 0 ? undefined : 'the scenario has no synonyms',
  apply: (subject, _, random) => {
    const { synonyms: table = {} } = subject.authored
    const drawn = Object.entries(table).map(([text, others]) => {
      const [index] = drawInteger(split(random, text), 0, others.length - 1)
      return [text, others[index]!] as const
    })
    const rewrite = tableRewrite(Object.fromEntries(drawn))
    const retext = (text: string) => rewrite.text(subject.retext(text), undefined)
    const ofComputed = computedRewriter(subject.authored, rewrite, subject)
    const recompute = (text: string) => ofComputed(subject.recompute(text))
    const chosen = withWordedChoices(subject.authored, subject.data, ofChoices(rewrite))
    return { ...subject, authored: rewriteTexts(chosen, rewrite, subject), retext, recompute }
  },
})

/** The task in other words, or in another language; the screen stays. */
export const wording: VariantAxis = {
  name: 'wording',
  about: 'The task in the words of an entry of `wordings`. The screen stays.',
  values: 'a name of `wordings`',
  problem: () => undefined,
  obstacle: ({ wordings = {} }, value) => {
    if (Object.hasOwn(wordings, value)) return undefined
    const names = Object.keys(wordings)
    return names.length === 0 ? 'the scenario has no wordings' : `wordings has no ${value}; it has ${names.join(', ')}`
  },
  samples: ({ wordings = {} }) => Object.keys(wordings),
  apply: (subject, value) => withAuthored(subject, { ...subject.authored, task: subject.authored.wordings?.[value] }),
}

/** Texts and their replacements. `{{ name }}` in both stands for any text. */
export type TextTable = Readonly<Record<string, string>>

interface Pair {
  readonly from: readonly string[]
  readonly holes: readonly string[]
  readonly to: string
}

/** Rewrites texts by a table. A pattern is replaced as a whole if the table has it, otherwise the texts in it are. */
function tableRewrite(table: TextTable): TextRewrite & { has(text: string): boolean } {
  const open: Pair[] = Object.entries(table).flatMap(([from, to]) =>
    isOpenText(from) ? [{ from: from.split(HOLE), holes: from.match(HOLE) ?? [], to }] : [],
  )
  const fragments = fragmentsOf(table)
  const find = (text: string): string | undefined => {
    if (Object.hasOwn(table, text)) return table[text]
    for (const pair of open) {
      const filled = fill(pair, text)
      if (filled !== undefined) return filled
    }
    return undefined
  }
  return {
    has: (text) => find(text) !== undefined,
    text: (text) => find(text) ?? text,
    pattern: (source) => (Object.hasOwn(table, source) ? table[source]! : inPattern(source, fragments)),
  }
}

const HOLE = /\{\{[^}]*\}\}/g

/** Whether a text has holes and words beside them. One of nothing but templates and signs stands for itself, not for any text. */
const isOpenText = (text: string): boolean => text.includes('{{') && hasLetters(withoutMarks(text.replace(HOLE, '')))

/** The replacement with what the holes of `from` match in the text. */
function fill({ from, holes, to }: Pair, text: string): string | undefined {
  const [first = ''] = from
  if (!text.startsWith(first)) return undefined
  const found = new Map<string, string>()
  let at = first.length
  for (let index = 0; index < holes.length; index++) {
    const next = from[index + 1] ?? ''
    const isLast = index === holes.length - 1
    const end = isLast ? (text.endsWith(next) ? text.length - next.length : -1) : text.indexOf(next, at)
    if (end < at) return undefined
    found.set(holes[index]!.replace(/\s+/g, ''), text.slice(at, end))
    at = end + next.length
  }
  return to.replace(HOLE, (hole) => found.get(hole.replace(/\s+/g, '')) ?? hole)
}

/** Texts between the holes of sources, and those of their replacements, the longest first. */
function fragmentsOf(table: TextTable): readonly (readonly [from: string, to: string])[] {
  const cut = (text: string) => text.split(/\{\{[^}]*\}\}|\{[\w.-]+\}/g)
  return Object.entries(table)
    .flatMap(([from, to]) => {
      const [before, after] = [cut(from), cut(to)]
      return before.length === after.length
        ? before.map((part, index) => [part.trim(), after[index]!.trim()] as const)
        : []
    })
    .filter(([from, to]) => from.length >= MIN_FRAGMENT && from !== to)
    .sort(([a], [b]) => b.length - a.length)
}

const MIN_FRAGMENT = 3

/** Replaces whole words of a pattern that are texts of the table, from left to right. */
function inPattern(source: string, fragments: readonly (readonly [string, string])[]): string {
  let result = ''
  for (let at = 0; at < source.length; ) {
    const found = startsWord(source, at) ? fragmentAt(source, at, fragments) : undefined
    if (found) {
      result += escapePattern(found.to)
      at += found.length
    } else {
      const step = source[at] === '\\' ? 2 : 1
      result += source.slice(at, at + step)
      at += step
    }
  }
  return result
}

function fragmentAt(source: string, at: number, fragments: readonly (readonly [string, string])[]) {
  for (const [from, to] of fragments)
    for (const authored of new Set([escapePattern(from), from]))
      if (source.startsWith(authored, at) && endsWord(source, at + authored.length))
        return { to, length: authored.length }
  return undefined
}

const LETTER = /[\p{L}\p{N}]/u
const startsWord = (text: string, at: number): boolean =>
  at === 0 || !LETTER.test(text[at - 1]!) || (text[at - 2] === '\\' && /[bdswDSWAz]/.test(text[at - 1]!))
const endsWord = (text: string, at: number): boolean =>
  at >= text.length || !LETTER.test(text[at]!) || !LETTER.test(text[at - 1] ?? '')

/** Words that make a text longer. No scenario means them. */
const FILLER = 'lorem ipsum dolor sit amet consectetur adipiscing elit sed do eiusmod tempor incididunt ut labore'
/** How much longer texts become, as those of other languages do. */
const GROWTH = 0.5
const MIN_GROWTH = 5
/** What a longer text may end with, as a pattern. */
const ENDING = '( ‹[^›]*›)?'

/** Makes the labels of a scenario half as long again. What they begin with stays, so that patterns still find them. */
function pseudoLocale(authored: AuthoredScenario, bound: readonly BoundField[]): TextRewrite {
  const changing = boundTexts(authored, bound)
  const ofItems = textsOfItems(authored)
  const labels = new Set(
    textsOf(authored).flatMap(({ text, owner }) =>
      isLabelOwner(owner) && hasLetters(text) && !changing.has(text) && !ofItems.has(text) ? [text] : [],
    ),
  )
  return {
    text: (text, owner) => (labels.has(text) && (owner === undefined || isLabelOwner(owner)) ? lengthened(text) : text),
    pattern: (source, whole) => {
      if (whole) return `(${source})${ENDING}`
      return endsAtEnd(source) ? `${source.slice(0, -1)}${ENDING}$` : source
    },
  }
}

/** `Save ‹lorem›`. A line break stays behind the text. */
export function lengthened(text: string): string {
  const trimmed = text.trimEnd()
  const length = Math.max(MIN_GROWTH, Math.ceil(trimmed.length * GROWTH))
  const filler = FILLER.repeat(Math.ceil(length / FILLER.length))
    .slice(0, length)
    .trimEnd()
  return `${trimmed} ‹${filler}›${text.slice(trimmed.length)}`
}

/** The texts of elements that follow the data, as far as they show data. */
function textsOfItems(authored: AuthoredScenario): ReadonlySet<string> {
  const found = new Set<string>()
  const below = (element: AuthoredElement | undefined): void => {
    for (const text of Object.values(element ?? {}))
      if (typeof text === 'string' && text.includes('{{')) found.add(text)
    element?.children?.forEach(below)
  }
  treesOf(authored).forEach(below)
  return found
}

/** The initial texts of fields that change with the data. Their later texts cannot be foreseen, so they stay. */
function boundTexts(authored: AuthoredScenario, bound: readonly BoundField[]): ReadonlySet<string> {
  const found = new Set<string>()
  if (bound.length === 0) return found
  const places = new Set(bound.map(({ window, element = '', field }) => JSON.stringify([window, element, field])))
  const note = (uid: string, id: string, part: object): void => {
    for (const [field, text] of Object.entries(part))
      if (typeof text === 'string' && places.has(JSON.stringify([uid, id, field]))) found.add(text)
  }
  const below = (uid: string, element: AuthoredElement, position: string): void => {
    note(uid, element.id ?? position, element)
    element.children?.forEach((child, index) => {
      below(uid, child, `${position}.${index}`)
    })
  }
  for (const { window, uid } of allWindows(authored)) {
    note(uid, '', window)
    if (window.tree) below(uid, window.tree, 'root')
  }
  return found
}

/** Whether a pattern ends with `$`, not with the sign itself (`\\$`). */
function endsAtEnd(source: string): boolean {
  let slashes = 0
  while (source[source.length - 2 - slashes] === '\\') slashes++
  return source.endsWith('$') && slashes % 2 === 0
}
