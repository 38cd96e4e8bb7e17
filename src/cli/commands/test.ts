import { basename } from 'node:path'
import { Command } from 'commander'
import { Fault } from '../../base/fault.ts'
import { isScenarioFound } from '../../compose/gallery.ts'
import { loadScenario } from '../../compose/preview.ts'
import {
  formatChoices,
  formatFirings,
  type ProofOptions,
  proveVariants,
  type VariantChoices,
} from '../../compose/variants.ts'
import { type Check, verifyScenario } from '../../compose/verify/verify.ts'
import { seedRange, wholeNumber } from '../arguments.ts'
import { chosenVariant, type VariantFlags, withFaultsFlag, withVariantFlags } from '../variant-flags.ts'

interface TestFlags extends VariantFlags {
  readonly seeds?: readonly number[]
  readonly variants?: number
  readonly faults?: readonly string[]
}

type LoadedScenario = Awaited<ReturnType<typeof loadScenario>>

/** `backlot test`: verifies scenarios with their own solutions and oracles. */
export function testCommand(): Command {
  return withFaultsFlag(withVariantFlags(new Command('test')))
    .description('Verify scenarios: the solutions pass, the oracles notice everything else, and runs repeat exactly.')
    .argument('<file...>', 'YAML files, or names of gallery scenarios')
    .option('--seeds <a..b>', 'play the solution with each of these seeds instead', seedRange)
    .option('--variants <n>', 'play the solution also in this many variants, drawn for each seed', wholeNumber)
    .action(async (files: readonly string[], flags: TestFlags) => {
      const variant = chosenVariant(flags)
      const isProof = flags.seeds !== undefined || flags.variants !== undefined || flags.faults !== undefined
      let failed = 0
      if (!isProof)
        print(
          rowOf(
            'scenario',
            COLUMNS.map(([, title]) => title),
          ),
        )
      for (const file of files) {
        const scenario = await loadOrReport(file)
        if (!scenario) {
          failed++
          continue
        }
        const passed = isProof
          ? await prove(file, scenario, proofOf(flags, variant))
          : await verify(scenario, { seed: flags.seed, variant })
        if (!passed) failed++
      }
      print(`\n${files.length - failed} of ${files.length} verified`)
      if (failed > 0) process.exitCode = files.every(isScenarioFound) ? 1 : 2
    })
}

/** The checks in the order of the table, with their titles. */
const COLUMNS: readonly (readonly [Check['name'], string])[] = [
  ['solution', 'solution'],
  ['idle', 'idle'],
  ['random', 'random'],
  ['repeats', 'repeats'],
  ['start', 'start'],
  ['omitted_step', 'steps'],
  ['other_value', 'values'],
  ['side_effects', 'effects'],
]

const markOf = (check: Check | undefined): string => (check?.passed ? '✓' : '✗')

const rowOf = (name: string, cells: readonly string[]): string =>
  `${name.padEnd(28)} ${cells.map((cell, index) => cell.padEnd(COLUMNS[index]![1].length)).join('  ')}`.trimEnd()

const proofOf = ({ seed, seeds, variants, faults }: TestFlags, variant: VariantChoices | undefined): ProofOptions => ({
  ...(seeds ? { seeds } : seed === undefined ? {} : { seeds: [seed] }),
  ...(variants !== undefined && { variants }),
  ...(variant && { variant }),
  ...(faults && { faults }),
})

async function verify(scenario: LoadedScenario, options: Parameters<typeof verifyScenario>[1]): Promise<boolean> {
  const checks = await verifyScenario(scenario, options)
  const failures = checks.filter(({ passed }) => !passed)
  print(
    rowOf(
      scenario.name,
      COLUMNS.map(([column]) => markOf(checks.find(({ name }) => name === column))),
    ),
  )
  for (const { name, message } of failures) for (const line of message.split('\n')) print(`  ${name}: ${line}`)
  return failures.length === 0
}

/** Plays a scenario in all seeds and variants, with progress on standard error. */
async function prove(file: string, scenario: LoadedScenario, options: ProofOptions): Promise<boolean> {
  const { name } = scenario
  const warnings = new Set<string>()
  const reported = new Set<string>()
  const runsOfFault = new Map(options.faults?.map((fault) => [String(fault), 0]))
  const faultsFlag = options.faults ? [`--faults ${options.faults.join(',')}`] : []
  let runs = 0
  let failures = 0
  for await (const run of proveVariants(scenario, options)) {
    runs++
    for (const warning of run.warnings) warnings.add(warning)
    for (const fault of new Set(run.fired.map(({ fault }) => fault)))
      runsOfFault.set(fault, (runsOfFault.get(fault) ?? 0) + 1)
    if (run.failure !== undefined && 'smallest' in run) {
      failures++
      const { seed, smallest, failure } = run
      const repeat = [
        'backlot test',
        file,
        `--seed ${seed}`,
        ...Object.entries(smallest).map(flagOf),
        ...faultsFlag,
      ].join(' ')
      // Each set of axes is reported once, with the first seed that it breaks.
      if (!reported.has(formatChoices(smallest))) {
        print(`  ${name}, seed ${seed}, ${formatChoices(smallest) || 'no variant'}: ${failure}`)
        if (run.fired.length > 0) print(`    faults: ${formatFirings(run.fired)}`)
        print(`    ${repeat}`)
      }
      reported.add(formatChoices(smallest))
    }
    progress(`${name}: ${runs} runs, ${failures} failed`)
  }
  progress('')
  for (const [fault, count] of runsOfFault) print(`  ${name}: ${fault} fired in ${count} of ${runs} runs`)
  for (const warning of warnings) print(`  warning: ${name}: ${warning}`)
  print(`${name.padEnd(28)} ${failures === 0 ? '✓' : '✗'} ${runs - failures} of ${runs} runs pass`)
  return failures === 0
}

const flagOf = ([axis, value]: readonly [string, string]): string => `--variant ${axis}=${value}`

/** Shows a line on a terminal, in place of the one before. */
function progress(line: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${line}`)
}

/** Loads a scenario. Prints the problems of a bad file, so that the other files are still verified. */
async function loadOrReport(file: string) {
  try {
    return await loadScenario(file)
  } catch (thrown) {
    if (!(thrown instanceof Fault) || thrown.code === 'Internal') throw thrown
    print(`${basename(file).padEnd(28)} ✗ cannot be loaded`)
    for (const line of thrown.message.split('\n')) print(`  ${line}`)
    return undefined
  }
}

const print = (line: string) => process.stdout.write(`${line}\n`)
