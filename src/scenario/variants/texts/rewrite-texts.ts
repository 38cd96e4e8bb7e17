import { escapePattern } from '../../../base/pattern/pattern.ts'
import { kindOf } from '../../../desktop/model/role.ts'
import { type AttributeTest, formatSelector, parseSelector } from '../../../desktop/selector/selector.ts'
import type { WrittenElement } from '../../schema/element.ts'
import type { WrittenScenario } from '../../schema/scenario.ts'
import { treesOf } from '../geometry/map-windows.ts'
import { type PlainObject, rewriteJson } from '../rewrite-json.ts'
import { isData, kindsById, ownerOf, TEXT_KEYS, type TextOwner } from './texts-of.ts'

/** The keys of tables and columns with expressions over rows. */
const OF_ROWS: ReadonlySet<string> = new Set(['formula', 'filter', 'unread_where'])

/** How texts become others, and the patterns that look for them. */
export interface TextRewrite {
  /** The new text. `owner` is undefined where a text may belong to anything. */
  text(text: string, owner: TextOwner | undefined): string
  /** The pattern that finds the new texts where `source` found the old ones. `whole`: it matches a whole text. */
  pattern(source: string, whole: boolean): string
  /** The new text of a label of the shell, which the desktop makes. Undefined if it stays, or is no such label. */
  ofShell?(text: string): string | undefined
}

/**
 * Rewrites the texts of a scenario: on the screen, in what reactions and timers write and wait for, and in the oracles and
 * the solution. Ids, typed texts and files stay.
 */
export function rewriteTexts(written: WrittenScenario, rewrite: TextRewrite): WrittenScenario {
  const kinds = kindsById(written)
  const titles = columnTitles(written)
  const onScreen = (key: string, value: unknown, owner: PlainObject): unknown => {
    if (key === 'with' || isData(key, owner)) return value
    if (key === 'rows' && Array.isArray(value) && value.every((row) => typeof row === 'string'))
      return value.map((row: string) => rewrite.text(row, 'listitem'))
    if (key === 'target_name' && typeof value === 'string') return rewrite.text(value, undefined)
    if (typeof value !== 'string') return undefined
    if (isSelector(key)) return rewriteSelector(value, rewrite, titles)
    if (TEXT_KEYS.has(key) || key === 'value') return rewrite.text(value, ownerOf(key, owner, kinds))
    if (key === 'text_regex' && owner.tool === 'select_option') return rewrite.pattern(value, true)
    if (key === 'value_regex' && ownerOf('value', owner, kinds) !== 'value') return rewrite.pattern(value, false)
    return OF_ROWS.has(key) || isExpression(key) ? rewriteExpression(value, rewrite) : undefined
  }
  const inProof = (key: string, value: unknown, owner: PlainObject): unknown => {
    if (typeof value !== 'string') return undefined
    if (isSelector(key)) return rewriteSelector(value, rewrite, titles)
    if (key === 'regex' || key.endsWith('_regex')) return rewrite.pattern(value, false)
    if (key === 'option_name') return rewrite.text(value, 'listitem')
    if (key === 'expected') return isScreenValue(owner) ? rewrite.text(value, 'listitem') : undefined
    return isExpression(key) ? rewriteExpression(value, rewrite) : undefined
  }
  return {
    ...written,
    states: rewriteJson(written.states, onScreen),
    ...(written.apps && { apps: written.apps.map((app) => ({ ...app, name: rewrite.text(app.name, 'title') })) }),
    ...(written.windows && { windows: rewriteJson(written.windows, onScreen) }),
    ...(written.reactions && { reactions: rewriteJson(written.reactions, onScreen) }),
    ...(written.timers && { timers: rewriteJson(written.timers, onScreen) }),
    ...(written.oracles && { oracles: rewriteJson(written.oracles, inProof) }),
    ...(written.solution && { solution: rewriteJson(written.solution, inProof) }),
    ...(written.solutions && { solutions: rewriteJson(written.solutions, inProof) }),
  }
}

/** Whether `expected` is the value of an element rather than of a file or the clipboard. */
const isScreenValue = ({ kind }: PlainObject): boolean => kind === 'value_equals'

const isSelector = (key: string): boolean => key === 'selector' || key.endsWith('_selector')

const isExpression = (key: string): boolean => key === 'expression' || key === 'if' || key === 'where'

/** Rewrites the texts in quotes of an expression. */
const rewriteExpression = (source: string, { text }: TextRewrite): string =>
  source.replace(/"([^"\\]*)"|'([^'\\]*)'/g, (quoted, double?: string, single?: string) => {
    const content = double ?? single ?? ''
    const next = text(content, undefined)
    return next === content ? quoted : JSON.stringify(next)
  })

/** The titles of columns, which are the names of their cells. */
function columnTitles(written: WrittenScenario): ReadonlySet<string> {
  const titles = new Set<string>()
  const note = ({ columns = [], children = [] }: WrittenElement): void => {
    for (const { title } of columns) if (title !== undefined) titles.add(title)
    children.forEach(note)
  }
  treesOf(written).forEach(note)
  return titles
}

function rewriteSelector(source: string, rewrite: TextRewrite, titles: ReadonlySet<string>): string {
  // A selector that an expression gives is known only while the solution runs.
  if (source.trimStart().startsWith('{{')) return source
  const selector = parseSelector(source)
  let isChanged = false
  const steps = selector.steps.map((step) => {
    const kind = step.role === undefined ? undefined : kindOf(step.role)
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
