import type { Moment, Recording, ViewerStep } from './recording.ts'
import { canonicalJson } from './step-list.ts'

/** Two steps that belong together, by number. A side without one is undefined. */
export interface StepPair {
  readonly left?: number
  readonly right?: number
  /** Whether the two calls, their results and the desktops after them are the same. */
  readonly isSame: boolean
}

/** Where two recordings part. */
export interface RunDivergence {
  /** The index into `pairs`; -1 if the desktops differ before the first step. */
  readonly pair: number
  /** The agent if it made another call, the environment if the same call had another effect. */
  readonly who: 'agent' | 'environment'
  readonly reason: string
}

/** Two recordings side by side. */
export interface Alignment {
  readonly pairs: readonly StepPair[]
  readonly divergence: RunDivergence | undefined
  /** Whether pictures count. They do not if they differ from the start, as in another theme. */
  readonly comparesPictures: boolean
}

/** Tables of the longest common subsequence beyond this number of cells are not made: steps are then paired by number. */
const MAX_CELLS = 9_000_000

/** Pairs the steps of two recordings by their calls, and finds the first difference. */
export function alignRecordings(left: Recording, right: Recording): Alignment {
  const compare = createComparison(left, right)
  const [leftCalls, rightCalls] = [left.steps.map(callOf(left)), right.steps.map(callOf(right))]
  const isSameAfter = (a: ViewerStep, b: ViewerStep): boolean =>
    compare.result(a, b) === undefined &&
    compare.moment(left.moments[a.number]!, right.moments[b.number]!) === undefined
  const pairs = pairCalls(leftCalls, rightCalls).map(([at, other]): StepPair => {
    const [a, b] = [left.steps[at], right.steps[other]]
    return {
      ...(a && { left: a.number }),
      ...(b && { right: b.number }),
      isSame: a !== undefined && b !== undefined && leftCalls[at] === rightCalls[other] && isSameAfter(a, b),
    }
  })
  return { pairs, divergence: firstDivergence(), comparesPictures: compare.pictures }

  function firstDivergence(): RunDivergence | undefined {
    const start = compare.moment(left.moments[0]!, right.moments[0]!)
    if (start !== undefined)
      return { pair: -1, who: 'environment', reason: `The desktops start with another ${start}.` }
    const pair = pairs.findIndex(({ isSame }) => !isSame)
    if (pair < 0) return undefined
    const { left: at, right: other } = pairs[pair]!
    const [a, b] = [left.steps[(at ?? 0) - 1], right.steps[(other ?? 0) - 1]]
    if (!a || !b) {
      const [side, step] = a ? ['Only the left one', a] : ['Only the right one', b!]
      return { pair, who: 'agent', reason: `${side} calls ${step.tool} here.` }
    }
    if (leftCalls[a.number - 1] !== rightCalls[b.number - 1])
      return {
        pair,
        who: 'agent',
        reason: a.tool === b.tool ? `${a.tool} with other arguments.` : `${a.tool} against ${b.tool}.`,
      }
    const what = compare.result(a, b) ?? compare.moment(left.moments[a.number]!, right.moments[b.number]!)
    return { pair, who: 'environment', reason: `The same ${a.tool} leads to another ${what}.` }
  }
}

const callOf =
  ({ tables }: Recording) =>
  ({ tool, args }: ViewerStep): string =>
    `${tool} ${canonicalJson(tables.values[args])}`

/** Indexes of equal calls in order, and between them those of one side; -1 for none. */
function pairCalls(left: readonly string[], right: readonly string[]): readonly (readonly [number, number])[] {
  let start = 0
  while (start < left.length && start < right.length && left[start] === right[start]) start++
  let end = 0
  while (
    end < left.length - start &&
    end < right.length - start &&
    left[left.length - 1 - end] === right[right.length - 1 - end]
  )
    end++
  const [rows, columns] = [left.length - start - end, right.length - start - end]
  const pairs: (readonly [number, number])[] = Array.from({ length: start }, (_, index) => [index, index] as const)
  const middle = rows * columns > MAX_CELLS ? [] : commonCalls(left, right, start, rows, columns)
  let [at, other] = [start, start]
  const gap = (toLeft: number, toRight: number) => {
    // Calls between two common ones differ; the first of each side face each other.
    for (; at < toLeft || other < toRight; at++, other++) {
      pairs.push([at < toLeft ? at : -1, other < toRight ? other : -1])
    }
    at = toLeft
    other = toRight
  }
  for (const [nextLeft, nextRight] of middle) {
    gap(nextLeft, nextRight)
    pairs.push([at++, other++])
  }
  gap(left.length - end, right.length - end)
  for (let index = 0; index < end; index++) pairs.push([at++, other++])
  return pairs
}

/** The longest common subsequence of the parts of two lists. */
function commonCalls(
  left: readonly string[],
  right: readonly string[],
  start: number,
  rows: number,
  columns: number,
): readonly (readonly [number, number])[] {
  const width = columns + 1
  const length = new Uint16Array((rows + 1) * width)
  for (let row = rows - 1; row >= 0; row--) {
    for (let column = columns - 1; column >= 0; column--) {
      const at = row * width + column
      length[at] =
        left[start + row] === right[start + column]
          ? length[at + width + 1]! + 1
          : Math.max(length[at + width]!, length[at + 1]!)
    }
  }
  const pairs: (readonly [number, number])[] = []
  for (let [row, column] = [0, 0]; row < rows && column < columns; ) {
    const at = row * width + column
    if (left[start + row] === right[start + column]) pairs.push([start + row++, start + column++])
    else if (length[at + width]! >= length[at + 1]!) row++
    else column++
  }
  return pairs
}

interface Comparison {
  /** Whether pictures are compared. */
  readonly pictures: boolean
  /** The first part in which two moments differ, in words. Parts that one side does not know are equal. */
  moment(left: Moment, right: Moment): string | undefined
  result(left: ViewerStep, right: ViewerStep): string | undefined
}

function createComparison(left: Recording, right: Recording): Comparison {
  const desks = deskNames(left, right)
  const frame = ({ tables }: Recording, index: number) => {
    const { width, height, tiles } = tables.frames[index]!
    return `${width} ${height} ${tiles.map((tile) => tables.tiles[tile]).join(' ')}`
  }
  const differ = <T>(a: T | undefined, b: T | undefined, text: (value: T, from: Recording) => unknown): boolean =>
    a !== undefined && b !== undefined && text(a, left) !== text(b, right)
  const value = (index: number, { tables }: Recording) => canonicalJson(tables.values[index])
  const pictures = !differ(left.moments[0]!.frame, right.moments[0]!.frame, (index, from) => frame(from, index))
  return {
    pictures,
    moment(a, b) {
      if (differ(a.state, b.state, (state) => state)) return 'state'
      if (differ(a.variables, b.variables, value)) return 'value of a variable'
      if (differ(a.desk, b.desk, (desk, from) => desks(from, desk))) return 'tree'
      if (differ(a.clipboard, b.clipboard, (text) => text)) return 'clipboard'
      if (pictures && differ(a.frame, b.frame, (index, from) => frame(from, index))) return 'picture'
      return undefined
    },
    result(a, b) {
      if (a.ok !== b.ok || a.error?.code !== b.error?.code) return 'result'
      return value(a.result, left) === value(b.result, right) ? undefined : 'result'
    },
  }
}

/** Names desks of both recordings, equal for equal desks. Each stored element is looked at once. */
function deskNames(left: Recording, right: Recording): (from: Recording, desk: number) => string {
  const known = new Map<string, number>()
  const number = (text: string): number => {
    const found = known.get(text)
    if (found !== undefined) return found
    known.set(text, known.size)
    return known.size - 1
  }
  const numbersOf = ({ tables }: Recording): readonly number[] => {
    const numbers: number[] = []
    for (const { children, ...element } of tables.elements)
      numbers.push(number(canonicalJson([element, children?.map((child) => numbers[child]!) ?? []])))
    return numbers
  }
  const numbers = new Map([left, right].map((recording) => [recording, numbersOf(recording)]))
  return (from, desk) =>
    canonicalJson(
      from.tables.desks[desk]!.map(({ root, ...window }) => [
        window,
        root === undefined ? null : numbers.get(from)![root],
      ]),
    )
}
