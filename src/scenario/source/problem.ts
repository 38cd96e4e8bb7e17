import type * as z from 'zod'
import { problemWords } from '../../base/external-values.ts'
import { Fault } from '../../base/fault.ts'
import { didYouMean, shortened, suggest, suggestByWord, toText } from '../../base/strings.ts'
import { choicesAt, hasLiteral, keysAt, objectsAt } from './schema-keys.ts'
import type { KeyPath, Source } from './source.ts'
import type { SourcePlace } from './yaml.ts'

/** The kinds of problems, with messages that do not quote the file. */
export const PROBLEM_KINDS = {
  yaml: 'this is not valid YAML',
  size: 'the file is larger or nested deeper than allowed',
  'unknown-key': 'this key is not known here',
  'missing-key': 'a key is missing here',
  type: 'this value has the wrong type',
  value: 'this value is not allowed here',
  reference: 'this does not fit the rest of the file: a missing or duplicate name, or an invalid pattern',
} as const satisfies Record<string, string>

export type ProblemKind = keyof typeof PROBLEM_KINDS

/** A problem of a file and its position. Lines and columns count from 1. */
export interface ScenarioProblem {
  readonly kind: ProblemKind
  /** The file, where it is one that the scenario includes. */
  readonly file?: string
  readonly line: number
  readonly column: number
  /** Such as `states.start.windows[0].tree.role`; empty for the file as a whole. */
  readonly path: string
  readonly message: string
  /** The line of the file, with carets below the part that is wrong. */
  readonly frame: string
}

/** A problem before its position in the text is known. */
export interface UnlocatedProblem {
  readonly path: KeyPath
  readonly message: string
  /** Whether the key is wrong rather than its value. */
  readonly key?: boolean
  /** `reference` by default. */
  readonly kind?: ProblemKind
  /** The key or choice that was probably meant by a wrong one. */
  readonly meant?: string
}

/** `; did you mean "role"?`, or an empty text if no choice is similar or the limit of searches is reached. */
export type Suggest = (authored: string, choices: Iterable<string>) => string

/** Reports a problem, optionally with a suggestion. `key`: the key is wrong rather than its value. */
export type ReportProblem = (path: KeyPath, message: string | ((hint: Suggest) => string), key?: boolean) => void

const MAX_PROBLEMS = 20
/** The maximum number of unknown keys reported in one place. */
const MAX_KEYS = 100
const FRAME_WIDTH = 100
const MAX_SHOWN = 60
/** Messages and paths quote names of the file, which may be as long as the file. */
const MAX_MESSAGE = 1500
const MAX_PATH = 300
/** Of more choices than this, only some are listed. */
const MAX_CHOICES = 30
const SOME = 6

/** The `ScenarioInvalid` fault with all problems of a file, in the order of their lines. */
export function scenarioFault(file: string, problems: readonly ScenarioProblem[]): Fault {
  const all = inOrder(problems)
  const sorted = all.slice(0, MAX_PROBLEMS)
  const lines = sorted.map((problem) => formatProblem(file, problem))
  const more = all.length - sorted.length
  if (more > 0) lines.push(`… and ${more} more`)
  return new Fault('ScenarioInvalid', lines.join('\n'), { path: file, issues: sorted })
}

/**
 * The fault as it may be sent to clients: every problem with line, column and kind, without any text of the file. A
 * fault that quotes no file is returned unchanged.
 */
export function withoutExcerpts(fault: Fault): Fault {
  const { path } = fault.context
  const issues = quotedIn(fault)
  if (!issues) return fault
  const shared = issues.map(({ line, column, kind }) => ({
    line,
    column,
    kind,
    message: PROBLEM_KINDS[kind],
  }))
  const lines = shared.map(({ line, column, message }) => `${path}:${line}:${column}: ${message}`)
  const where = '`backlot validate` on the machine of the server shows the lines'
  return new Fault('ScenarioInvalid', [...lines, where].join('\n'), { path, issues: shared })
}

/** The fault for a text that the caller sent: every problem, without the quoted lines. */
export function withoutFrames(fault: Fault): Fault {
  const { path } = fault.context
  const issues = quotedIn(fault)
  if (!issues) return fault
  const shared = issues.map(({ frame: _frame, ...problem }) => problem)
  const lines = shared.map((problem) => headOf(String(path), problem))
  return new Fault('ScenarioInvalid', lines.join('\n'), { path, issues: shared })
}

/** The problems of a fault that quotes a file. */
function quotedIn({ code, context: { issues } }: Fault): readonly ScenarioProblem[] | undefined {
  if (code !== 'ScenarioInvalid' || !Array.isArray(issues)) return undefined
  return issues.some((issue) => 'frame' in issue) ? issues : undefined
}

/** Sorts problems by line. A problem that aliases repeat is listed once, with its first path. */
export function inOrder(problems: readonly ScenarioProblem[]): readonly ScenarioProblem[] {
  const once = new Map<string, ScenarioProblem>()
  for (const problem of problems) {
    const key = JSON.stringify([problem.file, problem.line, problem.column, problem.message])
    if (!once.has(key)) once.set(key, problem)
  }
  const inFile = ({ file = '' }: ScenarioProblem, { file: other = '' }: ScenarioProblem) =>
    file.localeCompare(other, 'en')
  return [...once.values()].sort((a, b) => inFile(a, b) || a.line - b.line || a.column - b.column)
}

/** A problem as text for a terminal: position, message, and the line of the file. */
export const formatProblem = (file: string, problem: ScenarioProblem, label = ''): string =>
  `${headOf(file, problem, label)}\n${problem.frame}`

function headOf(
  scenario: string,
  { file = scenario, line, column, path, message }: Omit<ScenarioProblem, 'frame'>,
  label = '',
): string {
  const about = path === '' ? message : `${path}: ${message}`
  return `${file}:${line}:${column}: ${label}${about}`
}

/** Adds the position and the quoted line to a problem. */
export function locate(rows: SourceLines, source: Source, complaint: UnlocatedProblem): ScenarioProblem {
  const place = complaint.key ? source.keyPlace(complaint.path) : source.valuePlace(complaint.path)
  return problemAt(rows, place, complaint.message, complaint.kind ?? 'reference', formatPath(complaint.path))
}

/** The lines of a file, split once for all of its problems. */
export type SourceLines = readonly string[]

/** A problem of a file at `place`. */
export function problemAt(
  rows: SourceLines,
  place: SourcePlace,
  message: string,
  kind: ProblemKind,
  path = '',
): ScenarioProblem {
  const { file, line, column } = place
  return {
    kind,
    ...(file !== undefined && { file }),
    line,
    column,
    path: shortened(path, MAX_PATH),
    message: shortened(message, MAX_MESSAGE),
    frame: frameAt(rows, place),
  }
}

function frameAt(rows: SourceLines, { line, column, length }: SourcePlace): string {
  const authored = (rows[line - 1] ?? '').replace(/\r$/, '').replace(/\t/g, ' ')
  // A long line is shown from shortly before the position.
  const from = column > FRAME_WIDTH - 20 ? column - 20 : 0
  const shown = authored.slice(from, from + FRAME_WIDTH)
  const start = column - 1 - from
  const carets = Math.max(1, Math.min(length, shown.length - start))
  const gutter = String(line)
  return `${gutter} | ${shown}\n${' '.repeat(gutter.length)} | ${' '.repeat(start)}${'^'.repeat(carets)}`
}

/** `states.start.windows[0].tree` */
export const formatPath = (path: KeyPath): string =>
  path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`
    const plain = /^[\p{L}\p{N}_-]+$/u.test(part) ? part : JSON.stringify(part)
    return text === '' ? plain : `${text}.${plain}`
  }, '')

/** Keys that are valid in a map at a path beside those of its schema. */
export type OtherKeys = (path: KeyPath) => { readonly keys: readonly string[]; readonly listed: boolean }

const NO_OTHER_KEYS: OtherKeys = () => ({ keys: [], listed: false })

/** A schema, what was written and which other keys are valid. */
interface Judged {
  readonly schema: z.ZodType
  readonly value: unknown
  readonly otherKeys: OtherKeys
}

/** The problems that a schema finds in a value, with messages in plain words and the nearest valid key. */
export function problemsOfSchema(
  schema: z.ZodType,
  value: unknown,
  error: z.ZodError,
  otherKeys: OtherKeys = NO_OTHER_KEYS,
): readonly UnlocatedProblem[] {
  const judged = { schema, value, otherKeys }
  return narrowest(error.issues).flatMap((issue) => complain(judged, issue, []))
}

/** Of several limits that a number exceeds, only the narrowest is reported. */
function narrowest(issues: readonly z.core.$ZodIssue[]): readonly z.core.$ZodIssue[] {
  const found = new Map<string, z.core.$ZodIssue>()
  const keyOf = ({ code, path }: z.core.$ZodIssue) => `${code} ${formatPath(path as KeyPath)}`
  const limits = issues.filter(({ code }) => code === 'too_small' || code === 'too_big')
  for (const issue of limits) {
    const known = found.get(keyOf(issue))
    if (!known || isNarrower(issue, known)) found.set(keyOf(issue), issue)
  }
  const wider = new Set(limits.filter((issue) => isNarrower(found.get(keyOf(issue))!, issue)))
  return issues.filter((issue) => !wider.has(issue))
}

/** Whether a limit of the same kind, on the same value, allows less. */
function isNarrower(a: z.core.$ZodIssue, b: z.core.$ZodIssue): boolean {
  if (a.code === 'too_small' && b.code === 'too_small') return a.minimum > b.minimum
  return a.code === 'too_big' && b.code === 'too_big' && a.maximum < b.maximum
}

/** `isNearest`: the issue is that of the nearest of several shapes. */
function complain(
  judged: Judged,
  issue: z.core.$ZodIssue,
  above: KeyPath,
  isNearest = false,
): readonly UnlocatedProblem[] {
  const { schema, value } = judged
  const path = [...above, ...(issue.path as KeyPath)]
  const found = path.reduce<unknown>((part, key) => (part as Record<string, unknown> | undefined)?.[key], value)
  switch (issue.code) {
    case 'unrecognized_keys': {
      // Of several shapes, zod reports the only one with unknown keys and nothing else, which need not be the nearest.
      const shapes = isNearest ? [] : objectsAt(schema, path)
      if (shapes.length > 1 && !shapes.some(hasLiteral)) {
        const errors = shapes.map((shape) => shape.safeParse(found, { jitless: true }).error?.issues ?? [])
        return complainOfShapes(judged, errors, path, found)
      }
      const keys = keysAt(schema, path, found as object, issue.keys)
      const other = judged.otherKeys(path)
      const listed = other.listed ? [...keys, ...other.keys] : keys
      return issue.keys.slice(0, MAX_KEYS).map((key) => {
        const [meant] = suggest(key, [...keys, ...other.keys])
        return {
          path: [...path, key],
          message: unknownKey(key, meant, listed),
          key: true,
          kind: 'unknown-key',
          ...(meant !== undefined && { meant }),
        }
      })
    }
    case 'invalid_type':
      if (found === undefined)
        return [{ path, message: `is missing; expected ${typeName(issue.expected)}`, key: true, kind: 'missing-key' }]
      return [{ path, message: `expected ${typeName(issue.expected)}, found ${show(found)}`, kind: 'type' }]
    case 'invalid_value': {
      const choices = issue.values.map(String)
      if (found === undefined)
        return [{ path, message: `is missing; expected ${oneOf(choices)}`, key: true, kind: 'missing-key' }]
      const meant = meantChoice(toText(found), choices)
      const near = meant === undefined ? '' : `; did you mean ${JSON.stringify(meant)}?`
      const many = choices.length > MAX_CHOICES
      const wanted = many
        ? `one of ${choices.length} names${near === '' ? ` such as ${someOf(choices)}` : ''}`
        : oneOf(choices)
      return [
        {
          path,
          message: `expected ${wanted}, found ${show(found)}${near}`,
          kind: 'value',
          ...(meant !== undefined && { meant }),
        },
      ]
    }
    case 'invalid_union':
      return complainOfUnion(judged, issue, path, found)
    case 'invalid_key':
      return [{ path, message: 'expected a name that is not empty', key: true, kind: 'value' }]
    case 'too_small':
      return [
        {
          path,
          message: `expected ${limit(issue.origin, issue.inclusive === false ? 'more than' : 'at least', issue.minimum)}, found ${show(found)}`,
          kind: 'value',
        },
      ]
    case 'too_big':
      return [
        {
          path,
          message: `expected ${limit(issue.origin, issue.inclusive === false ? 'less than' : 'at most', issue.maximum)}, found ${show(found)}`,
          kind: 'value',
        },
      ]
    default:
      return [{ path, message: problemWords(issue), kind: 'value' }]
  }
}

/** The choice that was probably meant: one with similar spelling, or that contains these words. */
const meantChoice = (authored: string, choices: readonly string[]): string | undefined =>
  suggest(authored, choices)[0] ?? suggestByWord(authored, choices)

const someOf = (choices: readonly string[]): string => choices.slice(0, SOME).join(', ')

/** Of several shapes, reports the problems of the nearest one. */
function complainOfUnion(
  judged: Judged,
  issue: z.core.$ZodIssueInvalidUnion,
  path: KeyPath,
  found: unknown,
): readonly UnlocatedProblem[] {
  if (issue.errors.length === 0) {
    const choices = choicesAt(judged.schema, path)
    return [
      {
        path,
        message: `expected ${oneOf(choices)}, found ${show(found)}${didYouMean(toText(found), choices)}`,
        kind: 'value',
      },
    ]
  }
  return complainOfShapes(judged, issue.errors, path, found)
}

function complainOfShapes(
  judged: Judged,
  errors: readonly (readonly z.core.$ZodIssue[])[],
  path: KeyPath,
  found: unknown,
): readonly UnlocatedProblem[] {
  const inside = errors.filter(
    (branch) =>
      branch.every(({ code, path }) => code !== 'invalid_type' || path.length) && !lacksDiscriminator(branch, found),
  )
  const branch = inside.sort((a, b) => unknownIn(a).length - unknownIn(b).length || faults(a) - faults(b))[0]
  const unknown = branch && missesKey(branch, found) ? unknownToAll(errors) : []
  if (unknown.length > 0) return complain(judged, { ...UNKNOWN, keys: [...unknown], path: [] }, path, true)
  if (branch) return narrowest(branch).flatMap((inner) => complain(judged, inner, path, inner.path.length === 0))
  const types = errors.flatMap((issues) =>
    issues.flatMap((inner) => (inner.code === 'invalid_type' ? [typeName(inner.expected)] : [])),
  )
  const wanted = [...new Set(types)].join(' or ')
  return found === undefined
    ? [{ path, message: `is missing; expected ${wanted}`, key: true, kind: 'missing-key' }]
    : [{ path, message: `expected ${wanted}, found ${show(found)}`, kind: 'type' }]
}

/** Whether the key that chooses among further shapes is missing, so that none of those shapes is the intended one. */
const lacksDiscriminator = (issues: readonly z.core.$ZodIssue[], found: unknown): boolean =>
  issues.some(({ code }) => code === 'invalid_union') && issues.length === 1 && missesKey(issues, found)

const UNKNOWN = { code: 'unrecognized_keys', message: '' } as const

const missesKey = (issues: readonly z.core.$ZodIssue[], found: unknown): boolean =>
  issues.some(({ path }) => path.length === 1 && !Object.hasOwn(Object(found), path[0]!))

/** The keys of the value that a shape does not have. A shape that has them all is the intended one. */
const unknownIn = (issues: readonly z.core.$ZodIssue[]): readonly string[] =>
  issues.flatMap((issue) => (issue.code === 'unrecognized_keys' && issue.path.length === 0 ? issue.keys : []))

/** The keys that no shape has. If one of them is a typo, it hides the intended shape. */
const unknownToAll = (branches: readonly (readonly z.core.$ZodIssue[])[]): readonly string[] => {
  const [first = [], ...others] = branches.map(unknownIn)
  return first.filter((key) => others.every((keys) => keys.includes(key)))
}

/** The number of problems; each unknown key counts. */
const faults = (issues: readonly z.core.$ZodIssue[]): number =>
  issues.reduce((sum, issue) => sum + (issue.code === 'unrecognized_keys' ? issue.keys.length : 1), 0)

function unknownKey(key: string, meant: string | undefined, listed: readonly string[]): string {
  const choices = `he keys here are ${listed.join(', ')}`
  const wrong = `unknown key ${JSON.stringify(shortened(key, MAX_SHOWN))}`
  return meant === undefined ? `${wrong}; t${choices}` : `${wrong}; did you mean ${JSON.stringify(meant)}? T${choices}`
}

/** The problem, the nearest valid choice if one is similar, and the choices. */
export function notOneOf(wrong: string, authored: string, choices: Iterable<string>, listed: string): string {
  const hint = didYouMean(authored, choices)
  return hint === '' ? `${wrong}; ${listed}` : `${wrong}${hint} ${listed[0]!.toUpperCase()}${listed.slice(1)}`
}

const oneOf = (choices: readonly string[]): string =>
  choices.length === 1 ? JSON.stringify(choices[0]) : `one of ${choices.join(', ')}`

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: 'text',
  int: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  object: 'keys with values',
  record: 'keys with values',
  array: 'a list',
  tuple: 'a list',
  null: 'null',
}

const typeName = (type: string): string => TYPE_NAMES[type] ?? type

const MEASURES: Readonly<Record<string, string>> = { string: ' characters', array: ' entries' }

const limit = (origin: string, words: string, amount: number | bigint): string =>
  `${words} ${amount}${MEASURES[origin] ?? ''}`

function show(value: unknown): string {
  if (value === null) return 'nothing'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object') return 'keys with values'
  const text = JSON.stringify(value) ?? String(value)
  return shortened(text, MAX_SHOWN)
}
