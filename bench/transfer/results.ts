import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { groupsOf } from '../../src/base/lists.ts'
import { rowOf } from '../linux-programs/table.ts'
import { type LabelledPicture, parseBoxes } from './boxes.ts'
import { CONTROL_CLASSES } from './labels.ts'
import { type DetectedPicture, type Detection, type DetectorScores, type ScoresIn, scoresOf } from './precision.ts'
import { bootstrapped, percentileInterval } from './resampling.ts'

/**
 * Computes the results of docs/transfer.md from boxes and detections: `npx tsx bench/transfer/results.ts --data FOLDER --out reports/transfer.json`.
 * Detections are in `found/NAME.jsonl` for real screens, and in `found/NAME.synthetic.jsonl` for synthetic ones.
 */

const SAMPLES = 1000
const SEED = 1
const DIGITS = 1000
const rounded = (value: number): number => Math.round(value * DIGITS) / DIGITS

interface FoundRow {
  readonly image: string
  readonly found: readonly (readonly [is: number, score: number, x: number, y: number, width: number, height: number])[]
}

function readFound(file: string): ReadonlyMap<string, readonly Detection[]> {
  const rows = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as FoundRow)
  return new Map(
    rows.map(({ image, found }) => [
      image,
      found.map(([is, score, x, y, width, height]) => ({
        is: CONTROL_CLASSES[is]!,
        score,
        box: { x, y, width, height },
      })),
    ]),
  )
}

/** Pictures with what a detector has found in them. Throws when one is missing. */
function detected(
  pictures: readonly LabelledPicture[],
  found: ReadonlyMap<string, readonly Detection[]>,
): readonly DetectedPicture[] {
  return pictures.map((picture) => {
    const detections = found.get(picture.image)
    if (!detections) throw new Error(`nothing was detected in ${picture.image}`)
    return { ...picture, detections }
  })
}

const once = () => 1

const roundedScores = ({ map, agnostic, classes }: DetectorScores) => ({
  map: rounded(map),
  agnostic: rounded(agnostic),
  classes: Object.fromEntries(Object.entries(classes).map(([name, value]) => [name, rounded(value)])),
})

const { values } = parseArgs({
  options: {
    data: { type: 'string', default: 'transfer-data' },
    out: { type: 'string', default: 'reports/transfer.json' },
  },
})
const found = join(values.data, 'found')
const namesOf = (ending: string) =>
  readdirSync(found)
    .filter((name) => name.endsWith(ending) && (ending !== '.jsonl' || !name.endsWith('.synthetic.jsonl')))
    .map((name) => name.slice(0, -ending.length))
    .toSorted()
const real = parseBoxes(readFileSync(join(values.data, 'real', 'boxes.jsonl'), 'utf8'))
const programs = [...new Set(real.map(({ program }) => program))]
const detectors = new Map<string, ScoresIn>(
  namesOf('.jsonl').map((name) => [name, scoresOf(detected(real, readFound(join(found, `${name}.jsonl`))))]),
)

/** Every statistic in one sample of programs. */
function statisticsIn(weightOf: (program: string) => number): Readonly<Record<string, number>> {
  const scores = new Map([...detectors].map(([name, scoresIn]) => [name, scoresIn(weightOf)]))
  const statistics: Record<string, number> = {}
  for (const [name, { map, agnostic }] of scores) {
    statistics[`${name} map`] = map
    statistics[`${name} agnostic`] = agnostic
  }
  for (const [name, more, fewer] of COMPARISONS) {
    const [one, other] = [scores.get(more), scores.get(fewer)]
    if (!one || !other) continue
    statistics[name] = name.includes('/') ? one.map / other.map : one.map - other.map
    statistics[`${name} agnostic`] = name.includes('/') ? one.agnostic / other.agnostic : one.agnostic - other.agnostic
  }
  return statistics
}

const COMPARISONS = [
  ['variants / real', 'variants', 'real'],
  ['all-styles / real', 'all-styles', 'real'],
  ['one-style / real', 'one-style', 'real'],
  ['all-styles - one-style', 'all-styles', 'one-style'],
  ['variants - all-styles', 'variants', 'all-styles'],
] as const

const sampled = bootstrapped(programs, SAMPLES, SEED, statisticsIn)
const figure = (name: string, value: number) => ({
  value: rounded(value),
  interval: percentileInterval(sampled.get(name)!).map(rounded),
})
const whole = statisticsIn(once)

const results = {
  real: {
    pictures: real.length,
    programs: Object.fromEntries(
      [...groupsOf(real, ({ program }) => program)].map(([program, pictures]) => [
        program,
        {
          fold: pictures[0]!.group,
          pictures: pictures.length,
          boxes: pictures.reduce((sum, { boxes }) => sum + boxes.length, 0),
        },
      ]),
    ),
    boxes: Object.fromEntries(
      CONTROL_CLASSES.map((is) => [
        is,
        real.reduce((sum, { boxes }) => sum + boxes.filter((box) => box.is === is).length, 0),
      ]),
    ),
  },
  detectors: Object.fromEntries(
    [...detectors].map(([name, scoresIn]) => [
      name,
      {
        ...roundedScores(scoresIn(once)),
        map_interval: figure(`${name} map`, 0).interval,
        agnostic_interval: figure(`${name} agnostic`, 0).interval,
        by_program: Object.fromEntries(
          programs.map((program) => {
            const { map, agnostic } = scoresIn((each) => (each === program ? 1 : 0))
            return [program, { map: rounded(map), agnostic: rounded(agnostic) }]
          }),
        ),
      },
    ]),
  ),
  comparisons: Object.fromEntries(
    Object.entries(whole)
      .filter(([name]) => / [-/] /.test(name))
      .map(([name, value]) => [name, figure(name, value)]),
  ),
  synthetic: Object.fromEntries(
    namesOf('.synthetic.jsonl').map((name) => {
      const pictures = parseBoxes(readFileSync(join(values.data, 'variants', 'boxes.jsonl'), 'utf8')).filter(
        ({ group }) => group === 'test',
      )
      return [
        name,
        roundedScores(scoresOf(detected(pictures, readFound(join(found, `${name}.synthetic.jsonl`))))(once)),
      ]
    }),
  ),
  training: existsSync(join(values.data, 'training.json'))
    ? (JSON.parse(readFileSync(join(values.data, 'training.json'), 'utf8')) as unknown)
    : null,
}
writeFileSync(values.out, `${JSON.stringify(results, undefined, 1)}\n`)

const range = (interval: readonly number[]) => interval.map((bound) => bound.toFixed(3)).join(' to ')
process.stdout.write(
  [
    rowOf(['trained on', 'mAP', '95 %', 'class-agnostic', '95 %', ...CONTROL_CLASSES]),
    rowOf(Array.from({ length: 5 + CONTROL_CLASSES.length }, () => '---')),
    ...Object.entries(results.detectors).map(([name, each]) =>
      rowOf([
        `\`${name}\``,
        each.map.toFixed(3),
        range(each.map_interval),
        each.agnostic.toFixed(3),
        range(each.agnostic_interval),
        ...CONTROL_CLASSES.map((is) => each.classes[is]?.toFixed(3) ?? '–'),
      ]),
    ),
    '\n',
    rowOf(['comparison', 'value', '95 %']),
    rowOf(['---', '---', '---']),
    ...Object.entries(results.comparisons).map(([name, { value, interval }]) =>
      rowOf([name, value.toFixed(3), range(interval)]),
    ),
  ].join(''),
)
