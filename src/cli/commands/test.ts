import { basename } from 'node:path'
import { Command } from 'commander'
import { Fault } from '../../base/fault.ts'
import { loadScenario } from '../../compose/preview.ts'
import { verifyScenario } from '../../compose/verify.ts'

/** `backlot test`: proves scenarios by their own solutions and oracles. */
export function testCommand(): Command {
  return new Command('test')
    .description('Prove scenarios: the solution passes, doing nothing and luck do not, and the run repeats.')
    .argument('<file...>', 'YAML files')
    .action(async (files: readonly string[]) => {
      let failed = 0
      say(`${'scenario'.padEnd(28)} solution  idle  random  repeats`)
      for (const file of files) {
        const scenario = await opened(file)
        if (!scenario) {
          failed++
          continue
        }
        const claims = await verifyScenario(scenario)
        const bad = claims.filter(({ passed: holds }) => !holds)
        if (bad.length > 0) failed++
        const [solution, idle, random, repeats] = claims.map(({ passed: holds }) => (holds ? '✓' : '✗'))
        say(`${scenario.name.padEnd(28)} ${solution?.padEnd(9)} ${idle?.padEnd(5)} ${random?.padEnd(7)} ${repeats}`)
        for (const { name, message: said } of bad) say(`  ${name}: ${said}`)
      }
      say(`\n${files.length - failed} of ${files.length} proven`)
      if (failed > 0) process.exitCode = 1
    })
}

/** What is wrong with one file is told, and keeps none of the others from being proven. */
async function opened(file: string) {
  try {
    return await loadScenario(file)
  } catch (thrown) {
    if (!(thrown instanceof Fault) || thrown.code === 'Internal') throw thrown
    say(`${basename(file).padEnd(28)} ✗ cannot be played`)
    for (const line of thrown.message.split('\n')) say(`  ${line}`)
    return undefined
  }
}

const say = (line: string) => process.stdout.write(`${line}\n`)
