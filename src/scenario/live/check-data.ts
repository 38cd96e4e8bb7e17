import { didYouMean, shortened } from '../../base/strings.ts'
import { misfit, nameOfType } from '../data/run-data.ts'
import { EVENT_PLACE, rowNamesOf, typeAt, unknownVariable } from '../data/scope.ts'
import { ANY, type DataType, type DataValue, isList } from '../expression/data-type.ts'
import { isProblem } from '../expression/expression.ts'
import type { KeyPath } from '../source/source.ts'
import { templateExpression } from '../source/template.ts'
import { type CompileWork, reportMissing, reportUntyped, type Surroundings } from './compile-expression.ts'
import { misfitOfExpression } from './prepare-live.ts'

/** Checks entries that change or compare a variable, with the values that they store. */

/** Keys of an entry with `var` whose values are stored, and the type that each takes from that of the variable. */
export const STORED: Readonly<Record<string, (type: DataType) => DataType | undefined>> = {
  to: (type) => type,
  append: (type) => (type.kind === 'list' ? type.items : type.kind === 'any' ? type : undefined),
}

/** Checks the variable, or the field of an item, that an element is bound to. */
export function checkBind(bind: unknown, path: KeyPath, near: Surroundings, work: CompileWork): void {
  if (typeof bind !== 'string') return
  const { scope, report } = work
  const places = { ...scope.vars, ...near.locals }
  if (!typeAt(places, bind)) report(path, unknownVariable(bind, places, scope))
  reportUntyped([bind], path, near, work)
  const computed = near.computed?.get(bind.split('.')[0]!)
  if (computed !== undefined)
    report(
      path,
      `${bind} is computed by ${shortened(computed)} and cannot be written; repeat over a variable, or show it with value: '{{ … }}'`,
    )
}

/** Checks an entry that changes or compares a variable. */
export function checkData(
  map: Readonly<Record<string, unknown>>,
  variable: string,
  path: KeyPath,
  near: Surroundings,
  work: CompileWork,
): Surroundings {
  const { scope, report } = work
  if (/^event\.(?:from_)?row\b/.test(variable)) {
    const row = variable.split('.').slice(0, 2).join('.')
    report(
      [...path, 'var'],
      `${row} is a copy of a record; name its variable, with where: row.id == ${row}.id and change`,
    )
    return near
  }
  if (path[0] === 'oracles' && EVENT_PLACE.test(variable)) {
    report([...path, 'var'], 'a probe has no event; name the variable, with where')
    return near
  }
  if (reportMissing(variable, [...path, 'var'], near, work)) return near
  const isItem = near.event && EVENT_PLACE.test(variable)
  const places = isItem ? { event: near.locals.event ?? ANY } : scope.vars
  const type = typeAt(places, variable)
  if (!type) {
    report([...path, 'var'], unknownVariable(variable, places, scope))
    return near
  }
  const record = rowNamesOf(variable, scope, places)?.row
  const inside = record ? { ...near, locals: { ...near.locals, row: record } } : near
  for (const [key, typeFor] of Object.entries(STORED)) {
    if (!Object.hasOwn(map, key)) continue
    const expected = typeFor(type)
    if (expected) checkStored(map[key], expected, [...path, key], variable, near, work)
    else report([...path, key], `${variable} is ${nameOfType(type)}; ${key} is for lists`)
  }
  const isOne = isItem && type.kind === 'record'
  for (const key of ['where', 'change', 'sort_by', 'appended', 'removed'])
    if (Object.hasOwn(map, key) && (isOne ? key !== 'change' : !record))
      report([...path, key], `${variable} holds no records; ${key} is for these`)
  if (record) checkFields(map, record, path, variable, inside, work)
  return inside
}

function checkFields(
  map: Readonly<Record<string, unknown>>,
  record: DataType,
  path: KeyPath,
  variable: string,
  near: Surroundings,
  work: CompileWork,
): void {
  const fields = record.kind === 'record' ? record.fields : undefined
  const check = (name: string, at: KeyPath): DataType | undefined => {
    const field = fields && Object.hasOwn(fields, name) ? fields[name] : undefined
    if (fields && !field)
      work.report(
        at,
        `records of ${variable} have no field ${JSON.stringify(name)}${didYouMean(name, Object.keys(fields)) || `; they have ${Object.keys(fields).join(', ')}`}`,
      )
    return field
  }
  if (typeof map.sort_by === 'string') check(map.sort_by, [...path, 'sort_by'])
  for (const key of ['change', 'appended'])
    for (const [name, value] of Object.entries(map[key] ?? {})) {
      const at = [...path, key, name]
      const field = check(name, at)
      if (field) checkStored(value, field, at, name, near, work)
    }
}

/** Checks that a value, in which texts may be templates, fits a type. */
function checkStored(
  value: unknown,
  type: DataType,
  path: KeyPath,
  name: string,
  near: Surroundings,
  work: CompileWork,
): void {
  const { report, texts, scope } = work
  if (typeof value === 'string' && texts.has(value)) {
    const expression = scope.compile(templateExpression(value), near.locals)
    const wrong = isProblem(expression) ? undefined : misfitOfExpression(expression, type)
    if (wrong !== undefined) report(path, `${value} ${wrong}`)
    return
  }
  const data = value as DataValue
  if (!holdsTemplate(data, texts)) {
    const wrong = misfit(data, type, name)
    if (wrong !== undefined) report(path, wrong)
    return
  }
  if (isList(data) && type.kind === 'list')
    for (const [index, item] of data.entries()) checkStored(item, type.items, [...path, index], name, near, work)
  else if (typeof data === 'object' && data !== null && !isList(data) && type.kind === 'record')
    checkRecord(data, type.fields, path, name, near, work)
}

function checkRecord(
  record: Readonly<Record<string, DataValue>>,
  fields: Readonly<Record<string, DataType>>,
  path: KeyPath,
  name: string,
  near: Surroundings,
  work: CompileWork,
): void {
  for (const [key, value] of Object.entries(record)) {
    if (Object.hasOwn(fields, key)) checkStored(value, fields[key]!, [...path, key], `${name}.${key}`, near, work)
    else
      work.report(
        [...path, key],
        `${name} has no field ${JSON.stringify(key)}; its fields are ${Object.keys(fields).join(', ')}`,
      )
  }
  for (const [key, field] of Object.entries(fields))
    if (!Object.hasOwn(record, key) && field.kind !== 'any')
      work.report(path, `${name} needs the field ${key} (${nameOfType(field)})`)
}

const holdsTemplate = (value: DataValue, texts: ReadonlySet<string>): boolean => {
  if (typeof value === 'string') return texts.has(value)
  return typeof value === 'object' && value !== null && Object.values(value).some((part) => holdsTemplate(part, texts))
}
