import { basename } from 'node:path'
import { Command } from 'commander'
import { Fault } from '../../base/fault.ts'
import { loadScenario } from '../../compose/preview.ts'
import { type Check, verifyScenario } from '../../compose/verify/verify.ts'

/** `backlot test`: verifies scenarios with their own solutions and oracles. */
export function testCommand(): Command {
  return new Command('test')
    .description('Verify scenarios: the solutions pass, the oracles notice everything else, and runs repeat exactly.')
    .argument('<file...>', 'YAML files, or names of gallery scenarios')
    .action(async (files: readonly string[]) => {
      let failed = 0
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
        const checks = await verifyScenario(scenario)
        const failures = checks.filter(({ passed }) => !passed)
        if (failures.length > 0) failed++
        print(
          rowOf(
            scenario.name,
            COLUMNS.map(([column]) => markOf(checks.find(({ name }) => name === column))),
          ),
        )
        for (const { name, message } of failures) for (const line of message.split('\n')) print(`  ${name}: ${line}`)
      }
      print(`\n${files.length - failed} of ${files.length} verified`)
      if (failed > 0) process.exitCode = 1
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
