import { type CellValue, numberIn, numberValue, SheetDate, SheetError } from './cell-value.ts'
import { eachCell, type FunctionCall, raise, type SheetFunction, sound } from './evaluate.ts'

/** Functions over numbers: arithmetic, statistics, trigonometry and loans. */

const MANY = 255

const define = (least: number, most: number, call: SheetFunction['call']): SheetFunction => ({ least, most, call })
const ofNumber = (compute: (x: number) => number): SheetFunction =>
  define(1, 1, (call) => numberValue(compute(call.number(0))))

/** The numbers of the arguments. Texts and truth values count only where they are written into the formula. */
export function numbersOf(call: FunctionCall, from = 0): number[] {
  const numbers: number[] = []
  call.each((value, isDirect) => {
    const number = countedNumber(sound(value), isDirect)
    if (number !== undefined) numbers.push(number)
  }, from)
  return numbers
}

function countedNumber(value: CellValue, isDirect: boolean): number | undefined {
  if (typeof value === 'number') return value
  if (value instanceof SheetDate) return value.serial
  if (!isDirect || value === null || value instanceof SheetError) return undefined
  if (typeof value === 'boolean') return value ? 1 : 0
  const number = numberIn(value) ?? raise('#VALUE!')
  return number instanceof SheetDate ? number.serial : number
}

const ofNumbers = (compute: (numbers: number[]) => number): SheetFunction =>
  define(1, MANY, (call) => numberValue(compute(numbersOf(call))))

/** The sum of numbers, with the rounding errors of the parts carried along (Kahan and Babuška). */
export function sumOf(numbers: readonly number[]): number {
  let [sum, lost] = [0, 0]
  for (const number of numbers) {
    const next = sum + number
    lost += Math.abs(sum) >= Math.abs(number) ? sum - next + number : number - next + sum
    sum = next
  }
  return Number.isFinite(lost) ? sum + lost : sum
}

export const averageOf = (numbers: readonly number[]): number =>
  numbers.length === 0 ? raise('#DIV/0!') : sumOf(numbers) / numbers.length

export const leastOf = (numbers: readonly number[]): number => numbers.reduce((a, b) => Math.min(a, b), numbers[0] ?? 0)
export const mostOf = (numbers: readonly number[]): number => numbers.reduce((a, b) => Math.max(a, b), numbers[0] ?? 0)

const ascending = (numbers: readonly number[]): readonly number[] => numbers.toSorted((a, b) => a - b)

function variance(numbers: readonly number[], less: 0 | 1): number {
  if (numbers.length <= less) raise('#DIV/0!')
  const mean = averageOf(numbers)
  return sumOf(numbers.map((number) => (number - mean) ** 2)) / (numbers.length - less)
}

function percentile(numbers: readonly number[], share: number): number {
  if (numbers.length === 0 || !(share >= 0 && share <= 1)) raise('#NUM!')
  const sorted = ascending(numbers)
  const place = share * (sorted.length - 1)
  const [low, high] = [sorted[Math.floor(place)]!, sorted[Math.ceil(place)]!]
  return low + (high - low) * (place - Math.floor(place))
}

function median(numbers: readonly number[]): number {
  if (numbers.length === 0) raise('#NUM!')
  return percentile(numbers, 0.5)
}

function mode(numbers: readonly number[]): number {
  const counts = new Map<number, number>()
  for (const number of numbers) counts.set(number, (counts.get(number) ?? 0) + 1)
  let best: number | undefined
  for (const [number, count] of counts) if (count > (best === undefined ? 1 : counts.get(best)!)) best = number
  return best ?? raise('#N/A')
}

const tableNumbers = (call: FunctionCall, index: number): number[] => {
  const numbers: number[] = []
  eachCell(call.table(index), (value) => {
    const number = countedNumber(sound(value), false)
    if (number !== undefined) numbers.push(number)
  })
  return numbers
}

const nth = (isLargest: boolean): SheetFunction =>
  define(2, 2, (call) => {
    const sorted = ascending(tableNumbers(call, 0))
    const place = Math.ceil(call.number(1))
    return sorted[isLargest ? sorted.length - place : place - 1] ?? raise('#NUM!')
  })

const rank = define(2, 3, (call) => {
  const [number, numbers, isAscending] = [call.number(0), tableNumbers(call, 1), call.number(2, 0) !== 0]
  if (!numbers.includes(number)) raise('#N/A')
  return 1 + numbers.filter((other) => (isAscending ? other < number : other > number)).length
})

/** Rounds half away from zero, as the shortest text of the number has it. */
function rounded(value: number, decimals: number, round: (size: number) => number): number {
  const places = Math.trunc(decimals)
  if (value === 0 || !Number.isFinite(value)) return value
  if (places > 15) return value
  if (places < -15) return 0
  const size = Math.abs(value)
  const scaled = shifted(size, places)
  // A size that only misses a whole number by binary fractions is that number.
  const whole = Math.round(scaled)
  const exact = Math.abs(scaled - whole) < 1e-9 * Math.max(1, whole * 1e-6) ? whole : scaled
  return Math.sign(value) * shifted(round(exact), -places)
}

function shifted(value: number, places: number): number {
  const [digits = '', exponent = '0'] = String(value).split('e')
  return Number(`${digits}e${Number(exponent) + places}`)
}

const rounding = (round: (size: number) => number): SheetFunction =>
  define(1, 2, (call) => numberValue(rounded(call.number(0), call.number(1, 0), round)))

const toMultiple = (round: (size: number) => number): SheetFunction =>
  define(1, 3, (call) => {
    const [value, step] = [call.number(0), call.number(1, 1)]
    if (step === 0) return 0
    if (value > 0 && step < 0) return raise('#NUM!')
    return numberValue(rounded(value / step, 0, round) * step)
  })

const floorOf = define(1, 3, (call) => {
  const [value, step] = [call.number(0), call.number(1, 1)]
  if (step === 0) return raise('#DIV/0!')
  return numberValue(Math.floor(value / step + 1e-12) * step)
})
const ceilingOf = define(1, 3, (call) => {
  const [value, step] = [call.number(0), call.number(1, 1)]
  return step === 0 ? 0 : numberValue(Math.ceil(value / step - 1e-12) * step)
})

const modulo = define(2, 2, (call) => {
  const [value, by] = [call.number(0), call.number(1)]
  return by === 0 ? raise('#DIV/0!') : numberValue(value - by * Math.floor(value / by))
})

const quotient = define(2, 2, (call) => {
  const by = call.number(1)
  return by === 0 ? raise('#DIV/0!') : numberValue(Math.trunc(call.number(0) / by))
})

function factorial(value: number): number {
  const last = Math.trunc(value)
  if (last < 0 || last > 170) raise('#NUM!')
  let product = 1
  for (let each = 2; each <= last; each++) product *= each
  return product
}

const MAX_CHOSEN = 1000

function combinations(all: number, chosen: number): number {
  const [n, given] = [Math.trunc(all), Math.trunc(chosen)]
  if (n < 0 || given < 0 || given > n) raise('#NUM!')
  const k = Math.min(given, n - given)
  if (k > MAX_CHOSEN) raise('#NUM!')
  let product = 1
  for (let each = 1; each <= k; each++) product = (product * (n - k + each)) / each
  return Math.round(product)
}

const gcd = (a: number, b: number): number => {
  let [x, y] = [a, b]
  while (y !== 0) [x, y] = [y, x % y]
  return x
}

const wholeNumbers = (call: FunctionCall): readonly number[] =>
  numbersOf(call).map((number) =>
    number < 0 || number > Number.MAX_SAFE_INTEGER ? raise('#NUM!') : Math.trunc(number),
  )

/** The sum of the products of cells at the same place. */
const sumProduct = define(1, MANY, (call) => {
  const tables = Array.from({ length: call.count }, (_, index) => call.table(index))
  const [first] = tables
  if (!first || tables.some(({ rows, columns }) => rows !== first.rows || columns !== first.columns))
    return raise('#VALUE!')
  const products: number[] = []
  eachCell(first, (_, row, column) => {
    products.push(
      tables.reduce((product, table) => {
        const value = sound(table.at(row, column))
        return product * (typeof value === 'number' ? value : value instanceof SheetDate ? value.serial : 0)
      }, 1),
    )
  })
  return numberValue(sumOf(products))
})

/** Counts values by a test; errors are values too. */
const counting = (isCounted: (value: CellValue, isDirect: boolean) => boolean): SheetFunction =>
  define(1, MANY, (call) => {
    let count = 0
    call.each((value, isDirect) => {
      if (isCounted(value, isDirect)) count++
    })
    return count
  })

const isCounted = (value: CellValue, isDirect: boolean): boolean =>
  typeof value === 'number' ||
  value instanceof SheetDate ||
  (isDirect && (typeof value === 'boolean' || (typeof value === 'string' && numberIn(value) !== undefined)))

/** Loans and savings: payments of `payment` for `periods` at `rate`, from `present` to `future`. */
interface Loan {
  readonly rate: number
  readonly isEarly: boolean
}
const growth = ({ rate }: Loan, periods: number): number => (1 + rate) ** periods
const annuity = (loan: Loan, periods: number): number =>
  loan.rate === 0 ? periods : ((growth(loan, periods) - 1) / loan.rate) * (loan.isEarly ? 1 + loan.rate : 1)
const loanOf = (call: FunctionCall): Loan => ({ rate: call.number(0), isEarly: call.number(4, 0) !== 0 })

const pmt = define(3, 5, (call) => {
  const [loan, periods] = [loanOf(call), call.number(1)]
  return numberValue(-(call.number(2) * growth(loan, periods) + call.number(3, 0)) / annuity(loan, periods))
})
const fv = define(3, 5, (call) => {
  const [loan, periods] = [loanOf(call), call.number(1)]
  return numberValue(-(call.number(3, 0) * growth(loan, periods) + call.number(2) * annuity(loan, periods)))
})
const pv = define(3, 5, (call) => {
  const [loan, periods] = [loanOf(call), call.number(1)]
  return numberValue(-(call.number(3, 0) + call.number(2) * annuity(loan, periods)) / growth(loan, periods))
})
const nper = define(3, 5, (call) => {
  const { rate, isEarly } = loanOf(call)
  const [payment, present, future] = [call.number(1), call.number(2), call.number(3, 0)]
  if (rate === 0) return payment === 0 ? raise('#NUM!') : numberValue(-(present + future) / payment)
  const each = payment * (isEarly ? 1 + rate : 1)
  return numberValue(Math.log((each - future * rate) / (present * rate + each)) / Math.log(1 + rate))
})
const npv = define(2, MANY, (call) => {
  const rate = call.number(0)
  return numberValue(sumOf(numbersOf(call, 1).map((payment, index) => payment / (1 + rate) ** (index + 1))))
})

const random = define(0, 0, ({ context, index }) => context.random(index))
const randomBetween = define(2, 2, (call) => {
  const [low, high] = [Math.ceil(call.number(0)), Math.floor(call.number(1))]
  return low > high ? raise('#NUM!') : low + Math.floor(call.context.random(call.index) * (high - low + 1))
})

const deviation = (less: 0 | 1): SheetFunction => ofNumbers((numbers) => Math.sqrt(variance(numbers, less)))
const [populationDeviation, sampleDeviation] = [deviation(0), deviation(1)]
const populationVariance = ofNumbers((numbers) => variance(numbers, 0))
const sampleVariance = ofNumbers((numbers) => variance(numbers, 1))
const percentileOf = define(2, 2, (call) => percentile(tableNumbers(call, 0), call.number(1)))
const quartileOf = define(2, 2, (call) => percentile(tableNumbers(call, 0), Math.trunc(call.number(1)) / 4))
const modeOf = ofNumbers(mode)

export const NUMBER_FUNCTIONS: Readonly<Record<string, SheetFunction>> = {
  SUM: ofNumbers(sumOf),
  AVERAGE: ofNumbers(averageOf),
  MIN: ofNumbers(leastOf),
  MAX: ofNumbers(mostOf),
  COUNT: counting(isCounted),
  COUNTA: counting((value) => value !== null),
  COUNTBLANK: counting((value) => value === null || value === ''),
  PRODUCT: ofNumbers((numbers) => numbers.reduce((a, b) => a * b, 1)),
  SUMPRODUCT: sumProduct,
  SUMSQ: ofNumbers((numbers) => sumOf(numbers.map((number) => number * number))),
  ABS: ofNumber(Math.abs),
  SIGN: ofNumber(Math.sign),
  INT: ofNumber(Math.floor),
  ROUND: rounding(Math.round),
  ROUNDUP: rounding(Math.ceil),
  ROUNDDOWN: rounding(Math.floor),
  TRUNC: rounding(Math.floor),
  MROUND: toMultiple(Math.round),
  CEILING: ceilingOf,
  FLOOR: floorOf,
  'CEILING.MATH': ceilingOf,
  'FLOOR.MATH': floorOf,
  EVEN: ofNumber((x) => Math.sign(x) * 2 * Math.ceil(Math.abs(x) / 2)),
  ODD: ofNumber((x) => (x === 0 ? 1 : Math.sign(x) * (2 * Math.ceil((Math.abs(x) - 1) / 2) + 1))),
  MOD: modulo,
  QUOTIENT: quotient,
  POWER: define(2, 2, (call) => numberValue(call.number(0) ** call.number(1))),
  SQRT: ofNumber(Math.sqrt),
  EXP: ofNumber(Math.exp),
  LN: ofNumber(Math.log),
  LOG10: ofNumber(Math.log10),
  LOG: define(1, 2, (call) => {
    const [value, base] = [call.number(0), call.number(1, 10)]
    return numberValue(
      base === 10 ? Math.log10(value) : base === 2 ? Math.log2(value) : Math.log(value) / Math.log(base),
    )
  }),
  PI: define(0, 0, () => Math.PI),
  SIN: ofNumber(Math.sin),
  COS: ofNumber(Math.cos),
  TAN: ofNumber(Math.tan),
  ASIN: ofNumber(Math.asin),
  ACOS: ofNumber(Math.acos),
  ATAN: ofNumber(Math.atan),
  ATAN2: define(2, 2, (call) => numberValue(Math.atan2(call.number(1), call.number(0)))),
  RADIANS: ofNumber((x) => (x * Math.PI) / 180),
  DEGREES: ofNumber((x) => (x * 180) / Math.PI),
  FACT: ofNumber(factorial),
  COMBIN: define(2, 2, (call) => numberValue(combinations(call.number(0), call.number(1)))),
  GCD: define(1, MANY, (call) => wholeNumbers(call).reduce(gcd, 0)),
  LCM: define(1, MANY, (call) =>
    numberValue(wholeNumbers(call).reduce((a, b) => (a === 0 || b === 0 ? 0 : (a / gcd(a, b)) * b), 1)),
  ),
  MEDIAN: ofNumbers(median),
  MODE: modeOf,
  'MODE.SNGL': modeOf,
  STDEV: sampleDeviation,
  'STDEV.S': sampleDeviation,
  STDEVP: populationDeviation,
  'STDEV.P': populationDeviation,
  VAR: sampleVariance,
  'VAR.S': sampleVariance,
  VARP: populationVariance,
  'VAR.P': populationVariance,
  GEOMEAN: ofNumbers((numbers) =>
    numbers.some((number) => number <= 0) ? raise('#NUM!') : Math.exp(averageOf(numbers.map(Math.log))),
  ),
  LARGE: nth(true),
  SMALL: nth(false),
  RANK: rank,
  'RANK.EQ': rank,
  PERCENTILE: percentileOf,
  'PERCENTILE.INC': percentileOf,
  QUARTILE: quartileOf,
  'QUARTILE.INC': quartileOf,
  RAND: random,
  RANDBETWEEN: randomBetween,
  PMT: pmt,
  FV: fv,
  PV: pv,
  NPER: nper,
  NPV: npv,
}
