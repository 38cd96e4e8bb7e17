import { Fault } from '../../base/fault.ts'
import { compilePattern } from '../../base/pattern/pattern.ts'
import { exists, type Files, isFile, readFile } from '../../desktop/files/files.ts'
import { filesOf } from '../../desktop/model/desktop.ts'
import { valueAt } from '../data/data-change.ts'
import { evaluateLive, type LocalNames } from '../data/evaluate.ts'
import { evaluateTemplate } from '../data/live-template.ts'
import { type DataValue, isList } from '../expression/data-type.ts'
import { liveContext } from '../run/live-context.ts'
import type { ScenarioRun } from '../run/scenario-run.ts'
import type { ChangesOracle, DataDifference, FileDifference } from '../schema/oracles.ts'
import type { Finding } from './predicate.ts'
import { type DataRecord, isRecord, recordDifferences } from './record-differences.ts'
import { scopeOf } from './scope.ts'

const MAX_DIFFERENCES = 20

/** Compares all variables and files of a run with the start. Every difference that is not listed fails and is named. */
export function evaluateChanges({ exactly, ignore }: ChangesOracle, run: ScenarioRun): Finding {
  const isIgnored = ignoring(ignore)
  const data = exactly.filter((entry) => 'var' in entry)
  const files = exactly.filter((entry) => 'file' in entry)
  const differences = [...dataDifferences(data, run, isIgnored), ...fileDifferences(files, run, isIgnored)]
  return { passed: differences.length === 0, observed: { differences: differences.slice(0, MAX_DIFFERENCES) } }
}

/** Variables by name and files by path, in which `*` is any part of a name and `**` any part of a path. */
function ignoring(ignore: readonly string[]): (name: string) => boolean {
  const names = new Set(ignore)
  const patterns = ignore.filter((name) => name.includes('*')).map((name) => compilePattern(patternOf(name)))
  return (name) => names.has(name) || patterns.some((pattern) => pattern.search(name))
}

const patternOf = (glob: string): string =>
  `^${glob
    .split(/(\*+)/)
    .map((part) => (part.startsWith('**') ? '.*' : part === '*' ? '[^/]*' : part.replace(/[\\^$.+?()[\]{}|]/g, '\\$&')))
    .join('')}$`

function dataDifferences(
  entries: readonly DataDifference[],
  run: ScenarioRun,
  isIgnored: (name: string) => boolean,
): readonly string[] {
  const initial = run.scenario.data
  return Object.keys(initial).flatMap((name) => {
    if (isIgnored(name)) return []
    const own = entries.filter((entry) => entry.var.split('.')[0] === name)
    if (own.length === 0 && initial[name] === run.data[name]) return []
    return variableDifferences(name, own, run)
  })
}

function variableDifferences(name: string, entries: readonly DataDifference[], run: ScenarioRun): readonly string[] {
  let expected: DataValue = run.scenario.data[name] ?? null
  const appended: DataRecord[] = []
  const wrong: string[] = []
  for (const entry of entries) {
    const path = entry.var.split('.').slice(1)
    if (Object.hasOwn(entry, 'to')) {
      expected = withPart(expected, path, filledValue(entry.to as DataValue, run))
      continue
    }
    const list = path.length === 0 ? expected : valueAt({ expected }, ['expected', ...path].join('.'))
    if (entry.appended) {
      appended.push(filledValue(entry.appended as DataValue, run) as DataRecord)
      continue
    }
    const changed = changedRecords(entry, list, run)
    if (changed.message !== undefined) wrong.push(changed.message)
    expected = withPart(expected, path, changed.list)
  }
  const actual = run.data[name] ?? null
  return [...wrong, ...recordDifferences(name, expected, actual, appended)]
}

/** The records without those that are removed, and with the fields that differ. */
function changedRecords(
  { var: name, where, change, removed }: DataDifference,
  list: DataValue,
  run: ScenarioRun,
): { readonly list: DataValue; readonly message?: string } {
  if (list === null || !isList(list)) return { list, message: `${name} is not a list` }
  const test = removed ?? where ?? 'true'
  const row = scopeOf(run).rowOf(name) ?? {}
  let count = 0
  const next = list.flatMap((record): readonly DataValue[] => {
    const locals = { types: row, values: { row: record } }
    if (!holds(test, run, locals)) return [record]
    count++
    if (removed !== undefined) return []
    return [
      isRecord(record)
        ? { ...record, ...(filledValue((change ?? {}) as DataValue, run, locals) as DataRecord) }
        : record,
    ]
  })
  return count === 0 ? { list: next, message: `no record of ${name} fitted ${test} at the start` } : { list: next }
}

function holds(condition: string, run: ScenarioRun, locals: LocalNames): boolean {
  const result = evaluateLive(scopeOf(run), condition, liveContext(run), locals)
  if ('message' in result) throw new Fault('BadRequest', `${condition}: ${result.message}`)
  return result.value === true
}

/** A value with its templates filled. */
function filledValue(value: DataValue, run: ScenarioRun, locals?: LocalNames): DataValue {
  const { program } = run.scenario
  if (!program) return value
  if (typeof value === 'string') return evaluateTemplate(program, value, liveContext(run), { locals }).value
  if (isRecord(value))
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, filledValue(part, run, locals)]))
  return value !== null && typeof value === 'object' && isList(value)
    ? value.map((part) => filledValue(part, run, locals))
    : value
}

function withPart(whole: DataValue, [name, ...rest]: readonly string[], part: DataValue): DataValue {
  if (name === undefined) return part
  const own = isRecord(whole) ? whole : {}
  return { ...own, [name]: withPart(own[name] ?? null, rest, part) }
}

function fileDifferences(
  entries: readonly FileDifference[],
  run: ScenarioRun,
  isIgnored: (name: string) => boolean,
): readonly string[] {
  const before = run.scenario.files ?? {}
  const after = filesOf(run.desktop)
  if (entries.length === 0 && before === after) return []
  const listed = new Map(entries.map((entry) => [entry.file, entry]))
  const paths = new Set([...Object.keys(before), ...Object.keys(after), ...listed.keys()])
  return [...paths].sort().flatMap((path) => {
    const entry = listed.get(path)
    const [was, is] = [textAt(before, path), textAt(after, path)]
    if (entry) {
      const isThere = is !== undefined
      if ((entry.exists ?? isThere) !== isThere) return [isThere ? `${path} exists` : `${path} does not exist`]
      if (entry.text !== undefined && entry.text !== is) return [differs(path, is, entry.text)]
      return []
    }
    if (isIgnored(path) || was === is) return []
    if (was === undefined) return [`${path} is new`]
    return [is === undefined ? `${path} is gone` : differs(path, is, was)]
  })
}

const differs = (path: string, is: string | null | undefined, expected: string | null): string =>
  `${path} is ${content(is)} instead of ${content(expected)}`

const content = (text: string | null | undefined): string => (text === null ? 'a folder' : short(text))

/** The text of a file, null for a folder, undefined for what does not exist. */
const textAt = (files: Files, path: string): string | null | undefined =>
  isFile(files, path) ? readFile(files, path) : exists(files, path) ? null : undefined

const MAX_SHOWN = 60

const short = (value: unknown): string => {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text
}
