import { isDeepStrictEqual } from 'node:util'
import { Fault } from '../../base/fault.ts'
import { compilePattern } from '../../base/pattern.ts'
import { filesOf } from '../../desktop/model/desktop.ts'
import { exists, type Files, isFile, readFile } from '../../desktop/model/files.ts'
import { valueAt } from '../data/data-change.ts'
import { evaluateLive, type LocalNames } from '../data/scope.ts'
import { type DataValue, isList } from '../expression/data-type.ts'
import { evaluateTemplate } from '../live/live-template.ts'
import { liveContext, scopeOf } from '../live-context.ts'
import type { Finding } from '../predicate.ts'
import type { ScenarioRun } from '../scenario-run.ts'
import type { ChangesOracle, DataDifference, FileDifference } from '../schema/oracles.ts'

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
    const own = entries.filter((entry) => entry.var.split('.')[0] === name)
    if (isIgnored(name) || (own.length === 0 && name === 'browser' && run.scenario.sites.size > 0)) return []
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

const content = (text: string | null | undefined): string => (text === null ? 'a folder' : shortContent(text))

/** The text of a file, null for a folder, undefined for what does not exist. */
const textAt = (files: Files, path: string): string | null | undefined =>
  isFile(files, path) ? readFile(files, path) : exists(files, path) ? null : undefined

const MAX_CONTENT_CHARACTERS = 60

const shortContent = (value: unknown): string => {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > MAX_CONTENT_CHARACTERS ? `${text.slice(0, MAX_CONTENT_CHARACTERS)}…` : text
}

type DataRecord = Readonly<Record<string, DataValue>>

/** Whether a value is a record. */
const isRecord = (value: DataValue): value is DataRecord =>
  typeof value === 'object' && value !== null && !isList(value)

/**
 * How a value differs from the expected one, in words.
 * @param appended New records of a list; their other fields may have any value.
 */
function recordDifferences(
  name: string,
  expected: DataValue,
  actual: DataValue,
  appended: readonly DataRecord[] = [],
): readonly string[] {
  if (appended.length === 0 && isDeepStrictEqual(expected, actual)) return []
  if (isRecord(expected) && isRecord(actual))
    return [...new Set([...Object.keys(expected), ...Object.keys(actual)])].flatMap((field) =>
      recordDifferences(`${name}.${field}`, expected[field] ?? null, actual[field] ?? null),
    )
  if (isListOf(expected) && isListOf(actual)) return listDifferences(name, expected, actual, appended)
  return [`${name} is ${shortValue(actual)} instead of ${shortValue(expected)}`]
}

const isListOf = (value: DataValue): value is readonly DataValue[] => value !== null && isList(value)

function listDifferences(
  name: string,
  expected: readonly DataValue[],
  actual: readonly DataValue[],
  appended: readonly DataRecord[],
): readonly string[] {
  const key = keyOf(expected, actual)
  const labelOf = (value: DataValue, index: number): string =>
    key === undefined ? `${name}[${index}]` : `${name}[${key} ${shortValue((value as DataRecord)[key])}]`
  const labels = new Map(expected.map((value, index) => [labelOf(value, index), value]))
  const missing = new Map(labels)
  const differences: string[] = []
  const open = [...appended]
  const kept: string[] = []
  for (const [index, value] of actual.entries()) {
    const label = labelOf(value, index)
    const wanted = missing.get(label)
    if (wanted !== undefined && missing.delete(label)) {
      kept.push(label)
      differences.push(...recordDifferences(label, wanted, value))
      continue
    }
    const at = open.findIndex((record) => isRecord(value) && fits(value, record))
    if (at >= 0) open.splice(at, 1)
    else differences.push(`${name} has a new record: ${shortValue(value)}`)
  }
  for (const label of missing.keys()) differences.push(`${label} is gone`)
  for (const record of open) differences.push(`${name} has no new record with ${shortValue(record)}`)
  if (differences.length > 0) return differences
  const order = [...labels.keys()]
  return kept.every((label, index) => label === order[index]) ? [] : [`the order of ${name} differs`]
}

const fits = (value: DataRecord, record: DataRecord): boolean =>
  Object.entries(record).every(([field, part]) => isDeepStrictEqual(value[field], part))

/** A field that tells the records of both lists apart: `id` if there is one, otherwise the first. */
function keyOf(...lists: readonly (readonly DataValue[])[]): string | undefined {
  const [first] = lists.flat()
  if (first === undefined || !isRecord(first)) return undefined
  const key = Object.hasOwn(first, 'id') ? 'id' : Object.keys(first)[0]
  const isKey = (list: readonly DataValue[]) =>
    list.every((value) => isRecord(value) && Object.hasOwn(value, key!)) &&
    new Set(list.map((value) => JSON.stringify((value as DataRecord)[key!]))).size === list.length
  return key !== undefined && lists.every(isKey) ? key : undefined
}

const MAX_VALUE_CHARACTERS = 80

const shortValue = (value: unknown): string => {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > MAX_VALUE_CHARACTERS ? `${text.slice(0, MAX_VALUE_CHARACTERS)}…` : text
}
