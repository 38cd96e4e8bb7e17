import type { ASTNode } from '@marcbachmann/cel-js'
import { listDifference } from '../../base/lists.ts'
import { LOOPS, nodesIn, nodesOf } from './ast.ts'
import { carryCharge, type EvaluationBudget } from './budget.ts'
import { carryOrigin } from './cel-value.ts'
import { type EvaluationContext, SCREEN_FUNCTION_NAMES } from './functions.ts'

/**
 * Keeps what a loop such as `mails.filter(m, m.unread)` found for each item, so that after a change of one record only that record
 * is tested. What is kept is charged as if it were computed, so that an expression has the same value, or the same error, either way.
 */

/** Runs a node of CEL. */
export interface NodeRunner {
  run(node: ASTNode, context: unknown): unknown
}

/** A list that a loop runs over. While `given` is set, the loop runs over that instead, and the list costs nothing. */
export interface LoopSource {
  given: readonly unknown[] | undefined
}

/** A loop whose items are looked at one by one. */
export interface KeptLoop {
  readonly macro: LoopMacro
  /** The whole loop, its list, and where another list is put in its place. */
  readonly node: ASTNode
  readonly list: ASTNode
  readonly source: LoopSource
  /** Names that may be read for each item. */
  readonly names: readonly string[]
  /** The last runs, newest first. */
  runs: readonly LoopRun[]
}

type LoopMacro = 'map' | 'filter' | 'all' | 'exists' | 'exists_one'

interface LoopRun {
  /** The values of the names. */
  readonly values: readonly unknown[]
  readonly items: readonly unknown[]
  /** What the loop has of each item alone. Of fewer items if their result decided. */
  readonly found: readonly unknown[]
  /** The steps that each of them took, and all together. */
  readonly steps: readonly number[]
  readonly total: number
  readonly result: unknown
}

/** Functions whose results depend on more than their arguments, or that spend more than steps. */
const UNKEPT: ReadonlySet<string> = new Set([
  ...SCREEN_FUNCTION_NAMES,
  ...['pick', 'between', 'chance', 'shuffle', 'boundedMatches', 'places'],
])
/** Shorter lists are looked at anew. */
const MIN_ITEMS = 16
/** The most runs of a loop that are kept, which differ in the values of names, and their items together. */
const MAX_RUNS = 16
const MAX_KEPT_ITEMS = 100_000

/** The loop of a node, if results of its items can be kept. */
export function loopOf(node: ASTNode, sourceOf: (list: ASTNode) => LoopSource | undefined): KeptLoop | undefined {
  if (node.op !== 'rcall' || !LOOPS.has(node.args[0])) return undefined
  const [macro, list, given] = node.args
  const source = sourceOf(list)
  const nodes = nodesIn(given).flatMap((each) => [...nodesOf(each)])
  const calls = nodes.flatMap(({ op, args }) => (op === 'call' || op === 'rcall' ? [args[0]] : []))
  if (!source || calls.some((name) => UNKEPT.has(name))) return undefined
  const names = new Set(nodes.flatMap(({ op, args }) => (op === 'id' ? [args] : [])))
  return { macro: macro as LoopMacro, node, list, source, names: [...names], runs: [] }
}

/** Runs a loop. */
export function runLoop(loop: KeptLoop, evaluator: NodeRunner, context: unknown, runtime: EvaluationContext): unknown {
  const items = evaluator.run(loop.list, context)
  const { budget } = runtime
  const { steps } = budget
  const over = (list: readonly unknown[]) => {
    loop.source.given = list
    try {
      return evaluator.run(loop.node, context)
    } finally {
      loop.source.given = undefined
    }
  }
  if (Array.isArray(items) && items.length >= MIN_ITEMS) {
    const values = loop.names.map((name) => runtime.values[name])
    const run = keptRun(loop, items, values, budget, over)
    if (run) return run.result
    // Something had no value or cost too much: the whole loop has the same error every time.
    budget.steps = steps
  }
  return over(items as readonly unknown[])
}

/** The run of a loop over some items. Undefined if an item has an error or the budget is not enough. */
function keptRun(
  loop: KeptLoop,
  items: readonly unknown[],
  values: readonly unknown[],
  budget: EvaluationBudget,
  over: (list: readonly unknown[]) => unknown,
): LoopRun | undefined {
  const last = loop.runs.find((each) => each.values.every((value, index) => isSameValue(value, values[index])))
  const run = last?.items === items ? charged(last, budget) : moved(loop.macro, last, items, values, budget, over)
  if (!run || run === loop.runs[0]) return run
  let count = 0
  loop.runs = [run, ...loop.runs.filter((each) => each !== last)].filter((each, index) => {
    count += each.items.length
    return index === 0 || (index < MAX_RUNS && count <= MAX_KEPT_ITEMS)
  })
  return run
}

function charged(run: LoopRun, budget: EvaluationBudget): LoopRun | undefined {
  budget.steps -= run.total
  return budget.steps < 0 ? undefined : run
}

/** The run over other items than the last one. Items that stay in their place or move with the end of the list are as they were. */
function moved(
  macro: LoopMacro,
  last: LoopRun | undefined,
  items: readonly unknown[],
  values: readonly unknown[],
  budget: EvaluationBudget,
  over: (list: readonly unknown[]) => unknown,
): LoopRun | undefined {
  const { start, removed, inserted } = listDifference(last?.items ?? [], items)
  const isInPlace = removed === inserted
  const known = last?.found.length ?? 0
  if (last && isInPlace && known === items.length && !ENDS_EARLY.has(macro))
    return changedInPlace(macro, last, { items, start, end: start + inserted }, values, budget, over)
  const found: unknown[] = []
  const steps: number[] = []
  const before = budget.steps
  for (const [index, item] of items.entries()) {
    const isMoved = index >= start + inserted
    const at = isMoved ? index - inserted + removed : index
    const isKept = (isMoved || index < start || isInPlace) && at < known && isSameValue(last!.items[at], item)
    if (isKept) {
      found.push(last!.found[at])
      steps.push(last!.steps[at]!)
      budget.steps -= last!.steps[at]!
    } else {
      const left = budget.steps
      const one = foundOf(macro, over, item)
      if (one === ERROR) return undefined
      found.push(one)
      steps.push(left - budget.steps)
    }
    // Operators such as || take an error for a value, also that of a spent budget.
    if (budget.steps < 0) return undefined
    if (isDecided(macro, found[index])) break
  }
  return { values, items, found, steps, total: before - budget.steps, result: resultOf(macro, found, last?.result) }
}

/** Loops that may not look at all items. */
const ENDS_EARLY: ReadonlySet<LoopMacro> = new Set(['all', 'exists'])

/** The run over as many items, of which those from `start` to before `end` may be others. */
function changedInPlace(
  macro: LoopMacro,
  last: LoopRun,
  { items, start, end }: { readonly items: readonly unknown[]; readonly start: number; readonly end: number },
  values: readonly unknown[],
  budget: EvaluationBudget,
  over: (list: readonly unknown[]) => unknown,
): LoopRun | undefined {
  const found = last.found.slice()
  const steps = last.steps.slice()
  const before = budget.steps
  const others: number[] = []
  for (let index = start; index < end; index++) if (!isSameValue(last.items[index], items[index])) others.push(index)
  budget.steps -= others.reduce((sum, index) => sum - last.steps[index]!, last.total)
  for (const index of others) {
    const left = budget.steps
    const one = foundOf(macro, over, items[index])
    if (one === ERROR) return undefined
    found[index] = one
    steps[index] = left - budget.steps
  }
  if (budget.steps < 0) return undefined
  const isSameLength = others.every((index) => (found[index] === NOTHING) === (last.found[index] === NOTHING))
  const result =
    isSameLength && macro !== 'exists_one' && Array.isArray(last.result)
      ? withOthers(last, found, others)
      : resultOf(macro, found, last.result)
  return { values, items, found, steps, total: before - budget.steps, result }
}

/** The list of a run with other items at some places, and as many. */
function withOthers({ result, found: was }: LoopRun, found: readonly unknown[], others: readonly number[]): unknown {
  const last = result as readonly unknown[]
  const list = last.slice()
  let [at, passed] = [0, 0]
  for (const index of others) {
    for (; passed < index; passed++) if (was[passed] !== NOTHING) at++
    if (found[index] !== NOTHING) list[at] = found[index]
  }
  if (others.every((index) => isSameValue(found[index], was[index]))) return last
  carryCharge(last, list)
  carryOrigin(last, list)
  return list
}

/** Numbers that are equal may differ: 0 and -0. */
const isSameValue = (a: unknown, b: unknown): boolean =>
  a === b ? a !== 0 || Object.is(a, b) : a instanceof Date && b instanceof Date && a.getTime() === b.getTime()

const ERROR = Symbol('error')
const NOTHING = Symbol('nothing')

/** What a loop has of one item: a value of a list, nothing, or whether a condition holds. */
function foundOf(macro: LoopMacro, over: (list: readonly unknown[]) => unknown, item: unknown): unknown {
  try {
    const result = over([item])
    return macro === 'map' || macro === 'filter' ? itemOf(result as readonly unknown[]) : result
  } catch {
    // The loop over all items has the error.
    return ERROR
  }
}

const itemOf = (list: readonly unknown[]): unknown => (list.length === 0 ? NOTHING : list[0])

/** Whether no further item is looked at. */
const isDecided = (macro: LoopMacro, one: unknown): boolean =>
  (macro === 'exists' && one === true) || (macro === 'all' && one === false)

function resultOf(macro: LoopMacro, found: readonly unknown[], last: unknown): unknown {
  switch (macro) {
    case 'exists':
      return found.includes(true)
    case 'all':
      return !found.includes(false)
    case 'exists_one':
      return found.filter((one) => one === true).length === 1
    case 'map':
    case 'filter':
      return sameList(
        last,
        found.filter((one) => one !== NOTHING),
      )
  }
}

/** The last list if it has the same items. Otherwise what is known about it is carried over. */
function sameList(last: unknown, list: readonly unknown[]): readonly unknown[] {
  if (!Array.isArray(last)) return list
  if (last.length === list.length && list.every((one, index) => isSameValue(one, last[index]))) return last
  carryCharge(last, list)
  carryOrigin(last, list)
  return list
}
