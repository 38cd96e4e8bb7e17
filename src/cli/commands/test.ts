import { basename } from 'node:path'
import { Command } from 'commander'
import { Fault } from '../../base/fault.ts'
import { loadScenario } from '../../compose/preview.ts'
import { verifyScenario } from '../../compose/verify.ts'

/** `backlot test`: verifies scenarios with their own solutions and oracles. */
export function testCommand(): Command {
  return new Command('test')
    .description('Verify scenarios: the solution passes, idling and random actions fail, and runs repeat exactly.')
    .argument('<file...>', 'YAML files, or names of gallery scenarios')
    .action(async (files: readonly string[]) => {
      let failed = 0
      print(`${'scenario'.padEnd(28)} solution  idle  random  repeats`)
      for (const file of files) {
        const scenario = await loadOrReport(file)
        if (!scenario) {
          failed++
          continue
        }
        const checks = await verifyScenario(scenario)
        const failures = checks.filter(({ passed }) => !passed)
        if (failures.length > 0) failed++
        const [solution, idle, random, repeats] = checks.map(({ passed }) => (passed ? '✓' : '✗'))
        print(`${scenario.name.padEnd(28)} ${solution?.padEnd(9)} ${idle?.padEnd(5)} ${random?.padEnd(7)} ${repeats}`)
        for (const { name, message } of failures) print(`  ${name}: ${message}`)
      }
      print(`\n${files.length - failed} of ${files.length} verified`)
      if (failed > 0) process.exitCode = 1
    })
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
