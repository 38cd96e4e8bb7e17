import { isFormula, movedContent } from './formula-text.ts'

/** The contents with which a spreadsheet continues cells in one direction. */

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)$/
const DAY = /^(\d{4})-(\d\d)-(\d\d)$/
const NUMBERED = /^(.*\D)(\d{1,9})$/s
const DAY_MS = 86_400_000

const words = (text: string): readonly string[] => text.split(' ')

/** Lists that repeat. */
const LISTS: readonly (readonly string[])[] = [
  words('Mon Tue Wed Thu Fri Sat Sun'),
  words('Monday Tuesday Wednesday Thursday Friday Saturday Sunday'),
  words('Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'),
  words('January February March April May June July August September October November December'),
]

/** The distance from one cell to the next. */
export interface FillStep {
  readonly rows: -1 | 0 | 1
  readonly columns: -1 | 0 | 1
}

/**
 * Continues contents, of which the last is the nearest to the cells that are filled: numbers by their step, days, names of days
 * and months, and texts with a number by one; formulas with moved references. Others are repeated.
 * @param isCounting Whether a single number counts on, rather than being repeated.
 */
export function continuedContents(
  sources: readonly string[],
  count: number,
  { rows, columns }: FillStep,
  isCounting = false,
): readonly string[] {
  const indexes = Array.from({ length: count }, (_, index) => index)
  const isBackward = rows < 0 || columns < 0
  const next = sources.some(isFormula) ? undefined : seriesOf(sources, isBackward ? -1 : 1, isCounting)
  if (next) return indexes.map(next)
  return indexes.map((index) => {
    const from = index % sources.length
    const distance = sources.length - from + index
    return movedContent(sources[from]!, rows * distance, columns * distance)
  })
}

/** What continues a series. Undefined for contents that are none. */
function seriesOf(
  sources: readonly string[],
  direction: 1 | -1,
  isCounting: boolean,
): ((index: number) => string) | undefined {
  if (sources.length === 0) return undefined
  if (sources.every((text) => NUMBER.test(text))) {
    if (sources.length === 1 && !isCounting) return undefined
    const decimals = Math.max(...sources.map((text) => text.split('.')[1]?.length ?? 0))
    return steps(sources.map(Number), direction, (number) => String(Number(number.toFixed(Math.min(decimals, 12)))))
  }
  if (sources.every((text) => DAY.test(text)))
    return steps(
      sources.map((text) => Date.parse(text) / DAY_MS),
      direction,
      (day) => new Date(day * DAY_MS).toISOString().slice(0, 10),
    )
  for (const list of LISTS) {
    const places = sources.map((text) => list.findIndex((word) => word.toLowerCase() === text.toLowerCase()))
    if (places.some((place) => place < 0)) continue
    return steps(places, direction, (place) => list[((place % list.length) + list.length) % list.length]!)
  }
  const parts = sources.map((text) => NUMBERED.exec(text))
  const [first] = parts
  if (!first || parts.some((each) => each?.[1] !== first[1])) return undefined
  return steps(
    parts.map((each) => Number(each![2])),
    direction,
    (number) => `${first[1]}${Math.abs(number)}`,
  )
}

/** Continues numbers whose steps are equal. A single one goes on by 1 in the direction. */
function steps(
  numbers: readonly number[],
  direction: 1 | -1,
  write: (number: number) => string,
): ((index: number) => string) | undefined {
  if (numbers.some((number) => !Number.isFinite(number))) return undefined
  const last = numbers.at(-1)!
  const step = numbers.length === 1 ? direction : last - numbers.at(-2)!
  const isEven = numbers.every((number, index) => index === 0 || Math.abs(number - numbers[index - 1]! - step) < 1e-9)
  return isEven ? (index) => write(last + step * (index + 1)) : undefined
}
